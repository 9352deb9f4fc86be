import {afterAll, beforeAll, expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {
  betweenWeights,
  seasonalIndexSql,
  spreadSql,
} from "../../../../pipeline/market/answers/derived-measures.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());

async function between(
  measure: keyof typeof betweenWeights,
  light: [pounds: number, usdPerCwt: number],
  heavy: [pounds: number, usdPerCwt: number],
): Promise<number> {
  const [row] = await db.rows<{value: number}>(`SELECT ${betweenWeights[measure]} AS value
    FROM (SELECT ${light[0]}::DOUBLE AS avg_weight, ${light[1]}::DOUBLE AS price) AS light,
      (SELECT ${heavy[0]}::DOUBLE AS avg_weight, ${heavy[1]}::DOUBLE AS price) AS heavy`);
  return row!.value;
}

it("V11 finds the slide between two weights", async () => {
  expect(await between("slide", [800, 240], [850, 236])).toBe(8);
});

it("V12 values a pound of gain between two weights", async () => {
  const gain = async (...weights: [[number, number], [number, number]]) =>
    roundHalfAway(await between("value_of_gain", ...weights), 4);
  expect(await gain([550, 230], [750, 190])).toBe(0.8);
  expect(await gain([400, 292], [450, (1273 / 450) * 100])).toBe(2.1);
  expect(await gain([516, 444.72], [564, 425.35])).toBe(2.1712);
});

it("V14 subtracts the futures price from the cash price", async () => {
  const [row] = await db.rows<{value: number}>(
    `SELECT ${spreadSql} AS value FROM (SELECT 263.08::DOUBLE AS price, 259.4::DOUBLE AS settlement)`,
  );
  expect(roundHalfAway(row!.value, 2)).toBe(3.68);
});

/** The seasonal index of invented months: 200 USD, in May 212; `missing` tells those that there are. */
const seasons = (there: string) =>
  db.rows<{month: number | null; value: number | null; years: number; months_missing: number}>(
    `SELECT month::INTEGER AS month, value, years, months_missing FROM (${seasonalIndexSql(`
      SELECT 'ok-alpha' AS venue_id, 'a' AS cell_id, year * 12 + month - 1 AS month_no, DATE '2024-12-31' AS last_sale,
        CASE month WHEN 5 THEN 212 ELSE 200 END::DOUBLE AS price
      FROM range(2018, 2025) AS years(year), range(1, 13) AS months(month) WHERE ${there}`)}) ORDER BY month`,
  );

it("gives a seasonal index from five years, each of at least ten months", async () => {
  const whole = await seasons("true");
  expect(whole.map(({month}) => month)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  // May 2018 has no month before January: 9.5 months of 200 USD and itself.
  expect(whole[4]!.value).toBeCloseTo((6 * (212 / 201) + 212 / ((200 * 9.5 + 212) / 10.5)) / 7, 10);
  expect(whole[0]!.value).toBeCloseTo(200 / 201, 10);
  // A month needs ten of the twelve around it, which the first and the last four months of the series do not have.
  expect(whole.map(({years}) => years)).toEqual([6, 6, 6, 6, 7, 7, 7, 7, 6, 6, 6, 6]);
  expect(await seasons("year BETWEEN 2019 AND 2022")).toEqual([
    {month: null, value: null, years: 4, months_missing: 0},
  ]);
});

it("leaves a missing month out of the centred mean, and a year with three of them out of the index", async () => {
  const gap = await seasons("NOT (year = 2020 AND month IN (6, 11))");
  const months = (number: number) => gap.find(({month}) => month === number)!;
  expect(months(6)).toMatchObject({years: 6, months_missing: 2});
  expect(months(5)).toMatchObject({years: 7, months_missing: 2});
  expect(months(12).years).toBe(6);
  // In May 2020 June and the half of November are missing, as much as before May 2018, and in May 2021 that half alone.
  const edge = 212 / ((200 * 9.5 + 212) / 10.5);
  const later = 212 / ((200 * 10.5 + 212) / 11.5);
  expect(months(5).value).toBeCloseTo((4 * (212 / 201) + 2 * edge + later) / 7, 10);
  const three = await seasons("NOT (year = 2020 AND month IN (2, 6, 11))");
  expect(three.every(({years, months_missing}) => years <= 6 && months_missing <= 2)).toBe(true);
  expect(
    await seasons("year BETWEEN 2019 AND 2024 AND NOT (year IN (2020, 2021) AND month IN (2, 6, 11))"),
  ).toHaveLength(1);
});
