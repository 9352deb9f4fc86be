import {addDays, ageDays} from "../../../lib/dates.ts";
import type {Barn} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/venue.ts";
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
  const closed = closingStatement(venue);
  if (closed !== null) return {status: "closed", reason: "statement", since: closed};
  if (isOffSeason(venue, lastSale, asOf)) return {status: "seasonal", reason: "off_season", since: null};
  if (lastSale !== null && ageDays(lastSale, asOf) <= activeSaleDays) {
    return {status: "active", reason: "reported_sale", since: null};
  }
  const verified = venue.schedule?.verifiedAt ?? null;
  if (verified !== null && ageDays(verified, asOf) <= verifiedScheduleDays) {
    return {status: "active", reason: "verified_schedule", since: null};
  }
  const failed = latestDate(venue, "failed_verification");
  if (lastSale !== null && ageDays(lastSale, asOf) > silentDays && failed !== null && failed > lastSale) {
    return {status: "inactive", reason: "failed_verification", since: failed};
  }
  return {status: "unverified", reason: "no_evidence", since: null};
}

function closingStatement(venue: Pick<Venue, "statements">): string | null {
  const closed = latestDate(venue, "closed");
  const open = latestDate(venue, "open");
  return closed !== null && (open === null || closed >= open) ? closed : null;
}

function latestDate(
  venue: Pick<Venue, "statements">,
  status: Venue["statements"][number]["status"],
): string | null {
  const dates = venue.statements.filter((statement) => statement.status === status).map(({date}) => date);
  return dates.sort().at(-1) ?? null;
}

/** True when every rule has a season, no season holds the date, and the last sale was within a year. */
function isOffSeason(venue: Pick<Venue, "schedule">, lastSale: string | null, asOf: string): boolean {
  const rules = venue.schedule?.rules ?? [];
  if (rules.length === 0 || rules.some((rule) => inSeason(rule.season, asOf))) return false;
  return lastSale !== null && lastSale >= addDays(asOf, -365);
}
