import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

/** A row of an invented sale of 1,159 head near Dodge City, in a county of Kansas. */
function row(change: Record<string, unknown>): Record<string, unknown> {
  return marsRow({
    slug_id: 1889,
    slug_name: "AMS_1889",
    report_title: "Winter Livestock - Dodge City, KS",
    market_location_name: "Winter Livestock",
    market_location_city: "Dodge City",
    market_location_state: "KS",
    receipts: 1159,
    avg_weight_min: null,
    avg_weight_max: null,
    avg_price_min: null,
    avg_price_max: null,
    ...change,
  });
}

const rows = [
  row({avg_price: 350}),
  row({avg_price: 360, head_count: 2_900_000, avg_weight: 776}),
  row({avg_price: 361, head_count: 1e9, avg_weight: 777}),
  row({avg_price: 362, head_count: -5, avg_weight: 778}),
  row({avg_price: 363, head_count: 1200, avg_weight: 779}),
  row({avg_price: 364, head_count: 1e12, avg_weight: 780}),
];

describe("head counts that cannot be right", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    const retrievedAt = "2026-09-15T20:00:00Z";
    await putRaw(folder.path, "mars/ams_1889.json", {content: marsAnswer(rows), retrievedAt});
    built = await buildOn(folder.path, "2026-09-16");
  });
  afterAll(() => folder.remove());

  it("enter no aggregate: county and state use the one valid row and count the others as excluded", async () => {
    await opened(async (db) => {
      for (const table of ["county_prices", "state_prices"]) {
        const found = await db.rows(
          `SELECT price_avg, head_count, rows, rows_excluded FROM ${tableOf(built, table)} WHERE price_basis IN ('observed_in_county', 'derived_rollup')`,
        );
        expect([table, found]).toEqual([
          table,
          [{price_avg: 350, head_count: 41, rows: 1, rows_excluded: 4}],
        ]);
      }
    });
  });

  it("are reported on every record that they would have entered, with the limitation", async () => {
    await opened(async (db) => {
      const found = await db.rows<{id: string; contradictions: string; limitations: string[]}>(
        `SELECT evidence_id AS id, contradictions, limitations FROM ${tableOf(built, "evidence")}
         WHERE evidence_id LIKE 'pc-20057-%750%' OR evidence_id LIKE 'ps-KS-%' OR evidence_id LIKE 'lp-%' ORDER BY 1`,
      );
      expect(found.length).toBe(3);
      for (const {id, contradictions, limitations} of found) {
        const heads = (JSON.parse(contradictions) as {kind: string; field: string; a: {value: number}}[])
          .filter(({kind, field}) => kind === "head_exceeds_receipts" && field === "head_count")
          .map(({a}) => a.value);
        expect([id, heads]).toEqual([id, [2_900_000, 1e9, -5, 1200]]);
        expect(limitations).toContain("Some rows were left out because their head count cannot be right.");
      }
    });
  });

  it("are served as published, and one too large for an integer is rejected with its text", async () => {
    await opened(async (db) => {
      const heads = await db.rows<{head_count: number}>(
        `SELECT head_count FROM ${tableOf(built, "latest_prices")} ORDER BY head_count`,
      );
      expect(heads.map(({head_count}) => head_count)).toEqual([-5, 41, 1200, 2_900_000, 1e9]);
      const kept = await db.rows(`SELECT reject_reason, detail FROM ${tableOf(built, "quarantine")}`);
      expect(kept).toEqual([{reject_reason: "implausible_head", detail: "1000000000000.0 head"}]);
    });
  });
});
