import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

/** A row of an invented sale near Dodge City, in a county of Kansas. */
function row(change: Record<string, unknown>): Record<string, unknown> {
  return marsRow({
    slug_id: 1889,
    slug_name: "AMS_1889",
    report_title: "Winter Livestock - Dodge City, KS",
    market_location_name: "Winter Livestock",
    market_location_city: "Dodge City",
    market_location_state: "KS",
    avg_price_min: null,
    avg_price_max: null,
    ...change,
  });
}

const fed = {commodity: "Slaughter Cattle", frame: "N/A", muscle_grade: "N/A", avg_price: 210};
const cow = {...fed, class: "Cows", quality_grade_name: "Boner 80-85%", dressing: "Average", avg_price: 120};
const pair = {
  commodity: "Replacement Cattle",
  class: "Cow-Calf Pairs",
  price_unit: "Per Unit",
  age: "Middle Aged (5-8 yrs)",
  avg_weight: 1150,
  avg_weight_min: 1100,
  avg_weight_max: 1200,
  weight_break_low: null,
  weight_break_high: null,
};
const rows = [
  row(cow),
  row({...cow, age: "Aged (>8 yrs)", avg_price: 110}),
  row({...cow, pregnancy_stage: "Open", avg_price: 130}),
  row({...fed, quality_grade_name: "Choice 2-3", head_count: 10}),
  row({...fed, quality_grade_name: "Choice 2 - 3", head_count: 30, avg_price: 220, avg_weight_min: 700}),
  row({frame: "N/A", avg_weight: 751}),
  row({frame: "N/A", avg_weight: 752}),
  row({frame: "N/A", muscle_grade: "N/A", quality_grade_name: "1", avg_weight: 753}),
  row({...pair, offspring_weight_est: "<150", avg_price: 3600}),
  row({...pair, offspring_weight_est: "150-300", avg_price: 4000, head_count: 10}),
  row({...pair, offspring_weight_est: "150 - 300", avg_price: 4200, head_count: 30}),
];

describe("cells of odd words", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    const retrievedAt = "2026-09-15T20:00:00Z";
    await putRaw(folder.path, "mars/ams_1889.json", {content: marsAnswer(rows), retrievedAt});
    built = await buildOn(folder.path, "2026-09-16");
  });
  afterAll(() => folder.remove());

  it("do not stop the market, and every published key is unique", () => {
    expect([built.result.outcome, built.result.heldBack]).toEqual(["published", []]);
  });

  it("share one id if only punctuation and blanks differ, but not if age or stage does", async () => {
    await opened(async (db) => {
      for (const table of ["county_prices", "state_prices"])
        expect([
          table,
          await db.rows(`SELECT cell_id, age_class, pregnancy_stage, price_avg::DOUBLE AS price, head_count AS head FROM ${tableOf(built, table)}
            WHERE commodity = 'slaughter_cattle' AND price_basis IN ('observed_in_county', 'derived_rollup') ORDER BY cell_id`),
        ]).toEqual([
          table,
          [
            {
              cell_id: "slaughter-cows-boner-average-ageover-8-cwt",
              age_class: ">8",
              pregnancy_stage: null,
              price: 110,
              head: 41,
            },
            {
              cell_id: "slaughter-cows-boner-average-cwt",
              age_class: null,
              pregnancy_stage: null,
              price: 120,
              head: 41,
            },
            {
              cell_id: "slaughter-cows-boner-average-o-cwt",
              age_class: null,
              pregnancy_stage: "O",
              price: 130,
              head: 41,
            },
            {
              cell_id: "slaughter-steers-choice-2-3-cwt",
              age_class: null,
              pregnancy_stage: null,
              price: 217.5,
              head: 40,
            },
          ],
        ]);
    });
  });

  it("have an id per weight range of a pair's calf, and name the range", async () => {
    await opened(async (db) => {
      const pairs = await db.rows(
        `SELECT cell_id, offspring_weight, price_avg::DOUBLE AS price, split_part(claim, ' averaged', 1) AS claim
        FROM ${tableOf(built, "state_prices")} JOIN ${tableOf(built, "evidence")} USING (evidence_id) WHERE class = 'cow_calf_pairs' ORDER BY price`,
      );
      const words = "Medium and Large 1 cow-calf pairs aged 5-8 with calves of";
      expect(pairs).toEqual([
        {
          cell_id: "replacement-cow-calf-pairs-ml1-age5-8-calfunder-150-pair",
          offspring_weight: "<150",
          price: 3600,
          claim: `${words} <150 lb`,
        },
        {
          cell_id: "replacement-cow-calf-pairs-ml1-age5-8-calf150-300-pair",
          offspring_weight: "150-300",
          price: 4150,
          claim: `${words} 150-300 lb`,
        },
      ]);
    });
  });

  it("reject only the rows of a second cell with the same id, naming cell, file and both rows", async () => {
    const [report] = built.result.report.parts["MARKET"]!;
    expect(report).toMatchObject({rowsIn: 11, accepted: 10, rejected: {cell_twice: 1}});
    await opened(async (db) => {
      expect(await db.rows(`SELECT row_ordinal, detail FROM ${tableOf(built, "quarantine")}`)).toEqual([
        {
          row_ordinal: 8,
          detail:
            "cell feeder-steers-1-0750-0799-cwt: market/mars/ams_1889.json row 8 and market/mars/ams_1889.json row 6 differ in their words",
        },
      ]);
    });
  });
});
