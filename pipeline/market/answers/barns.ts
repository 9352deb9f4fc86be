import {stateOf} from "../../../lib/geography/states.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import type {BarnSchedule} from "../../../schemas/market-fields/venue.ts";
import type {Barn, DirectoryRow} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {timeZoneOf} from "../calendar/time-zones.ts";
import type {BarnFigures} from "./barn-figures.ts";
import {changeStatusOf, valueHashOf} from "./change-status.ts";
import {sorted} from "./evidence.ts";
import {nextSale} from "./next-sale.ts";
import type {Earlier, EarlierBarn} from "./previous.ts";
import {scheduleOfSales} from "./sales-schedule.ts";
import {latestUntil} from "./venue-as-of.ts";
import {type ListedContradictions, venueContradictions} from "./venue-contradictions.ts";
import {factsOf} from "./venue-facts.ts";
import {type StatusFound, statusOf} from "./venue-status.ts";

type BarnInputs = {asOf: string; earlier: Earlier<EarlierBarn>; listed: ListedContradictions};

/** A venue's two records, with what their evidence is made from. */
export type BarnMade = {
  venue: Venue;
  figures: BarnFigures | undefined;
  directory: DirectoryRow;
  barn: Barn;
  status: StatusFound;
  contradictions: Contradiction[] | null;
  recordKey: string;
  valueHash: string;
};

/** The directory row and the registry record of one venue. */
export function makeBarn(known: Venue, figures: BarnFigures | undefined, inputs: BarnInputs): BarnMade {
  // The status rests on what was published: a sale day that we inferred verifies nothing.
  const status = statusOf(known, figures?.last_sale ?? null, inputs.asOf);
  const venue = {
    ...known,
    schedule: known.schedule ?? scheduleOfSales(figures?.last_sales ?? [], inputs.asOf),
  };
  const directory = directoryMembers(venue, figures, status, inputs.asOf);
  const barn = barnMembers(venue, figures, inputs.asOf);
  const valueHash = valueHashOf(lastingValues(directory, barn));
  const earlier = inputs.earlier.get(venue.venueId);
  const change = changeStatusOf(earlier, valueHash, null);
  const since = sinceWhen(status, earlier, inputs);
  const shared = {...directory, change_status: change.status};
  return {
    venue,
    figures,
    status,
    contradictions: venueContradictions(venue, figures, inputs.listed),
    directory: {...shared, evidence_id: `bd-${venue.venueId}`},
    barn: {
      ...shared,
      ...barn,
      status_reason: status.reason,
      status_since: since,
      parcel_context: null,
      evidence_id: `bn-${venue.venueId}`,
    },
    recordKey: venue.venueId,
    valueHash,
  };
}

/**
 * The instant at which a venue's facts were last checked: its latest dated fact, or the latest re-read of its reports.
 * Checks after `asOf` were not known then and do not count.
 */
export function lastChecked(venue: Venue, figures: BarnFigures | undefined, asOf: string): string | null {
  const dates = [...venue.facts.map(({date}) => date), venue.schedule?.verifiedAt ?? null];
  const instants = dates.map((date) => (date === null ? null : `${date}T00:00:00Z`));
  return latestUntil([...instants, figures?.last_verified_at ?? null], asOf);
}

function directoryMembers(venue: Venue, figures: BarnFigures | undefined, status: StatusFound, asOf: string) {
  const {countyFips, countyName} = factsOf(venue);
  const rules = venue.schedule?.rules.filter((rule) => rule.kind === "regular") ?? [];
  return {
    venue_id: venue.venueId,
    venue_name: venue.name,
    aliases: venue.aliases,
    venue_type: venue.venueType,
    street_address: venue.streetAddress,
    city: venue.city,
    state: venue.state,
    zip: venue.zip,
    county_fips: countyFips,
    county_name: countyName,
    phone: venue.phone,
    website: venue.website,
    sale_days: sorted(rules.flatMap((rule) => rule.weekday ?? [])),
    sale_time_local: rules.find((rule) => rule.start_time_local !== null)?.start_time_local ?? null,
    timezone: zoneOf(venue, countyFips),
    schedule_text: venue.schedule?.text ?? null,
    next_sale_date: venue.schedule === null ? null : nextSale(venue.schedule, asOf).date,
    reported_by: reporterOf(venue, figures),
    last_verified_at: lastChecked(venue, figures, asOf),
    status: status.status,
  };
}

function barnMembers(venue: Venue, figures: BarnFigures | undefined, asOf: string) {
  const facts = factsOf(venue);
  return {
    lat: venue.lat === null ? null : roundHalfAway(venue.lat, 5),
    lon: venue.lon === null ? null : roundHalfAway(venue.lon, 5),
    location_basis: venue.locationBasis,
    location_accuracy_m: venue.locationAccuracyM,
    county_vintage: facts.countyVintage,
    schedule: scheduleOf(venue, asOf),
    first_reported_sale_date: figures?.first_sale ?? null,
    last_reported_sale_date: figures?.last_sale ?? null,
    reports_last_365_days: figures?.reports_365 ?? 0,
    median_receipts_last_12_sales: figures?.median_receipts ?? null,
    classes_reported: figures?.classes ?? [],
    report_slugs: sorted([...venue.reportSlugs, ...(figures?.slugs ?? [])]),
  };
}

function scheduleOf(venue: Venue, asOf: string): BarnSchedule | null {
  if (venue.schedule === null) return null;
  const next = nextSale(venue.schedule, asOf);
  return {
    timezone: zoneOf(venue, factsOf(venue).countyFips),
    rules: venue.schedule.rules,
    exceptions: venue.schedule.exceptions,
    next_sale_date: next.date,
    next_sale_basis: next.basis,
    holiday_conflict: next.holiday,
    verified_at: venue.schedule.verifiedAt,
    verified_by: venue.schedule.verifiedBy,
  };
}

function zoneOf(venue: Venue, countyFips: string | null): string | null {
  return timeZoneOf(venue.state, countyFips, stateOf(venue.state)?.fips ?? "");
}

/** The publisher of the venue's prices; null for a venue without a market report. */
function reporterOf(venue: Venue, figures: BarnFigures | undefined): string | null {
  const reported = venue.reportSlugs.length > 0 || figures !== undefined;
  return reported ? "USDA AMS Market News" : null;
}

/** First day of a status: by its statement, as the build before had it, or the day of the build that saw it change. */
function sinceWhen(status: StatusFound, earlier: EarlierBarn | undefined, inputs: BarnInputs): string | null {
  if (status.since !== null) return status.since;
  if (earlier === undefined) return null;
  return earlier.status === status.status ? earlier.status_since : inputs.asOf;
}

/** Values that only a revision changes: facts of the venue, without what moves from sale to sale. */
function lastingValues(
  directory: ReturnType<typeof directoryMembers>,
  {lat, lon, location_basis, schedule}: ReturnType<typeof barnMembers>,
): Record<string, unknown> {
  const {next_sale_date: _next, last_verified_at: _checked, ...facts} = directory;
  return {
    ...facts,
    lat,
    lon,
    location_basis,
    rules: schedule?.rules ?? null,
    exceptions: schedule?.exceptions ?? null,
  };
}
