import {expect, test} from "vitest";
import {ensureMacros} from "../../../lib/parcels/conform/functions.ts";
import {cleanTextSql} from "../../../lib/sql/clean-text-sql.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {cleanText, cleanTexts} from "../../../lib/text/clean-text.ts";
import {visibleText} from "../../../lib/text/visible-text.ts";
// @ts-expect-error: the modules of the page have no types.
import {visible} from "../../../server/pages/dom.js";
import {randomOf} from "../../pipeline/hostile-files.ts";

const seed = Number(process.env["SEED"] ?? 51);
/** Characters that act on a screen or hide there, by their Unicode properties and not by our list. */
const acts = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b-\u200d\u2060-\u2064\ufeff]/u;

/** Texts of letters, blanks and accents among characters that act, half of them bidi or without width. */
function randomTexts(count: number): string[] {
  const random = randomOf(seed);
  const pick = (): number => {
    const kind = random();
    if (kind < 0.3) return Math.floor(random() * 0xa0);
    if (kind < 0.5) return 0x2000 + Math.floor(random() * 0x70);
    if (kind < 0.6) return [0x301, 0xfeff, 0x61c, 0xa0, 0x0d, 0x0a][Math.floor(random() * 6)]!;
    return 0x41 + Math.floor(random() * 26);
  };
  return Array.from({length: count}, () =>
    String.fromCharCode(...Array.from({length: 1 + Math.floor(random() * 14)}, pick)),
  );
}

test("a control character of a published text is a space, one without width is left out, lines stay", () => {
  expect(cleanText("SMITH \u001b]0;x\u0007JOHN\u202e\u200b\r\n\tMARY\u0085E\u0301")).toBe(
    "SMITH  ]0;x JOHN\n\tMARY \u00c9",
  );
  expect(cleanTexts({a: ["\u200bA", 1n, null], b: {c: "\u0000"}})).toEqual({a: ["A", 1n, null], b: {c: " "}});
});

test("of 10,000 random texts none acts when it is cleaned, twice is once, and SQL cleans alike", async () => {
  const texts = randomTexts(10_000);
  using db = await openDatabase();
  await ensureMacros(db);
  await db.run("CREATE TABLE texts (place INTEGER, x VARCHAR)");
  for (let at = 0; at < texts.length; at += 1000) {
    const rows = texts.slice(at, at + 1000).map((text, i) => ({place: at + i, x: text}));
    const list = JSON.stringify(rows);
    await db.run(
      'INSERT INTO texts SELECT unnest(from_json($list, \'[{"place": "INTEGER", "x": "VARCHAR"}]\'), recursive := true)',
      {list},
    );
  }
  const rows = await db.rows<{x: string; cleaned: string; cell: string | null; id: string | null}>(
    `SELECT x, ${cleanTextSql("x")} AS cleaned, trim_text(x) AS cell, id_text(x) AS id FROM texts ORDER BY place`,
  );
  expect(rows.length).toBe(texts.length);
  for (const {x, cleaned, cell, id} of rows) {
    const kept = cleanText(x);
    expect([seed, x, cleaned]).toEqual([seed, x, kept]);
    expect([seed, x, acts.test(kept.replaceAll(/[\t\n]/g, ""))]).toEqual([seed, x, false]);
    expect(cleanText(kept)).toBe(kept);
    const ends = /^[ \t\n\r\u00a0]+|[ \t\n\r\u00a0]+$/g;
    expect([seed, x, cell ?? ""]).toEqual([seed, x, kept.replaceAll(ends, "")]);
    expect(id?.includes("\u001a") ?? false).toBe(
      /[^\P{Cc}\t\n]|[\u2028\u2029]/u.test(x.replaceAll(ends, "").replaceAll("\r\n", "\n")),
    );
  }
});

test("the terminal and the page show every character that acts as a symbol, of the whole plane", () => {
  for (let code = 0; code < 0x10000; code += 1) {
    const text = `A${String.fromCharCode(code)}B`;
    const isShown = visibleText(text) !== text;
    const isLine = code === 0x09 || code === 0x0a;
    expect([code, visible(text) !== text]).toEqual([code, isShown || isLine]);
    expect([code, acts.test(visible(text))]).toEqual([code, false]);
  }
});
