import {spawnSync} from "node:child_process";
import {expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {visibleText} from "../../../lib/text/visible-text.ts";
import {randomOf} from "../../pipeline/hostile-files.ts";

const seed = Number(process.env["SEED"] ?? 14);
/** Characters that act on a terminal, or hide there, by their Unicode properties and not by our list. */
const acts = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b-\u200d\u2060-\u2064\ufeff]/u;

test("S14: a control character is shown as its picture, other characters that act as their numbers", () => {
  expect(visibleText("SMITH \u001b[31mRED\u001b]0;pwned\u0007 JOHN\r\u0000\u007f")).toBe(
    "SMITH ␛[31mRED␛]0;pwned␇ JOHN␍␀␡",
  );
  expect(visibleText("A\u202eB\u2066\u200b\u009b31m\ud800\u2028\ufeff")).toBe(
    "A<U+202E>B<U+2066><U+200B><U+009B>31m<U+D800><U+2028><U+FEFF>",
  );
  expect(visibleText("MUÑOZ JOSÉ 年 🐄\tA\nB")).toBe("MUÑOZ JOSÉ 年 🐄\tA\nB");
});

test("S14: of 10,000 random texts none acts, and a text without such characters stays", () => {
  const random = randomOf(seed);
  const pick = (): number => {
    const kind = random();
    if (kind < 0.3) return Math.floor(random() * 0xa0);
    if (kind < 0.6) return 0x2000 + Math.floor(random() * 0x70);
    return Math.floor(random() * 0x10000);
  };
  for (let i = 0; i < 10_000; i += 1) {
    const text = String.fromCharCode(...Array.from({length: 1 + Math.floor(random() * 12)}, pick));
    const shown = visibleText(text);
    expect([seed, text, acts.test(shown.replaceAll(/[\t\n]/g, ""))]).toEqual([seed, text, false]);
    expect(visibleText(shown)).toBe(shown);
    if (!acts.test(text.replaceAll(/[\t\n]/g, "")) && !/[\u180e\u2065]/.test(text)) expect(shown).toBe(text);
  }
});

test("S14: a question that holds escapes is answered, and refused, without them", () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ["bin/cattle.js", ...words], {cwd: packageRoot, encoding: "utf8"});
  for (const words of [
    ["\u001b]0;x\u0007"],
    ["sql", "--out", "/\u001b[2J", "SELECT 1"],
    ["build", "--as-of", "\u009b1m"],
  ]) {
    const {stdout, stderr, status} = run(...words);
    expect([words, status === 0, acts.test((stdout + stderr).replaceAll(/[\t\n]/g, ""))]).toEqual([
      words,
      false,
      false,
    ]);
  }
});
