import {expect, test} from "vitest";
import {addDays} from "../../../lib/dates.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {bestDay, type CountySale, freshness, warningWords} from "../../../pipeline/parts/freshness-gate.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import {randomFrom} from "../market/recomputed/answers.ts";

const barns = "(VALUES ('v1', '20001'), ('v2', '20003'), ('v3', NULL)) AS b(venue_id, county_fips)";
const sales = (days: readonly (readonly [string, string])[]) =>
  `(SELECT venue_id, day::DATE AS report_end_date, 'market/' || venue_id AS source_path, 'venue' AS report_scope, 'voluntary' AS report_program,
     250.0 AS price_avg, 10 AS head_count FROM (VALUES ${days.map(([venue, day]) => `('${venue}', '${day}')`).join(", ")}) AS t(venue_id, day))`;

async function gateOf(asOf: string, fetchedOn: Record<string, string> = {}) {
  using db = await openDatabase({threads: 1});
  const days = [
    ["v1", "2026-08-20"],
    ["v2", "2026-08-05"],
    ["v3", "2026-11-20"],
  ] as const;
  return await freshness(
    db,
    {priceRows: sales(days), barns},
    {asOf, fetchedOn: new Map(Object.entries(fetchedOn))},
  );
}

test("old files make a build that names the as-of date with most counties", async () => {
  expect(await gateOf("2026-11-28")).toMatchObject({
    status: "warn",
    figure: 100,
    detail: "as of 2026-11-28 nothing is fresh; --as-of 2026-08-20 would give 2 counties",
  });
  expect(await gateOf("2026-09-17")).toMatchObject({status: "pass", detail: null});
});

test("a day before a file was fetched is not proposed, nor any where all sales were old by then", async () => {
  const late = {"market/v1": "2026-09-10", "market/v2": "2026-11-01"};
  expect((await gateOf("2026-11-28", late)).detail).toContain("--as-of 2026-09-10 would give 1 county");
  const tooLate = {"market/v1": "2026-11-01", "market/v2": "2026-11-01"};
  expect((await gateOf("2026-11-28", tooLate)).detail).toContain("no earlier --as-of would give one");
});

test("the best day is that of a plain scan of all days", () => {
  const draw = randomFrom(7);
  for (let round = 0; round < 50; round++) {
    const found = Array.from({length: 12}, (): CountySale => {
      const soldOn = addDays("2026-01-01", draw(90));
      return {county: String(draw(5)), soldOn, knownFrom: addDays(soldOn, draw(40))};
    });
    const most = Array.from({length: 160}, (_, at) => {
      const day = addDays("2026-01-01", at);
      const fresh = found.filter(({soldOn, knownFrom}) => knownFrom <= day && day <= addDays(soldOn, 28));
      return new Set(fresh.map(({county}) => county)).size;
    });
    expect(bestDay(found)?.counties ?? 0).toBe(Math.max(...most));
  }
});

test("a verdict counts rejected rows and says that no price is fresh", async () => {
  const report = {rowsIn: 60, rejected: {no_id: 4, no_price: 1}} as unknown as FileReport;
  expect(warningWords([report], [await gateOf("2026-11-28")])).toEqual([
    "5 of 60 rows rejected",
    "no county has a fresh price",
  ]);
  expect(warningWords([], [await gateOf("2026-08-21")])).toEqual([]);
});
