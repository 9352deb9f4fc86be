import {addDays, ageDays} from "../../../lib/dates.ts";
import {latestOf} from "../../../lib/market/evidence.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Barn} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {earlierSql} from "./drafts.ts";
import {inSeason} from "./next-sale.ts";

export type StatusFound = {status: Barn["status"]; reason: Barn["status_reason"]; since: string | null};

/** A sale within so many days makes a venue active; a schedule counts while it was verified within so many. */
const activeSaleDays = 60;
const verifiedScheduleDays = 180;
const silentDays = 180;

/**
 * Status of a venue, decided in the order of `docs/design/market.md` section 9. `since` is known only where a dated
 * statement says it. Silence never closes a barn: reporters are withdrawn for budget reasons.
 */
export function statusOf(
  venue: Pick<Venue, "statements" | "schedule">,
  lastSale: string | null,
  asOf: string,
): StatusFound {
  const latest = (of: Venue["statements"][number]["status"]) =>
    latestOf(venue.statements.filter(({status}) => status === of).map(({date}) => date));
  const [closed, open, failed] = [latest("closed"), latest("open"), latest("failed_verification")];
  if (closed !== null && (open === null || closed >= open))
    return {status: "closed", reason: "statement", since: closed};
  if (isOffSeason(venue, lastSale, asOf)) return {status: "seasonal", reason: "off_season", since: null};
  if (lastSale !== null && ageDays(lastSale, asOf) <= activeSaleDays) {
    return {status: "active", reason: "reported_sale", since: null};
  }
  const verified = venue.schedule?.verifiedAt ?? null;
  if (verified !== null && ageDays(verified, asOf) <= verifiedScheduleDays) {
    return {status: "active", reason: "verified_schedule", since: null};
  }
  if (lastSale !== null && ageDays(lastSale, asOf) > silentDays && failed !== null && failed > lastSale) {
    return {status: "inactive", reason: "failed_verification", since: failed};
  }
  return {status: "unverified", reason: "no_evidence", since: null};
}

/** True when every rule has a season, no season holds the date, and the last sale was within a year. */
function isOffSeason(venue: Pick<Venue, "schedule">, lastSale: string | null, asOf: string): boolean {
  const rules = venue.schedule?.rules ?? [];
  if (rules.length === 0 || rules.some((rule) => inSeason(rule.season, asOf))) return false;
  return lastSale !== null && lastSale >= addDays(asOf, -365);
}

/**
 * A venue as it was known on a day: statements that were made later are left out, and a schedule that was checked
 * later counts as not checked. Name, place and lineage stay: they say where the venue is, not when that was found out.
 */
export function venueAsOf(venue: Venue, asOf: string): Venue {
  const statements = venue.statements.filter(({date}) => date <= asOf);
  const {schedule} = venue;
  if (schedule?.verifiedAt == null || schedule.verifiedAt <= asOf) return {...venue, statements};
  return {...venue, statements, schedule: {...schedule, verifiedAt: null, verifiedBy: null}};
}

/** The latest of some instants or dates that is not after the end of a day; null when all are later or unknown. */
export function latestUntil(moments: readonly (string | null)[], day: string): string | null {
  return latestOf(moments.filter((moment) => moment !== null && moment.slice(0, 10) <= day));
}

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
