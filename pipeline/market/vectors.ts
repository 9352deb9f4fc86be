import {distanceMiles} from "@open-cattle/parcel-outlines";
import {ageDays, freshnessOf} from "../../lib/dates.ts";
import {priceConfidence} from "../../lib/market/price-confidence.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {inverseDistance} from "./answers/county-prices.ts";
import {betweenWeights, spreadSql} from "./answers/derived-measures.ts";
import {weightBinSql} from "./normalise/measured-rows.ts";

/** A published example: the code's result, and the value that `docs/design/market.md` section 14 prints. */
type Vector = readonly [name: string, given: unknown, printed: unknown];

/** Names of the published test vectors that this program fails to reproduce; a build must then not be published. */
export async function failedVectors(): Promise<string[]> {
  using db = await openDatabase({threads: 1});
  const vectors = [...(await measures(db)), ...(await prices(db)), ...ages(), ...(await bins(db))];
  return vectors.flatMap(([name, given, printed]) =>
    JSON.stringify(given) === JSON.stringify(printed) ? [] : [name],
  );
}

/** The column `value` of a query, in order. The query is built from the SQL that builds use. */
async function valuesOf(db: Database, sql: string): Promise<number[]> {
  return (await db.rows<{value: number}>(sql)).map(({value}) => value);
}

const rounded = (values: readonly (number | null)[], decimals = 2) =>
  values.map((value) => (value === null ? null : roundHalfAway(value, decimals)));

type WeightPrice = readonly [pounds: number, usdPerCwt: number];

async function measures(db: Database): Promise<Vector[]> {
  const between = (measure: keyof typeof betweenWeights, light: WeightPrice, heavy: WeightPrice) =>
    valuesOf(
      db,
      `SELECT ${betweenWeights[measure]} AS value FROM (VALUES (${light}::DOUBLE)) AS light(avg_weight, price), (VALUES (${heavy}::DOUBLE)) AS heavy(avg_weight, price)`,
    );
  const gains = [
    ...(await between("value_of_gain", [550, 230], [750, 190])),
    ...(await between("value_of_gain", [516, 444.72], [564, 425.35])),
  ];
  const spread = await valuesOf(
    db,
    `SELECT ${spreadSql} AS value FROM (VALUES (263.08::DOUBLE, 259.4::DOUBLE)) AS sale(price, settlement)`,
  );
  return [
    ["V11", await between("slide", [800, 240], [850, 236]), [8]],
    ["V12", rounded(gains, 4), [0.8, 2.1712]],
    ["V14", rounded(spread), [3.68]],
    ["V21", rounded([450.7393, 2.675, -0.955]), [450.74, 2.68, -0.96]],
  ];
}

async function prices(db: Database): Promise<Vector[]> {
  const one = {recency: 1, coverage: 0.9, agreement: 0.9};
  const from = {lat: 35.4525, lon: -97.556};
  const estimates = await valuesOf(
    db,
    `SELECT ${inverseDistance} AS value FROM (VALUES (1, 1, 22.0, 350.0), (1, 2, 48, 356), (1, 3, 70, 344), (2, 1, 4, 350), (2, 2, 48, 356))
      AS contributors(estimate, rank, distance_mi, price) GROUP BY estimate ORDER BY estimate`,
  );
  return [
    ["V8", rounded(estimates), [350.51, 350.25]],
    [
      "V9",
      [
        priceConfidence({...one, head: 166}).score,
        priceConfidence({...one, head: 16}).score,
        priceConfidence({...one, recency: 0.25, head: 166}).score,
      ],
      [0.81, 0.324, 0.2025],
    ],
    [
      "V15",
      rounded(
        [
          distanceMiles(from, {lat: 35.5323, lon: -97.955}),
          distanceMiles(from, {lat: 34.8937, lon: -98.3595}),
        ],
        1,
      ),
      [23.1, 59.6],
    ],
  ];
}

function ages(): Vector[] {
  const days = [
    "2026-11-16",
    "2026-11-11",
    "2026-11-10",
    "2026-10-31",
    "2026-10-30",
    "2026-10-16",
    "2026-09-22",
    "2026-09-21",
  ];
  const freshnessByAge = days.map((day) => ageDays(day, "2026-11-21")).map((age) => [age, freshnessOf(age)]);
  const printed = [
    [5, "fresh"],
    [10, "fresh"],
    [11, "recent"],
    [21, "recent"],
    [22, "aging"],
    [36, "stale"],
    [60, "stale"],
    [61, "expired"],
  ];
  return [["V18", freshnessByAge, printed]];
}

async function bins(db: Database): Promise<Vector[]> {
  return [["V16", await binStarts(db), [700, 750, 500, 550]]];
}

/** Starts of the bins of 749, 750, 549.6 and 550 lb, for rows without a weight break. */
async function binStarts(db: Database): Promise<number[]> {
  return valuesOf(
    db,
    `SELECT ${weightBinSql("low", "high", "average")}::INTEGER AS value
     FROM (SELECT NULL::DOUBLE AS low, NULL::DOUBLE AS high, unnest([749, 750, 549.6, 550])::DOUBLE AS average)`,
  );
}
