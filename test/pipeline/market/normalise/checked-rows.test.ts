import {expect, test} from "vitest";
import {marsAnswer, marsRow, withReading} from "../raw-folder.ts";

type Case = readonly [change: Readonly<Record<string, unknown>>, reason: string | null];

/** Each row is its own report, so that no row is compared with another. */
const cases: readonly Case[] = [
  [{}, null],
  [{avg_price: null}, "no_price"],
  [{avg_price: 345, avg_price_max: 344.99, avg_price_min: 340}, null],
  [{avg_price: 345, avg_price_max: 344.98, avg_price_min: 340}, "price_order"],
  [{avg_price: 345, avg_price_max: 350, avg_price_min: 345.01}, null],
  [{avg_price: 345, avg_price_max: 350, avg_price_min: 345.02}, "price_order"],
  [{avg_weight: 775, avg_weight_min: 776}, null],
  [{avg_weight: 775, avg_weight_min: 777}, "weight_order"],
  [{avg_weight: 775, avg_weight_max: 774}, null],
  [{avg_weight: 775, avg_weight_max: 773}, "weight_order"],
  [{head_count: 0}, "implausible_head"],
  [{head_count: 1}, null],
  [{head_count: 3e9}, "implausible_head"],
  [{avg_price: 10, avg_price_min: 10, avg_price_max: 10}, null],
  [{avg_price: 9.99, avg_price_min: 9.99, avg_price_max: 9.99}, "implausible_price"],
  [{avg_price: 5000, avg_price_min: 5000, avg_price_max: 5000}, null],
  [{avg_price: 5000.01, avg_price_min: 5000.01, avg_price_max: 5000.01}, "implausible_price"],
  [{avg_price: 5, avg_price_min: 5, avg_price_max: 5, price_unit: "Per Unit"}, null],
  [{avg_price: 4.99, avg_price_min: 4.99, avg_price_max: 4.99, price_unit: "Per Unit"}, "implausible_price"],
  [{report_begin_date: "11/21/2026", report_end_date: "11/21/2026", report_date: "11/21/2026"}, null],
  [
    {report_begin_date: "11/22/2026", report_end_date: "11/22/2026", report_date: "11/22/2026"},
    "after_as_of",
  ],
  [{commodity: "Hogs", class: "Barrows"}, "not_cattle"],
];

test("rejects rows with impossible numbers, exactly at the bounds of each check", async () => {
  const files = Object.fromEntries(
    cases.map(([change], i) => {
      const slug = {slug_id: 9200 + i, slug_name: `AMS_${9200 + i}`, market_location_name: `Yard ${i}`};
      return [`mars/ams_${9200 + i}.json`, marsAnswer([marsRow({...slug, ...change})])];
    }),
  );
  await withReading({files}, async ({report}) => {
    const reasons = cases.map((_, i) => {
      const {accepted, rejected} = report(`mars/ams_${9200 + i}.json`);
      return accepted === 1 ? null : Object.keys(rejected).join(" ");
    });
    expect(cases.map(([change], i) => [change, reasons[i]])).toEqual(cases);
  });
});

type Bin = readonly [...breakAndWeights: (number | null)[], low: number | null, spans: boolean];

/** The break, the weight with its least and most, and what is expected: the low end of the bin, and whether the weights span bins. */
const bins: readonly Bin[] = [
  [750, 800, 701, 700, 702, 750, true],
  [750, 850, 799.6, null, null, 750, false],
  [760, 810, 800, 800, 849, 800, false],
  [null, null, 800, 799, 849, 800, true],
  [null, null, 800, 800, 850, 800, true],
  [null, null, 0, null, null, null, false],
];

test("puts a row into the bin of its break, else of its unrounded weight, and flags weights outside the bin", async () => {
  const names = "weight_break_low weight_break_high avg_weight avg_weight_min avg_weight_max".split(" ");
  const rows = bins.map((bin, i) =>
    marsRow({...Object.fromEntries(names.map((name, at) => [name, bin[at]])), head_count: i + 1}),
  );
  await withReading({files: {"mars/ams_9101.json": marsAnswer(rows)}}, async ({db}) => {
    const found = await db.rows(
      "SELECT weight_bin_low_lb AS low, weight_spans_bins AS spans FROM price_rows ORDER BY head_count",
    );
    expect(found).toEqual(bins.map((bin) => ({low: bin[5], spans: bin[6]})));
  });
});

test("rounds money half away from zero and weights to whole pounds; a fractional head count is unknown", async () => {
  const row = marsRow({avg_price: 352.675, avg_weight: 775.5, head_count: 4.5});
  await withReading({files: {"mars/ams_9101.json": marsAnswer([row, row])}}, async ({db, report}) => {
    expect(
      await db.rows(
        "SELECT price_avg::VARCHAR AS price, avg_weight_lb AS weight, head_count AS head FROM price_rows",
      ),
    ).toEqual([{price: "352.68", weight: 776, head: null}]);
    expect(report("mars/ams_9101.json").rejected).toEqual({duplicate_row: 1});
  });
});
