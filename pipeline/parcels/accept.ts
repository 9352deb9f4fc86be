import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";

/** The limits of `docs/design/fetching.md` section 5, in the order of its rules. */
export const firstPull = {
  /** Minimum number of rows, areas or codes before anything is judged: a handful proves nothing. */
  judgedRows: 1000,
  /** Minimum share of rows with a parcel number of their own. A parcel may have several rows, but a wrong column repeats itself more. */
  minDistinct: 0.5,
  /** Minimum share of rows with a location, for a layer with outlines. */
  minPlacedShare: 0.5,
  /** Stated areas, in the unit of the entry, should be close to those of the outlines. */
  minAreaRatio: 0.5,
  maxAreaRatio: 2,
  /** Minimum share of printed codes that the entry's code systems know. */
  minKnownCodes: 0.5,
} as const;

type Figures = {
  rows: number;
  ids: number;
  points: number;
  areas: number;
  ratio: number | null;
  codes: number;
  known: number;
};

type ConformedRow = Record<string, unknown>;

/**
 * Returns why an entry must stay out of the build, as a sentence with what came and what was expected; null if it may enter
 * (`docs/design/parcels.md` section 3). `complete`: its files are the whole source; only then do missing rows count against it.
 */
export async function refusal(
  db: Database,
  {entry, table, complete}: {entry: ParcelSource; table: string; complete: boolean},
): Promise<string | null> {
  const reasons = [
    await bounds(db, entry, {table, complete}),
    await implausible(db, {entry, table}),
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

/** Returns the first difference of a row, or null. An owner's published value is never shown. */
function differences(row: ConformedRow, expect: Record<string, unknown>): string | null {
  for (const [column, expected] of Object.entries(expect)) {
    if (!(column in row)) return `"${column}" is not a column of the parcel row`;
    if (!same(row[column], expected))
      return `${column}: expected ${JSON.stringify(expected)}, got ${valueText(column, row[column])}`;
  }
  return null;
}

function same(value: unknown, expected: unknown): boolean {
  if (typeof expected === "number" && value !== null && value !== undefined)
    return Math.abs(Number(value) - expected) < 1e-9;
  return JSON.stringify(value ?? null) === JSON.stringify(expected ?? null);
}

function valueText(column: string, value: unknown): string {
  return /^(owner|mail)_/.test(column)
    ? "another value"
    : JSON.stringify(typeof value === "bigint" ? Number(value) : (value ?? null));
}

/**
 * Returns why the rows of an unverified source cannot match its entry, as a sentence with what came and what was expected: repeated
 * numbers, rows without a location, areas that contradict the outlines, or codes that no table knows. Null if they are plausible, if the
 * entry was checked against real rows, or if there are few rows (`docs/design/fetching.md` section 5).
 */
export async function implausible(
  db: Database,
  {entry, table}: {entry: ParcelSource; table: string},
): Promise<string | null> {
  if (entry.verified !== false || entry.accept.rows.length > 0) return null;
  const [figures] = await db.rows<Figures>(
    `SELECT count(*)::INTEGER AS rows, count(DISTINCT parcel_uid)::INTEGER AS ids, count(lon)::INTEGER AS points,
       count(*) FILTER (acres > 0 AND geom_acres > 0 AND acres_basis IS DISTINCT FROM 'computed')::INTEGER AS areas,
       median(acres / geom_acres) FILTER (acres > 0 AND geom_acres > 0 AND acres_basis IS DISTINCT FROM 'computed') AS ratio,
       count(use_code)::INTEGER AS codes, count(land_use_category) FILTER (use_code IS NOT NULL)::INTEGER AS known
     FROM ${sqlName(table)} WHERE _reject IS NULL`,
  );
  return figures === undefined || figures.rows < firstPull.judgedRows ? null : firstFault(entry, figures);
}

function firstFault({id, area, use}: ParcelSource, figures: Figures): string | null {
  const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`;
  const {judgedRows, minDistinct, minPlacedShare, minAreaRatio, maxAreaRatio, minKnownCodes} = firstPull;
  if (figures.ids < minDistinct * figures.rows)
    return `implausible: ${figures.ids} different parcel numbers in ${figures.rows} rows of ${id}; expected nearly as many as rows. Correct "ids.raw".`;
  if (figures.points < minPlacedShare * figures.rows)
    return `implausible: ${percent(figures.points, figures.rows)} of the rows of ${id} have a point; expected at least ${minPlacedShare * 100} %.`;
  const {ratio} = figures;
  if (figures.areas >= judgedRows && ratio !== null && (ratio < minAreaRatio || ratio > maxAreaRatio))
    return `implausible: stated areas of ${id} are ${ratio.toFixed(2)} times those of the outlines; expected about 1. Correct "area.unit" (${area?.unit}).`;
  if (
    (use?.systems.length ?? 0) > 0 &&
    figures.codes >= judgedRows &&
    figures.known < minKnownCodes * figures.codes
  )
    return `implausible: ${percent(figures.known, figures.codes)} of the use codes of ${id} are known to ${use?.systems.join(", ")}; expected at least ${minKnownCodes * 100} %. Correct "use".`;
  return null;
}
