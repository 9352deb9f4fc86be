import {afterAll, expect, it} from "vitest";
import {jsonText} from "../../../lib/sql/duckdb.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf} from "./weekly-builds.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Characters that act on a screen or hide there, in JSON. */
const acts = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\ufeff]|\\u00[0189]/u;

it("texts of reports are cleaned when they are read, and the quarantine has them as they came", async () => {
  const day = "2026-09-21";
  const row = (change: Record<string, unknown>) =>
    marsRow({
      slug_id: 9301,
      slug_name: "AMS_9301",
      report_title: "Alder\u001b]0;x\u0007 Livestock\u202e - Alder, NE",
      market_location_name: "Al\u200bder",
      market_location_city: "Al\u200bder",
      lot_desc: "Fleshy\u009b31m",
      report_narrative: "Steers \u001b[2Jsteady\u2066 on a light run.",
      report_date: day,
      report_begin_date: day,
      report_end_date: day,
      published_date: `${day} 18:00:00`,
      ...change,
    });
  const rows = [row({}), row({avg_weight: 790, price_unit: "Per \u001b[31mStone\u202e"})];
  await putRaw(folder.path, "mars/alder.json", {content: marsAnswer(rows), retrievedAt: `${day}T20:00:00Z`});
  const built = await buildOn(folder.path, "2026-09-22");
  const rowsOf = (table: string) => opened((db) => db.rows(`FROM ${tableOf(built, table)}`));
  const prices = await rowsOf("price_rows/*/*");
  expect(prices).toMatchObject([{report_title: "Alder ]0;x Livestock - Alder, NE"}]);
  for (const table of ["price_rows/*/*", "sale_events", "latest_prices", "barns"])
    expect([table, acts.test(jsonText(await rowsOf(table)))]).toEqual([table, false]);
  const [kept] = await rowsOf("quarantine");
  expect(JSON.parse(String(kept!["raw"]))).toMatchObject({
    price_unit: "Per \u001b[31mStone\u202e",
    report_title: "Alder\u001b]0;x\u0007 Livestock\u202e - Alder, NE",
  });
});
