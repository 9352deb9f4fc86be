import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Barn} from "../../../schemas/market-records.ts";
import {earlierSql} from "./drafts.ts";

/** A status of a venue and its first day; null where no build saw it begin. */
export type StatusPeriod = {
  venue_id: string;
  from_date: string | null;
  status: string;
  status_reason: string;
};

/** The status history of the build before, by venue, oldest first; empty without a previous build. */
export async function readStatusHistory(
  db: Database,
  previousDir: string | null,
): Promise<Map<string, StatusPeriod[]>> {
  const rows = await db.rows<StatusPeriod>(
    `FROM (${earlierSql("venue_status_history", previousDir)}) ORDER BY venue_id, from_date NULLS FIRST`,
  );
  return Map.groupBy(rows, ({venue_id}) => venue_id);
}

/**
 * The history of a venue carried on: a status that differs from the last known one is a further period, from the day its
 * own statement names, else from the day of the build that saw it. A day that the history holds already, or an earlier
 * one, is not written again: the words of an earlier build stay.
 */
export function carriedOn(earlier: readonly StatusPeriod[], now: StatusPeriod, asOf: string): StatusPeriod[] {
  const last = earlier.at(-1);
  if (last === undefined) return [now];
  if (last.status === now.status) return [...earlier];
  const from = now.from_date !== null && now.from_date > (last.from_date ?? "") ? now.from_date : asOf;
  return [...earlier, {...now, from_date: from}];
}

/** The histories of the venues of this build, and of venues that only the build before knew. */
export function statusHistory(
  barns: readonly Barn[],
  earlier: ReadonlyMap<string, readonly StatusPeriod[]>,
  asOf: string,
): StatusPeriod[] {
  const known = new Set(barns.map(({venue_id}) => venue_id));
  const gone = [...earlier].flatMap(([id, periods]) => (known.has(id) ? [] : periods));
  const here = barns.flatMap(({venue_id, status, status_reason, status_since: from_date}) =>
    carriedOn(earlier.get(venue_id) ?? [], {venue_id, from_date, status, status_reason}, asOf),
  );
  return [...gone, ...here];
}
