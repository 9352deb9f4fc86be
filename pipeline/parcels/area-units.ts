import {type AnyModel, model} from "../../lib/models/model.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {acceptAdvice} from "../results/report-counts.ts";

/** A county of a file whose declared areas are not those of the outlines. */
export type OddScale = {
  /** Number of the file. */
  readonly file: number;
  readonly county: string;
  /** What is wrong, as a sentence with the figures and the remedy; null where the areas are doubted and served all the same. */
  readonly reason: string | null;
};

/** The median of a county's declared over measured acres in a file. */
export type ScaleRow = {
  readonly file: number;
  readonly county: string;
  readonly areas: number;
  readonly median: number;
};

/** Minimum number of declared areas with an outline before their scale is judged. */
const judgedAreas = 20;
/** Medians of declared over measured acres that projections and surveying explain, and those that are served with a flag. */
const fine = [0.8, 1.25] as const;
const doubtful = [0.5, 2] as const;
/** SQL: true where `areas` and their `median` are judged, and are not fine. */
export const isOdd = `areas >= ${judgedAreas} AND median NOT BETWEEN ${fine.join(" AND ")}`;
/** A unit is named where its factor is this near to the median, as a share of it. */
const sameRatio = 0.05;

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
 * Finds, per file of `table`, the counties whose declared areas are another multiple of their outlines than about one, by the median
 * (`docs/design/parcels.md` section 5.4). Parcels that share an outline do not count: each may declare its share.
 */
export async function oddScales(
  db: Database,
  {
    entry,
    table,
    paths,
  }: {
    entry: ParcelSource;
    table: string;
    /** Path of a file, by its number. */
    paths: ReadonlyMap<number, string>;
  },
): Promise<OddScale[]> {
  const rows = await db.rows<ScaleRow>(
    `SELECT _file AS file, county_key AS county, count(*)::INTEGER AS areas, median(acres / geom_acres) AS median FROM (
       SELECT _file, county_key, acres, geom_acres, count(*) OVER (PARTITION BY _file, county_key, geom_acres, lon, lat) AS sharing
       FROM ${sqlName(table)} WHERE _reject IS NULL AND acres_basis IN ('deeded', 'assessed') AND acres > 0 AND geom_acres > 0)
     WHERE sharing = 1 GROUP BY ALL HAVING ${isOdd}
     ORDER BY file, county`,
  );
  return rows.map((row) => oddScale(row, {entry, path: paths.get(row.file), state: entry.coverage.state}));
}

/** The judgement of areas that are odd by their median. */
export function oddScale(
  {file, county, areas, median}: ScaleRow,
  {
    entry,
    path = entry.id,
    state,
  }: {
    entry: Pick<ParcelSource, "id"> & {readonly area?: ParcelSource["area"]};
    path?: string | undefined;
    state: string;
  },
): OddScale {
  if (median >= doubtful[0] && median <= doubtful[1]) return {file, county, reason: null};
  const times = `${areas} declared areas are ${Number(median.toPrecision(4))} times those of their outlines (median)`;
  return {
    file,
    county,
    reason: `${path}, county ${county}: ${times}${guessOf(median)}; expected about 1. The outlines give the acres. Correct "area" of ${entry.id} (unit ${entry.area?.unit ?? "none"}). ${acceptAdvice(state, "area-unit")}`,
  };
}

function guessOf(median: number): string {
  const guess = mistakes.find(([ratio]) => Math.abs(median / ratio - 1) <= sameRatio);
  return guess === undefined ? "" : ` (${guess[1]})`;
}

/** The view of a model whose declared areas of an odd scale are flagged, and left out where the scale is held; without any, the model itself. */
export function withJudgedAreas(table: AnyModel, scales: readonly OddScale[]): AnyModel {
  if (scales.length === 0) return table;
  const isDeclaredIn = (some: readonly OddScale[]) => {
    const counties = some.map(({file, county}) => `(_file = ${file} AND county_key = ${sqlText(county)})`);
    return counties.length === 0
      ? "false"
      : `acres_basis IN ('deeded', 'assessed') AND (${counties.join(" OR ")})`;
  };
  const [odd, held] = [isDeclaredIn(scales), isDeclaredIn(scales.filter(({reason}) => reason !== null))];
  const instead = (own: string, measured: string) =>
    `CASE WHEN ${held} THEN ${measured} ELSE ${own} END AS ${own}`;
  const others = `list_filter(flags, lambda each: each <> 'area_mismatch' OR NOT coalesce(${held}, false))`;
  return model({
    name: `${table.name}_areas`,
    reads: [table],
    columns: table.columns,
    materialise: "view",
    sql: () => `SELECT * REPLACE (
       ${instead("acres", "round(geom_acres, 4)")}, ${instead("land_area_sqft", "round(geom_acres * 43560.0)")},
       ${instead("acres_basis", "CASE WHEN geom_acres IS NOT NULL THEN 'computed' END")},
       ${instead("_area_from_outline", "geom_acres IS NOT NULL")},
       CASE WHEN ${odd} THEN list_sort(list_distinct(list_append(${others}, 'area_scale'))) ELSE flags END AS flags)
     FROM ${table.name}`,
  });
}
