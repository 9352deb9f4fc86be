import {readFileSync} from "node:fs";
import {join} from "node:path";
import {tableFromIPC} from "apache-arrow";
import {type Database, openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {marketServing, tablePath, yearPath} from "../../../../lib/storage/build-layout.ts";

import {type OraclePen, oracleFigure, solveCurve} from "./oracle-curve.ts";

/** The published market files of a build as tables of a separate database, as an analyst has them. */
export type Published = {db: Database; asOf: string};

const binned = "commodity IN ('feeder_cattle', 'dairy_calves')";
/** The words of a cell, except weight and unit. */
export const cellWords = [
  "commodity",
  "class",
  "frame",
  "muscle_grade",
  "quality_grade",
  "dressing",
  "age_class",
  "pregnancy_stage",
  "offspring_weight",
] as const;

/** SQL of a cell without descriptors (`docs/design/market.md` section 3), from columns of `price_rows`: punctuation and blanks count for nothing. */
const group = `concat_ws('|', ${cellWords.map((name) => `trim(regexp_replace(lower(coalesce(${name}, '')), '[^a-z0-9<>]+', ' ', 'g'))`).join(", ")},
  CASE WHEN ${binned} THEN coalesce(weight_bin_low_lb::VARCHAR, '') ELSE '' END, price_unit)`;

type Named = Record<string, unknown>;

/** The same of a served record. */
export function groupOf(record: Named): string {
  const text = (name: string) => String(record[name] ?? "");
  const folded = cellWords.map((name) =>
    text(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9<>]+/g, " ")
      .trim(),
  );
  const isBinned = ["feeder_cattle", "dairy_calves"].includes(text("commodity"));
  return [...folded, isBinned ? text("weight_bin").split("-")[0] : "", text("price_unit")].join("|");
}

/** The cell of a served record: its group and its descriptors. */
export function cellOf(record: Named): string {
  return `${groupOf(record)}|${(record["lot_descriptors"] as string[]).join(",")}`;
}

/** Opens the files of the market in a build folder: Parquet as they are, points of counties and ZIPs from the Arrow files. */
export async function openPublished(dir: string, asOf: string): Promise<Published> {
  const db = await openDatabase();
  for (const table of ["sale_events", "summary_events", "reporter_trends", "barns", "dealers"]) {
    await db.run(`CREATE TABLE ${table} AS FROM read_parquet(${sqlText(join(dir, tablePath(table)))})`);
  }
  await db.run(
    `CREATE TABLE r AS
    WITH dated AS (
      SELECT *, date_diff('day', report_end_date, $asOf::DATE) AS age, ${group} AS grp, head_count::HUGEINT AS h,
        coalesce(avg_weight_lb, CASE WHEN ${binned} THEN weight_bin_low_lb + 25
          ELSE round((weight_break_low_lb + weight_break_high_lb) / 2)::INTEGER END)::HUGEINT AS w
      FROM read_parquet(${sqlText(join(dir, yearPath("price_rows", "*")))}, hive_partitioning = false)
    )
    SELECT *, grp || '|' || array_to_string(lot_descriptors, ',') AS cell, row_number() OVER () AS number,
      price_avg::DOUBLE * CASE WHEN price_unit = 'per_cwt' THEN coalesce(w, 100)::DOUBLE / 100 ELSE 1 END AS worth,
      concat_ws('|', report_slug, commodity, class, coalesce(weight_bin_low_lb::VARCHAR, ''), CASE WHEN w IS NULL THEN price_unit END) AS beside
    FROM dated`,
    {asOf},
  );
  await doubtPrices(db);
  await doubtStrays(db);
  await flagOutliers(db);
  await addPoints(db, "county_points", join(dir, marketServing, "county_prices.arrow"), "county_fips");
  await addPoints(db, "zip_points", join(dir, marketServing, "zips.arrow"), "zip");
  return {db, asOf};
}

/**
 * Doubted prices (`docs/design/market.md` section 2, check 4): worth less than 0.4 or more than 2.5 times the median of their class and
 * weight, unless other rows of their frame and grade say the same and the other unit would not fit. Adds `usable`.
 */
async function doubtPrices(db: Database): Promise<void> {
  const within = (value: string, middle: string) =>
    `(${value} >= 0.4 * ${middle} AND ${value} <= 2.5 * ${middle})`;
  await db.run(`
    CREATE TABLE far AS
    SELECT number, near FROM (
      SELECT number, worth, quantile_cont(worth, 0.5) OVER w AS near, count(*) OVER w AS near_rows FROM r
      WINDOW w AS (PARTITION BY beside ORDER BY age DESC RANGE BETWEEN 28 PRECEDING AND CURRENT ROW))
    WHERE near_rows >= 5 AND NOT ${within("worth", "near")};
    CREATE TABLE doubted AS
    SELECT r.number FROM far JOIN r USING (number) LEFT JOIN r AS o ON o.number <> r.number AND o.report_slug = r.report_slug
      AND o.commodity = r.commodity AND o.class = r.class AND o.price_unit = r.price_unit AND o.frame IS NOT DISTINCT FROM r.frame
      AND o.muscle_grade IS NOT DISTINCT FROM r.muscle_grade AND o.quality_grade IS NOT DISTINCT FROM r.quality_grade
      AND o.age BETWEEN r.age AND r.age + 28
    GROUP BY r.number, r.price_unit, r.price_avg, r.w, near
    HAVING (r.w IS NOT NULL AND ${within("CASE WHEN r.price_unit = 'per_cwt' THEN r.price_avg ELSE r.price_avg * r.w / 100 END", "near")})
      OR count(o.number) = 0 OR NOT ${within("r.price_avg", "quantile_cont(o.price_avg::DOUBLE, 0.5)")};
    ALTER TABLE r ADD COLUMN usable BOOLEAN;
    UPDATE r SET usable = coalesce(price_avg > 0 AND number NOT IN (FROM doubted) AND h > 0 AND (price_unit <> 'per_cwt' OR w > 0)
      AND NOT (${binned} AND weight_bin_low_lb IS NULL), false)`);
}

