import {expect, it} from "vitest";
import {addDays} from "../../../../lib/dates.ts";
import {limitations} from "../../../../lib/limitations.ts";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {derived_measures} from "../../../../pipeline/market/answers/derived-measures.ts";
import {futuresLicensed, signal_futures} from "../../../../pipeline/market/signals/signal-futures.ts";
import {cellsOf, type RowSaid, runOf} from "./workshop.ts";

async function measured(rows: RowSaid[], {licensed = false, settlement = 259.4} = {}): Promise<Database> {
  const db = await cellsOf(rows);
  const run = runOf(db).give(futuresLicensed, licensed);
  await run.giveSql(
    signal_futures,
    `SELECT 'feeder_cattle' AS product, '2026-11' AS contract_month,
    DATE '2026-11-16' AS valid_from, false AS continuous, 'GFX26' AS key, ${settlement}::DECIMAL(10,4) AS settlement`,
  );
  await run.make(derived_measures);
  return db;
}

const of = (db: Database, measure: string) =>
  db.rows<{value: number | null; reason: string | null; cell_id: string; to_cell_id: string | null}>(
    `SELECT value, reason, cell_id, to_cell_id FROM derived_measures WHERE measure = '${measure}' ORDER BY cell_id, month`,
  );

/** A sale on a line in logarithms: 1.2 % less for each 10 lb, as pens of 50 head; `price` changes single ones. */
const onLine = (weight: number) => 450 * 0.988 ** ((weight - 500) / 10);
const line = (price: Readonly<Record<number, number>> = {}): RowSaid[] =>
  [505, 535, 560, 590, 610, 640].map((weight) => ({
    weight,
    head: 50,
    price: Math.round(100 * (price[weight] ?? onLine(weight))) / 100,
  }));

it("V12 values the gain and the slide between neighbouring bins from the curve of their sale", async () => {
  const gains = await of(await measured(line()), "value_of_gain");
  const bins = ["0500-0549", "0550-0599", "0600-0649"].map((bin) => `feeder-steers-ml1-${bin}-cwt`);
  expect(gains.map(({cell_id, to_cell_id}) => [cell_id, to_cell_id])).toEqual([
    [bins[0], bins[1]],
    [bins[1], bins[2]],
  ]);
  const worth = (lb: number) => (lb * onLine(lb)) / 100;
  expect(gains[0]!.value).toBeCloseTo((worth(575) - worth(520)) / 55, 2);
  const [slide] = await of(await measured(line()), "slide");
  expect(slide!.value).toBeCloseTo(((onLine(520) - onLine(575)) / 55) * 100, 1);
});

it("does not let one bad pen make the gain, and says what a sale lacks for a curve", async () => {
  const [good] = await of(await measured(line()), "value_of_gain");
  const [bad] = await of(await measured(line({590: 300})), "value_of_gain");
  expect(Math.abs(bad!.value! - good!.value!)).toBeLessThan(0.5);
  const few = await of(await measured(line().slice(0, 4)), "value_of_gain");
  expect(few.map(({value, reason}) => [value, reason])).toEqual([
    [null, "the curve of the sale: too_few_pens, one_small_sale"],
  ]);
  const other = await of(await measured(line().map((row) => ({...row, grade: "2"}))), "slide");
  expect(other.map(({value, reason}) => [value, reason])).toEqual(
    Array(2).fill([null, "only Medium and Large 1 and 1-2 have a weight curve"]),
  );
});

