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

it("V12 values the gain and the slide between neighbouring bins of one sale, never through a thin cell", async () => {
  const row = (weight: number, price: number, head = 50): RowSaid => ({weight, price, head});
  const db = await measured([row(516, 444.72), row(564, 425.35), row(610, 420, 4), row(660, 400)]);
  const gains = await of(db, "value_of_gain");
  expect(gains.map(({value, cell_id, to_cell_id}) => [value!.toFixed(4), cell_id, to_cell_id])).toEqual([
    ["2.1712", "feeder-steers-ml1-0500-0549-cwt", "feeder-steers-ml1-0550-0599-cwt"],
  ]);
  const [slide] = await of(db, "slide");
  expect(slide!.value).toBeCloseTo(((444.72 - 425.35) / 48) * 100, 9);
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
    [null, "fewer than 5 complete years of monthly prices"],
  ]);
});
