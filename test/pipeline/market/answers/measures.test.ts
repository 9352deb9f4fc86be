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

it("gives a seasonal index only from five complete years", async () => {
  const index = (missing: string) =>
    db.rows<{month: number | null; value: number | null}>(
      `SELECT month::INTEGER AS month, value FROM (${seasonalIndexSql(`
      SELECT 'ok-alpha' AS venue_id, 'a' AS cell_id, year * 12 + month - 1 AS month_no, DATE '2024-12-31' AS last_sale,
        CASE month WHEN 5 THEN 212 ELSE 200 END::DOUBLE AS price
      FROM range(2018, 2025) AS years(year), range(1, 13) AS months(month) WHERE ${missing}`)}) ORDER BY month`,
    );
  const whole = await index("true");
  expect(whole.map(({month}) => month)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(whole[4]!.value).toBeCloseTo(212 / 201, 10);
  expect(whole[0]!.value).toBeCloseTo(200 / 201, 10);
  expect(await index("NOT (year = 2020 AND month = 6)")).toEqual([{month: null, value: null}]);
});
