import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";

type ConformedRow = Record<string, unknown>;

/**
 * Gives the reason that keeps an entry out of the build, as a sentence with what came and what was expected; null when it may
 * enter (`docs/design/parcels.md` section 3). `complete` says that its files are the whole of the source: only then are missing
 * rows a reason.
 */
export async function refusal(
  db: Database,
  {entry, table, complete}: {entry: ParcelSource; table: string; complete: boolean},
): Promise<string | null> {
  const reasons = [
    await bounds(db, entry, {table, complete}),
    ...(await Promise.all(entry.accept.rows.map((row) => wrongRow(db, entry, {table, complete, row})))),
  ];
  return reasons.find((reason) => reason !== null) ?? null;
}

async function bounds(
  db: Database,
  {id, accept}: ParcelSource,
  {table, complete}: {table: string; complete: boolean},
): Promise<string | null> {
  const total = await db.rows<{accepted: bigint}>(
    `SELECT count(*) FILTER (_reject IS NULL) AS accepted FROM ${sqlName(table)}`,
  );
  const accepted = Number(total[0]!.accepted);
  if (accepted === 0) return `no row of ${id} is usable.`;
  if (complete && accepted < accept.minRows)
    return `${accepted} rows of ${id}; expected at least ${accept.minRows}.`;
  return null;
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
