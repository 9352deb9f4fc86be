import {type AnyModel, model} from "../../lib/models/model.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {acceptAdvice} from "../results/report-counts.ts";

/** Rows refused by the limits of their source: all rows of a file, or those of one county in it. */
export type RefusedRows = {
  /** Number of the file. */
  readonly file: number;
  /** The county's key; null for the whole file. */
  readonly county: string | null;
  readonly reason: string;
};

/** Minimum number of rows before shares are judged: one bad row in a handful proves nothing. Rows that are no parcels do not count. */
const judgedRows = 1000;
/** Minimum number of points before a share is judged; fewer only if all of them are misplaced. */
const judgedPoints = 20;
const minShareInCounty = 0.95;
/** A smaller share of misplaced points also refuses a file, from this many points on; a row or two are only flagged. */
const strictShareOutside = 0.01;
const strictPointsOutside = 10;

type Judged = {
  readonly entry: Pick<ParcelSource, "id" | "coverage" | "accept">;
  readonly table: string;
  /** Path of a file, by its number. */
  readonly paths: ReadonlyMap<number, string>;
  /** Gates of the state that a person has accepted. */
  readonly accepted: readonly string[];
};

type Counts = {
  readonly file: number;
  readonly county: string | null;
  readonly rows: number;
  readonly rejected: number;
  readonly points: number;
  readonly outside: number;
  readonly swapped: number;
  /** Points that would lie in their county if they were metres of web Mercator. */
  readonly mercator: number;
};

/**
 * Returns the rows of `table` to refuse because too many of their points lie outside their county or too many were rejected
 * (`docs/design/reliability.md` section 2.3). Counties within a file are judged before the file, so that a wrong county does not take its
 * neighbours with it, nor a wrong file the files beside it.
 */
export async function refusedRows(db: Database, judged: Judged): Promise<RefusedRows[]> {
  const counts = await db.rows<Counts>(
    `SELECT _file AS file, county_key AS county,
       count(*) FILTER (_reject IS DISTINCT FROM 'non_parcel')::DOUBLE AS rows,
       count(*) FILTER (_reject <> 'non_parcel')::DOUBLE AS rejected,
       count(*) FILTER (lon IS NOT NULL OR list_contains(flags, 'point_outside'))::DOUBLE AS points,
       count(*) FILTER (list_contains(flags, 'point_outside'))::DOUBLE AS outside,
       count(*) FILTER (_cure = 'swapped')::DOUBLE AS swapped,
       count(*) FILTER (_cure = 'EPSG:3857')::DOUBLE AS mercator
     FROM ${sqlName(judged.table)} GROUP BY ALL ORDER BY file, county NULLS LAST`,
  );
  const files = Map.groupBy(counts, ({file}) => file);
  return [...files.values()].flatMap((counties) => refusedOfFile(counties, judged));
}

/** The view of a model in which refused rows are rejected; without any, the model itself. */
export function withoutRefused(table: AnyModel, refused: readonly RefusedRows[]): AnyModel {
  if (refused.length === 0) return table;
  const cases = refused.map(({file, county}) =>
    county === null
      ? `WHEN _file = ${file} THEN 'file_refused'`
      : `WHEN _file = ${file} AND county_key = ${sqlText(county)} THEN 'county_refused'`,
  );
  return model({
    name: `${table.name}_kept`,
    reads: [table],
    columns: table.columns,
    materialise: "view",
    sql: () =>
      `SELECT * REPLACE (coalesce(_reject, CASE ${cases.join(" ")} END) AS _reject) FROM ${table.name}`,
  });
}

function refusedOfFile(counties: readonly Counts[], judged: Judged): RefusedRows[] {
  const {file} = counties[0]!;
  const wholeFile = (counts: Counts): RefusedRows[] => {
    const reason = faultOf(counts, judged);
    return reason === null ? [] : [{file, county: null, reason}];
  };
  const named = counties.filter(({county}) => county !== null);
  if (named.length < 2) return wholeFile(summed(counties));
  const wrong = named.flatMap((counts) => {
    const reason = faultOf(counts, judged);
    return reason === null ? [] : [{file, county: counts.county, reason}];
  });
  if (wrong.length === named.length) return [{file, county: null, reason: wrong[0]!.reason}];
  const left = counties.filter(({county}) => !wrong.some((each) => each.county === county));
  const rest = wholeFile(summed(left));
  return rest.length > 0 ? rest : wrong;
}

function summed(counties: readonly Counts[]): Counts {
  const sum = (count: (counts: Counts) => number) => counties.reduce((total, each) => total + count(each), 0);
  const named = counties.filter(({county}) => county !== null);
  return {
    file: counties[0]!.file,
    county: named.length === 1 ? named[0]!.county : null,
    rows: sum(({rows}) => rows),
    rejected: sum(({rejected}) => rejected),
    points: sum(({points}) => points),
    outside: sum(({outside}) => outside),
    swapped: sum(({swapped}) => swapped),
    mercator: sum(({mercator}) => mercator),
  };
}

/** Returns what is wrong with the rows of a file, as a sentence with the figure, the limit and the remedy; null if nothing is. */
function faultOf(counts: Counts, {entry, paths, accepted}: Judged): string | null {
  const {file, county, rows, rejected, points, outside} = counts;
  const {state} = entry.coverage;
  const place = `${paths.get(file) ?? entry.id}${county === null ? "" : `, county ${county}`}`;
  if (isMisplaced(points, outside) && !accepted.includes("outside-county")) {
    const isFew = outside <= (1 - minShareInCounty) * points;
    const expected = isFew ? `99 % where ${strictPointsOutside} or more do not` : "95 %";
    return `crs_mismatch: ${outside} of ${points} points of ${place} do not lie in their county (box grown by 0.05 degree); expected of ${entry.id} at least ${expected}.${cureOf(counts, entry.id)} ${acceptAdvice(state, "outside-county")}`;
  }
  const {maxRejectShare} = entry.accept;
  if (rows >= judgedRows && rejected > maxRejectShare * rows && !accepted.includes("rejected-rows"))
    return `${place}: ${rejected} of ${rows} rows rejected; expected at most ${maxRejectShare * 100} % of ${entry.id}. ${acceptAdvice(state, "rejected-rows")}`;
  return null;
}

/** The sentence on what would bring most points into their county; empty where nothing is known to. */
function cureOf({points, swapped, mercator}: Counts, id: string): string {
  if (swapped > points / 2)
    return ` With latitude and longitude swapped they do: correct the "crs" or the axis order of ${id}.`;
  return mercator >= minShareInCounty * points
    ? ` As metres of web Mercator they do: write "crs": "EPSG:3857" into the entry ${id}.`
    : "";
}

function isMisplaced(points: number, outside: number): boolean {
  if (points === 0) return false;
  if (outside === points) return true;
  if (points >= judgedPoints && outside > (1 - minShareInCounty) * points) return true;
  return outside >= strictPointsOutside && outside > strictShareOutside * points;
}
