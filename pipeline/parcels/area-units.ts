import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {acceptAdvice} from "../results/report-counts.ts";

/** A county of a file whose declared areas are in another unit than the entry says. */
export type MistakenUnit = {
  /** Number of the file. */
  readonly file: number;
  readonly county: string;
  /** What is wrong, as a sentence with the figures and the remedy. */
  readonly reason: string;
};

/** Minimum number of declared areas with an outline before a unit is judged. */
const judgedAreas = 20;
/** Minimum number of different areas among them: equal parcels have one ratio whatever the unit. */
const judgedSizes = 10;
/** Maximum deviation from the median ratio to count as the same, as a share of the median. */
const sameRatio = 0.03;
/** Minimum share of areas with the same ratio to their outlines. */
const minSimilarity = 0.8;
/** A median closer to 1 than this can come from projections and surveying. */
const minMistake = 0.15;

/** Declared over measured acres when an area in the first unit is read as the second. */
const mistakes: readonly (readonly [ratio: number, words: string])[] = [
  [1 / 2.4710538, "hectares read as acres"],
  [2.4710538, "acres read as hectares"],
  [43_560, "square feet read as acres"],
  [1 / 43_560, "acres read as square feet"],
  [4046.8564224, "square metres read as acres"],
  [1 / 4046.8564224, "acres read as square metres"],
  [10.7639104, "square feet read as square metres"],
  [1 / 10.7639104, "square metres read as square feet"],
  [9, "square feet read as square yards"],
  [1 / 9, "square yards read as square feet"],
  [1 / 640, "square miles read as acres"],
  [100, "hundredths of the unit"],
  [1000, "thousandths of the unit"],
];

/**
 * Finds, per file of `table`, the counties whose declared areas are all the same multiple of their outlines (`docs/design/parcels.md`
 * section 5.4). Parcels that share an outline are a small part of any county, so most ratios near the median mean a wrong unit, not shares
 * of land.
 */
export async function mistakenUnits(
  db: Database,
  {
    entry,
    table,
    paths,
  }: {
    entry: Pick<ParcelSource, "id" | "area" | "coverage">;
    table: string;
    /** Path of a file, by its number. */
    paths: ReadonlyMap<number, string>;
  },
): Promise<MistakenUnit[]> {
  const rows = await db.rows<{file: number; county: string; areas: number; median: number; alike: number}>(
    `WITH ratios AS (SELECT _file AS file, county_key AS county, acres, acres / geom_acres AS ratio FROM ${sqlName(table)}
       WHERE _reject IS NULL AND acres_basis IN ('deeded', 'assessed') AND acres > 0 AND geom_acres > 0),
     medians AS (SELECT file, county, median(ratio) AS median, count(DISTINCT acres) AS sizes FROM ratios GROUP BY ALL HAVING count(*) >= ${judgedAreas} AND sizes >= ${judgedSizes})
     SELECT r.file, r.county, count(*)::INTEGER AS areas, any_value(median) AS median,
       count(*) FILTER (abs(ratio - median) <= ${sameRatio} * median)::INTEGER AS alike
     FROM ratios r JOIN medians m ON m.file = r.file AND m.county = r.county
     GROUP BY r.file, r.county HAVING abs(any_value(median) - 1) > ${minMistake} AND alike >= ${minSimilarity} * count(*)
     ORDER BY r.file, r.county`,
  );
  return rows.map(({file, county, areas, median, alike}) => ({
    file,
    county,
    reason: `${paths.get(file) ?? entry.id}, county ${county}: ${alike} of ${areas} declared areas are ${Number(median.toPrecision(4))} times those of their outlines${guessOf(median)}; expected about 1. The outlines give the acres. Correct "area" of ${entry.id} (unit ${entry.area?.unit ?? "none"}). ${acceptAdvice(entry.coverage.state, "area-unit")}`,
  }));
}

function guessOf(median: number): string {
  const guess = mistakes.find(([ratio]) => Math.abs(median / ratio - 1) <= sameRatio);
  return guess === undefined ? "" : ` (${guess[1]})`;
}

/** Creates a view of `table` without the declared areas in mistaken units and returns its name; without any, the table itself. */
export async function withoutMistakenAreas(
  db: Database,
  table: string,
  mistaken: readonly MistakenUnit[],
): Promise<string> {
  if (mistaken.length === 0) return table;
  const counties = mistaken.map(({file, county}) => `(_file = ${file} AND county_key = ${sqlText(county)})`);
  const declared = `acres_basis IN ('deeded', 'assessed') AND (${counties.join(" OR ")})`;
  const instead = (own: string, measured: string) =>
    `CASE WHEN ${declared} THEN ${measured} ELSE ${own} END AS ${own}`;
  const flags =
    "list_sort(list_distinct(list_append(list_filter(flags, lambda each: each <> 'area_mismatch'), 'area_unit_unknown')))";
  const view = `${table}_areas`;
  await db.run(
    `CREATE VIEW ${sqlName(view)} AS SELECT * REPLACE (
       ${instead("acres", "round(geom_acres, 4)")}, ${instead("land_area_sqft", "round(geom_acres * 43560.0)")},
       ${instead("acres_basis", "CASE WHEN geom_acres IS NOT NULL THEN 'computed' END")},
       ${instead("_area_from_outline", "geom_acres IS NOT NULL")}, ${instead("flags", flags)})
     FROM ${sqlName(table)}`,
  );
  return view;
}