it("gives the premium of lots with a comment, and heifers less steers, at one weight from the curves of the sale", async () => {
  const lot = {weight: 506, head: 30};
  const heifers = [508, 547, 560, 590, 610, 640].map((weight) => ({
    ...{weight, head: 50, class: "heifers"},
    price: Math.round(90 * onLine(weight)) / 100,
  }));
  const db = await measured([
    ...line(),
    ...heifers,
    // The lots without comment of the bin weigh 505 and 535 lb, so that the price of 506 lb is above theirs without a premium.
    {...lot, price: onLine(506), descriptors: ["unweaned"]},
    {...lot, price: onLine(506) + 14, descriptors: ["weaned", "value_added"], head: 12},
    {...lot, price: 430, descriptors: ["fancy"], head: 9},
    {...lot, price: 399, grade: "2"},
    {...lot, price: 390, grade: "2", descriptors: ["unweaned"]},
  ]);
  const cell = (slug: string) => `feeder-${slug}-0500-0549`;
  const premiums = await of(db, "lot_premium");
  expect(premiums.map(({value}) => value)).toEqual([expect.closeTo(0, 1), expect.closeTo(14, 1), null]);
  expect(premiums.map(({reason}) => reason)).toEqual([
    ...[null, null],
    "only Medium and Large 1 and 1-2 have a weight curve",
  ]);
  expect(premiums.map(({to_cell_id}) => to_cell_id)).toEqual(
    ["ml1", "ml1", "ml2"].map((grade) => `${cell(`steers-${grade}`)}-cwt`),
  );
  const [difference] = await of(db, "heifer_difference");
  // Heifers of 508 and 547 lb, 527.5 on average: a tenth less than steers of that weight.
  expect(difference).toEqual({
    ...{value: expect.closeTo(-0.1 * onLine(527.5), 1), reason: null},
    ...{cell_id: `${cell("heifers-ml1")}-cwt`, to_cell_id: `${cell("steers-ml1")}-cwt`},
  });
});

it("has no premium and no difference where a sale is too small for a curve", async () => {
  const lot = {weight: 520, head: 30, price: 410};
  const db = await measured([
    lot,
    {...lot, price: 401.5, descriptors: ["unweaned"]},
    {...lot, price: 372.25, class: "heifers"},
  ]);
  for (const measure of ["lot_premium", "heifer_difference"])
    expect(await of(db, measure)).toMatchObject([
      {value: null, reason: expect.stringContaining("the curve of the sale: too_few_pens")},
    ]);
});

it("gives the spread to the futures where the deployment is licensed, else the reason", async () => {
  const rows: RowSaid[] = [{weight: 775, price: 263.08, head: 50}];
  const [spread] = await of(await measured(rows, {licensed: true}), "spread_to_feeder_futures");
  expect(spread!.value).toBeCloseTo(3.68, 9);
  const [closed] = await of(await measured(rows), "spread_to_feeder_futures");
  expect([closed!.value, closed!.reason]).toEqual([null, limitations.L12]);
});

it("gives a seasonal index over five complete years, else one row with the reason", async () => {
  const monthly = Array.from(
    {length: 88},
    (_, i): RowSaid => ({
      end: addDays("2019-07-15", Math.round(i * 30.4375)),
      price: 300 + 10 * (i % 12),
      weight: 775,
    }),
  );
  const index = await of(await measured(monthly), "seasonal_index");
  expect(index.length).toBe(12);
  const mean = index.reduce((sum, {value}) => sum + value!, 0) / 12;
  expect(Math.abs(mean - 1)).toBeLessThan(0.01);
  const short = await of(await measured(monthly.slice(-20)), "seasonal_index");
  expect(short.map(({value, reason}) => [value, reason])).toEqual([
    [null, "fewer than 5 years with 10 months of prices"],
  ]);
});

it("takes no row into the seasonal index that is in no other mean, and one that is", async () => {
  const monthly = Array.from({length: 88}, (_, i): RowSaid => {
    const end = addDays("2019-07-15", Math.round(i * 30.4375));
    return {end, price: 300, weight: 775};
  });
  const misprint: RowSaid = {end: "2024-10-03", price: 330, weight: 775};
  const october = async (...more: RowSaid[]) => {
    const index = await of(await measured([...monthly, ...more]), "seasonal_index");
    return index[9]!.value!;
  };
  expect(await october()).toBeCloseTo(1, 9);
  expect(await october({...misprint, head: 2_900_000})).toBeCloseTo(1, 9);
  expect(await october({...misprint, head: null})).toBeCloseTo(1, 9);
  const like = Array.from({length: 5}, (): RowSaid => ({...misprint, price: 300}));
  expect(await october(...like, {...misprint, price: 30})).toBeCloseTo(1, 9);
  expect(await october({...misprint, head: 20_000})).toBeGreaterThan(1.01);
});
