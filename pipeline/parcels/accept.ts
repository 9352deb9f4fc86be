import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";

/** Least number of rows from which shares are judged: one bad row of a handful proves nothing. Rows that are not parcels do not count. */
const judgedRows = 1000;
/** Least number of points that are judged; fewer are judged only if all of them are out of place. */
const judgedPoints = 20;
const leastShareInCounty = 0.95;

type ConformedRow = Record<string, unknown>;

/**
 * Gives the reason that keeps an entry out of the build, as a sentence with what came and what was expected; null when it may
 * enter (`docs/design/parcels.md` sections 3 and 4). `complete` says that its files are the whole of the source: only then are
 * missing rows a reason.
 */
export async function refusal(
  db: Database,
  {entry, table, complete}: {entry: ParcelSource; table: string; complete: boolean},
): Promise<string | null> {
  const reasons = [
    await misplaced(db, entry, table),
    await bounds(db, entry, {table, complete}),
    ...(await Promise.all(entry.accept.rows.map((row) => wrongRow(db, entry, {table, complete, row})))),
  ];
  return reasons.find((reason) => reason !== null) ?? null;
}

async function misplaced(db: Database, entry: ParcelSource, table: string): Promise<string | null> {
  const files = await db.rows<{points: bigint; outside: bigint; swapped: bigint}>(
    `SELECT count(*) FILTER (lon IS NOT NULL OR list_contains(flags, 'point_outside')) AS points,
       count(*) FILTER (list_contains(flags, 'point_outside')) AS outside, count(*) FILTER (_swapped) AS swapped
     FROM ${sqlName(table)} GROUP BY _file ORDER BY _file`,
  );
  for (const {points, outside, swapped} of files) {
    const [all, out] = [Number(points), Number(outside)];
    const judged = all >= judgedPoints || (all > 0 && out === all);
    if (!judged || out <= (1 - leastShareInCounty) * all) continue;
    const hint =
      Number(swapped) > all / 2
        ? ' With latitude and longitude swapped they do: correct the source\'s "crs" or axis order.'
        : "";
    return `crs_mismatch: ${out} of ${all} points do not lie in their county (box grown by 0.05 degree); expected at least 95 % of ${entry.id}.${hint}`;
  }
  return null;
}

async function bounds(
  db: Database,
  {id, accept}: ParcelSource,
  {table, complete}: {table: string; complete: boolean},
): Promise<string | null> {
  const counts = await db.rows<{county: string | null; all_rows: bigint; rejected: bigint}>(
    `SELECT county_key AS county, count(*) AS all_rows, count(_reject) AS rejected FROM ${sqlName(table)}
     WHERE _reject IS DISTINCT FROM 'non_parcel' GROUP BY ROLLUP (county_key) ORDER BY county NULLS FIRST`,
  );
  const total = await db.rows<{accepted: bigint}>(
    `SELECT count(*) FILTER (_reject IS NULL) AS accepted FROM ${sqlName(table)}`,
  );
  const accepted = Number(total[0]!.accepted);
  if (accepted === 0) return `no row of ${id} is usable.`;
  if (complete && accepted < accept.minRows)
    return `${accepted} rows of ${id}; expected at least ${accept.minRows}.`;
  const bad = counts.find(
    ({all_rows, rejected}) =>
      Number(all_rows) >= judgedRows && Number(rejected) > accept.maxRejectShare * Number(all_rows),
  );
  if (bad === undefined) return null;
  const place = bad.county === null ? id : `${id}, county ${bad.county}`;
  return `${place}: ${bad.rejected} of ${bad.all_rows} rows rejected; expected at most ${accept.maxRejectShare * 100} %.`;
}

type AcceptRow = ParcelSource["accept"]["rows"][number];

async function wrongRow(
  db: Database,
  entry: ParcelSource,
  {table, complete, row}: {table: string; complete: boolean; row: AcceptRow},
): Promise<string | null> {
  const found = await db.rows<ConformedRow>(
    `SELECT * EXCLUDE (_wkb) FROM ${sqlName(table)} WHERE _reject IS NULL AND (parcel_id = $id OR parcel_uid LIKE '%-' || $id) ORDER BY _file, _row`,
    {id: row.parcelId},
  );
  if (found.length === 0)
    return complete
      ? `parcel ${row.parcelId} of "accept" is not there; expected in a complete pull of ${entry.id}.`
      : null;
  const faults = found.map((candidate) => differences(candidate, row.expect));
  return faults.some((fault) => fault === null) ? null : `parcel ${row.parcelId} of "accept": ${faults[0]}.`;
}

/** Gives the first difference of a row, or null. The published value of an owner is never shown. */
function differences(row: ConformedRow, expect: Record<string, unknown>): string | null {
  for (const [column, expected] of Object.entries(expect)) {
    if (!(column in row)) return `"${column}" is not a column of the parcel row`;
    if (!same(row[column], expected))
      return `${column}: came ${shown(column, row[column])}, expected ${JSON.stringify(expected)}`;
  }
  return null;
}

function same(value: unknown, expected: unknown): boolean {
  if (typeof expected === "number" && value !== null && value !== undefined)
    return Math.abs(Number(value) - expected) < 1e-9;
  return JSON.stringify(value ?? null) === JSON.stringify(expected ?? null);
}

function shown(column: string, value: unknown): string {
  return /^(owner|mail)_/.test(column)
    ? "another value"
    : JSON.stringify(typeof value === "bigint" ? Number(value) : (value ?? null));
}
