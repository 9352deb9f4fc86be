import {expect, test} from "vitest";
import {marsAnswer, marsRow, withReading} from "../raw-folder.ts";

type Pen = readonly [kind: string, unit: "Per Cwt" | "Per Unit", head: number, weight: number, price: number];

/** The reject reason of each pen of one sale, and the details; each kind and unit is a heading. */
async function judged(pens: readonly Pen[]): Promise<{reasons: (string | null)[]; details: string[]}> {
  const rows = pens.map(([kind, price_unit, head_count, weight, price]) =>
    marsRow({
      ...{class: kind, price_unit, head_count, avg_price: price, avg_price_min: price, avg_price_max: price},
      ...{avg_weight: weight, avg_weight_min: weight, avg_weight_max: weight},
      ...{weight_break_low: null, weight_break_high: null},
    }),
  );
  let found: {row_ordinal: number; reject_reason: string; detail: string}[] = [];
  await withReading({files: {"mars/rows.json": marsAnswer(rows)}}, async ({db}) => {
    found = await db.rows("SELECT row_ordinal, reject_reason, detail FROM row_rejects ORDER BY row_ordinal");
  });
  return {
    reasons: pens.map((_, at) => found.find((row) => row.row_ordinal === at + 1)?.reject_reason ?? null),
    details: found.map(({detail}) => detail),
  };
}

const heifers: readonly Pen[] = [
  ["Heifers", "Per Cwt", 30, 520, 440],
  ["Heifers", "Per Cwt", 40, 820, 318],
];

test("V30: refuses steers priced per cwt under a heading per head, by the heifers of the sale", async () => {
  const steers: readonly Pen[] = [
    ["Steers", "Per Unit", 29, 526, 496.29],
    ["Steers", "Per Unit", 66, 825, 342.57],
  ];
  const {reasons, details} = await judged([...steers, ...heifers]);
  expect(reasons).toEqual(["implausible_unit", "implausible_unit", null, null]);
  expect(details[1]).toBe("342.57 per_head is no value of like cattle, which bring 2623.50 a head");
});

test("V30: keeps a true price per head, and refuses one that stands per cwt", async () => {
  const pen = (unit: "Per Cwt" | "Per Unit"): Pen => ["Steers", unit, 66, 825, 2650];
  expect((await judged([pen("Per Unit"), ...heifers])).reasons).toEqual([null, null, null]);
  expect((await judged([pen("Per Cwt"), ...heifers])).reasons).toEqual(["implausible_unit", null, null]);
});

test("refuses nothing without a reference, and nothing under 220 lb on its own", async () => {
  expect((await judged([["Steers", "Per Unit", 66, 825, 342.57]])).reasons).toEqual([null]);
  const light: Pen = ["Steers", "Per Unit", 5, 219, 650];
  expect((await judged([light, ["Heifers", "Per Cwt", 30, 225, 640]])).reasons).toEqual([null, null]);
});

test.each([
  [20, "implausible_unit"],
  [19, null],
])(
  "V30: with %i rows of a grade in its hundred of pounds, a row that is nearer to their middle in the other unit is %s",
  async (count, reason) => {
    const slip: Pen = ["Steers", "Per Unit", 29, 526, 496];
    const like = Array.from({length: count - 1}, (_, i): Pen => ["Steers", "Per Cwt", 30 + i, 520 + i, 440]);
    // The middle of all cattle of the report is nearer to the price as it is stated.
    const heavy = Array.from({length: 30}, (_, i): Pen => ["Heifers", "Per Cwt", 30 + i, 1110 + i, 204]);
    const {reasons} = await judged([slip, ...like, ...heavy]);
    expect(reasons).toEqual([reason, ...[...like, ...heavy].map(() => null)]);
  },
);