type StrayCandidate = OraclePen & {number: bigint; kind: string; day: number; week: number};

/** Feeders more than 0.35, as a logarithm, from the curve of their state, class and week over 21 days (`docs/design/market.md` section 2, check 4). */
async function doubtStrays(db: Database): Promise<void> {
  const rows = await db.rows<StrayCandidate>(
    `SELECT number, class AS kind, muscle_grade AS grade, avg_weight_lb::INTEGER AS lb, price_avg::DOUBLE AS price, h::INTEGER AS head, state,
      venue_id AS venue, venue_id || report_end_date AS sale, 0 AS age, date_diff('day', DATE '2000-01-01', report_end_date)::INTEGER AS day,
      ((date_diff('day', DATE '2000-01-01', report_end_date) + 6) // 7 * 7)::INTEGER AS week
    FROM r WHERE commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
      AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND report_scope = 'venue' AND report_program = 'voluntary' AND state IS NOT NULL
      AND venue_id IS NOT NULL AND usable AND avg_weight_lb IS NOT NULL AND (age BETWEEN 0 AND 28 OR age BETWEEN 364 AND 385) ORDER BY number`,
  );
  const strays = [...Map.groupBy(rows, ({state, kind, week}) => `${state} ${kind} ${week}`).values()].flatMap(
    (list) => {
      const [{state, kind, week}] = list as [StrayCandidate];
      const pens = rows
        .filter((row) => row.state === state && row.kind === kind && row.day <= week && row.day > week - 21)
        .map((row) => ({...row, age: week - row.day}));
      const solutions = new Map(["1", "1-2"].map((grade) => [grade, solveCurve(pens, grade)]));
      return list.flatMap(({number, lb, grade, price}) => {
        const {price: usual} = oracleFigure(pens, lb, {grade, ofGrade: 1}, solutions.get(grade)!);
        return usual !== null && Math.abs(Math.log(price / usual)) > 0.35 ? [number] : [];
      });
    },
  );
  if (strays.length > 0) await db.run(`UPDATE r SET usable = false WHERE number IN (${strays.join(", ")})`);
}

/** Outliers (`docs/design/market.md` section 3): z-score within (state, cell, 28 days), and a fifth of the median. */
async function flagOutliers(db: Database): Promise<void> {
  await db.run(`
    CREATE TABLE spread AS
    WITH sold AS (SELECT state, cell, price_avg FROM r
      WHERE usable AND report_scope = 'venue' AND state IS NOT NULL AND age BETWEEN 0 AND 28),
    middle AS (SELECT state, cell, quantile_cont(price_avg, 0.5)::DOUBLE AS med FROM sold GROUP BY ALL HAVING count(*) >= 7)
    SELECT state, cell, med, quantile_cont(abs(price_avg::DOUBLE - med), 0.5) AS mad
    FROM sold JOIN middle USING (state, cell) GROUP BY ALL;
    ALTER TABLE r ADD COLUMN outlier BOOLEAN DEFAULT false;
    UPDATE r SET outlier = true FROM spread AS s
    WHERE r.state = s.state AND r.cell = s.cell AND usable AND report_scope = 'venue' AND age BETWEEN 0 AND 28 AND mad > 0
      AND abs(0.6745 * (price_avg - med) / mad) > 6 AND abs(price_avg - med) > 0.2 * med`);
}

async function addPoints(db: Database, table: string, path: string, key: string): Promise<void> {
  const arrow = tableFromIPC(readFileSync(path));
  const [keys, lats, lons] = [key, "lat", "lon"].map((name) => arrow.getChild(name)!) as [
    never,
    never,
    never,
  ];
  const points = new Map<string, string>();
  for (let i = 0; i < arrow.numRows; i++) {
    const at = (column: {get(i: number): unknown}) => column.get(i);
    if (at(lats) !== null)
      points.set(String(at(keys)), `(${sqlText(String(at(keys)))}, ${at(lats)}, ${at(lons)})`);
  }
  await db.run(`CREATE TABLE ${table} (key VARCHAR, lat DOUBLE, lon DOUBLE)`);
  if (points.size > 0) await db.run(`INSERT INTO ${table} VALUES ${[...points.values()].join(", ")}`);
}

/** SQL: great-circle miles between two tables' points (`docs/design/market.md` section 4). */
export function milesSql(a: string, b: string): string {
  return `2 * 3958.7613 * asin(sqrt(pow(sin(radians(${b}.lat - ${a}.lat) / 2), 2)
    + cos(radians(${a}.lat)) * cos(radians(${b}.lat)) * pow(sin(radians(${b}.lon - ${a}.lon) / 2), 2)))`;
}
