import {addDays, ageDays} from "../../../lib/dates.ts";
import {latestOf} from "../../../lib/market/evidence.ts";
import type {Barn} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {inSeason} from "./next-sale.ts";

export type StatusFound = {status: Barn["status"]; reason: Barn["status_reason"]; since: string | null};

/** Maximum days since a sale for `active`, and since verification of a schedule. */
const activeSaleDays = 60;
const verifiedScheduleDays = 180;
const silentDays = 180;

/**
 * Status of a venue by its last sale days, newest first, decided in the order of `docs/design/market.md` section 9. `since` is
 * known only from a dated statement.
 * Silence never closes a barn: agencies withdraw reporters for budget reasons.
 */
export function statusOf(
  venue: Pick<Venue, "statements" | "schedule">,
  lastSales: readonly string[],
  asOf: string,
): StatusFound {
  const lastSale = lastSales[0] ?? null;
  const latest = (of: Venue["statements"][number]["status"]) =>
    latestOf(venue.statements.filter(({status}) => status === of).map(({date}) => date));
  const [closed, open, failed] = [latest("closed"), latest("open"), latest("failed_verification")];
  if (closed !== null && (open === null || closed >= open))
    return {status: "closed", reason: "statement", since: closed};
  if (isOffSeason(venue, lastSales, asOf)) return {status: "seasonal", reason: "off_season", since: null};
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

/** True if every rule has a season, none includes the date, and one of the last sales was in the last season. */
function isOffSeason(venue: Pick<Venue, "schedule">, lastSales: readonly string[], asOf: string): boolean {
  const rules = venue.schedule?.rules ?? [];
  if (rules.length === 0 || rules.some((rule) => inSeason(rule.season, asOf))) return false;
  const lastYear = lastSales.filter((day) => day >= addDays(asOf, -365));
  return lastYear.some((day) => rules.some((rule) => inSeason(rule.season, day)));
}

/**
 * A venue as known on a date: later statements are dropped, and a schedule verified later counts as unverified. Name, place and
 * lineage stay, because they hold regardless of when they were learned.
 */
export function venueAsOf(venue: Venue, asOf: string): Venue {
  const statements = venue.statements.filter(({date}) => date <= asOf);
  const {schedule} = venue;
  if (schedule?.verifiedAt == null || schedule.verifiedAt <= asOf) return {...venue, statements};
  return {...venue, statements, schedule: {...schedule, verifiedAt: null, verifiedBy: null}};
}

/** The latest moment that is not after the end of `day`; null if all are later or unknown. */
export function latestUntil(moments: readonly (string | null)[], day: string): string | null {
  return latestOf(moments.filter((moment) => moment !== null && moment.slice(0, 10) <= day));
}
