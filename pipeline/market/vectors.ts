import {ageDays, freshnessOf} from "../../lib/dates.ts";
import {distanceMiles} from "../../lib/geography/distance.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {priceConfidence} from "./answers/confidence.ts";
import {inverseDistance} from "./answers/estimates.ts";
import {basis, slide, valueOfGain} from "./answers/measures.ts";
import {weightBinSql} from "./normalise/weight-bins.ts";

/** A published example: what the code gives, and what `docs/design/market.md` section 14 prints. */
type Vector = readonly [name: string, given: unknown, printed: unknown];

/** Names of the published test vectors that this very program does not reproduce: a build of it must not be published. */
export async function failedVectors(): Promise<string[]> {
  const vectors = [...measures(), ...prices(), ...ages(), ...(await bins())];
  return vectors.flatMap(([name, given, printed]) =>
    JSON.stringify(given) === JSON.stringify(printed) ? [] : [name],
  );
}

const rounded = (values: readonly (number | null)[], decimals = 2) =>
  values.map((value) => (value === null ? null : roundHalfAway(value, decimals)));

function measures(): Vector[] {
  return [
    ["V11", [slide({weightLb: 800, pricePerCwt: 240}, {weightLb: 850, pricePerCwt: 236})], [8]],
    [
      "V12",
      rounded(
        [
          valueOfGain({weightLb: 550, pricePerCwt: 230}, {weightLb: 750, pricePerCwt: 190}),
          valueOfGain({weightLb: 516, pricePerCwt: 444.72}, {weightLb: 564, pricePerCwt: 425.35}),
        ],
        4,
      ),
      [0.8, 2.1712],
    ],
    ["V14", rounded([basis(263.08, 259.4)]), [3.68]],
    ["V21", rounded([450.7393, 2.675, -0.955]), [450.74, 2.68, -0.96]],
  ];
}

function prices(): Vector[] {
  const one = {coverage: 0.9, agreement: 0.9};
  const from = {lat: 35.4525, lon: -97.556};
  const estimates = [
    [
      {miles: 22, price: 350},
      {miles: 48, price: 356},
      {miles: 70, price: 344},
    ],
    [
      {miles: 4, price: 350},
      {miles: 48, price: 356},
    ],
  ];
  return [
    ["V8", rounded(estimates.map((contributors) => inverseDistance(contributors).price)), [350.51, 350.25]],
    [
      "V9",
      [
        priceConfidence({age: 5, head: 166, ...one}).score,
        priceConfidence({age: 5, head: 16, ...one}).score,
        priceConfidence({age: 50, head: 166, ...one}).score,
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
  const found = days.map((day) => ageDays(day, "2026-11-21")).map((age) => [age, freshnessOf(age)]);
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
  return [["V18", found, printed]];
}

async function bins(): Promise<Vector[]> {
  const db = await openDatabase({threads: 1});
  try {
    return [["V16", await binStarts(db), [700, 750, 500, 550]]];
  } finally {
    db.close();
  }
}

/** Starts of the bins of 749, 750, 549.6 and 550 lb, for rows without a break of their own. */
async function binStarts(db: Database): Promise<number[]> {
  const rows = await db.rows<{bin: number}>(
    `SELECT ${weightBinSql("low", "high", "average")}::INTEGER AS bin
     FROM (SELECT NULL::DOUBLE AS low, NULL::DOUBLE AS high, unnest([749, 750, 549.6, 550])::DOUBLE AS average)`,
  );
  return rows.map(({bin}) => bin);
}
