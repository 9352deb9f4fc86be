import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

/** A row of an invented weekly summary, of a weight of its own: 705 lb stands for the cell 700-749. */
function row(weight: number, price: number, change: Record<string, unknown> = {}): Record<string, unknown> {
  const low = Math.floor(weight / 50) * 50;
  return marsRow({
    slug_id: 9195,
    slug_name: "AMS_9195",
    report_title: "Kansas Weekly Cattle Auction Summary",
    market_location_name: null,
    market_location_city: null,
    market_location_state: null,
    report_date: "09/13/2026",
    published_date: "09/20/2026 18:05:00",
    report_begin_date: "09/13/2026",
    report_end_date: "09/19/2026",
    avg_weight_min: weight,
    avg_weight_max: weight,
    avg_weight: weight,
    weight_break_low: low,
    weight_break_high: low + 50,
    avg_price_min: price,
    avg_price_max: price,
    avg_price: price,
    head_count: 20,
    receipts: 300,
    ...change,
  });
}

const rows = [
  row(605, 400),
  row(610, 410),
  row(705, 380),
  row(710, 390, {avg_price_max: 385}),
  row(805, 360),
  row(810, 370, {head_count: 9000}),
  ...[905, 907, 909, 911, 913].map((weight) => row(weight, 340)),
  row(915, 100),
];

describe("what an official summary is said to report", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    await putRaw(folder.path, "mars/ams_9195.json", {
      content: marsAnswer(rows),
      retrievedAt: "2026-09-20T20:00:00Z",
    });
    built = await buildOn(folder.path, "2026-09-21");
  });
  afterAll(() => folder.remove());

  it("attributes a figure to the summary only if every row of the cell counts", async () => {
    await opened(async (db) => {
      const said = await db.rows<{bin: string; claim: string; kinds: string[]}>(
        `SELECT weight_bin AS bin, claim, from_json(contradictions, '[{"kind": "VARCHAR"}]').apply(c -> c.kind) AS kinds
        FROM ${tableOf(built, "state_prices")} JOIN ${tableOf(built, "evidence")} USING (evidence_id) WHERE state = 'KS' ORDER BY bin`,
      );
      const beginnings = said.map(({bin, claim}) => [bin, claim.split("Kansas")[0]]);
      const rest = "The rows of the official ";
      expect(beginnings).toEqual([
        ["600-649", "The official "],
        ["700-749", rest],
        ["800-849", rest],
        ["900-949", rest],
      ]);
      expect(said.map(({kinds}) => kinds?.[0] ?? null)).toEqual([
        null,
        null,
        "head_exceeds_receipts",
        "implausible_price",
      ]);
      expect(said[0]!.claim).toContain("at 405.");
      expect(said[3]!.claim).toMatch(
        /340\.00 USD per cwt on 100 head; other rows of the cell are left out\.$/,
      );
    });
  });
});
