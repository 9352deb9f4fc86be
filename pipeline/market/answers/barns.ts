import {stateOf} from "../../../lib/geography/states.ts";
import {sorted} from "../../../lib/market/evidence.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {fieldsIn} from "../../../schemas/market-fields/field.ts";
import {type BarnSchedule, venueFields} from "../../../schemas/market-fields/venue.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import type {Barn, DirectoryRow} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {fillTable, typedColumns} from "../files/record-table.ts";
import {timeZoneOf} from "../geo/places.ts";
import {type BarnFigures, readBarnFigures} from "./barn-figures.ts";
import {changeStatusOf, type EarlierRecord, earlierSql, valueHashOf} from "./drafts.ts";
import {nextSale, scheduleOfSales} from "./next-sale.ts";
import {type ListedContradictions, venueContradictions} from "./venue-contradictions.ts";
import {factsOf} from "./venue-facts.ts";
import {latestUntil, readStatusHistory, type StatusFound, statusHistory, statusOf} from "./venue-status.ts";

/** A barn of the build before, with its status and the first day of it. */
type EarlierBarn = EarlierRecord & {status: string; status_since: string | null};
type Known = {asOf: string; previousDir: string | null};
type BarnInputs = {asOf: string; earlier: ReadonlyMap<string, EarlierBarn>; listed: ListedContradictions};

/** A venue's two records, with what their evidence is made from. */
export type BarnMade = {
  venue: Venue;
  figures: BarnFigures | undefined;
  directory: DirectoryRow;
  barn: Barn;
  contradictions: Contradiction[] | null;
  valueHash: string;
};

/** The directory rows and the registry records of venues. */
export async function makeBarns(
  db: Database,
  venues: readonly Venue[],
  {asOf, previousDir, listed}: Known & {listed: ListedContradictions},
): Promise<BarnMade[]> {
  const figures = await readBarnFigures(db, asOf);
  const rows = await db.rows<EarlierBarn>(
    `SELECT record_key, value_hash, change_status, status, status_since FROM (${earlierSql("barns", previousDir)})`,
  );
  const earlier = new Map(rows.map((row) => [row.record_key, row]));
  return venues.map((venue) => makeBarn(venue, figures.get(venue.venueId), {asOf, earlier, listed}));
}

/** Fills the tables of venues: `barns` with the texts of both records, their schedules and status histories. */
export async function fillBarns(db: Database, barns: readonly BarnMade[], known: Known): Promise<void> {
  const texts = typedColumns("VARCHAR", "directory_evidence_id", "directory_record", "barn_record");
  const rows = barns.map(({barn, directory, valueHash}) => ({
    ...barn,
    record_key: barn.venue_id,
    value_hash: valueHash,
    directory_evidence_id: directory.evidence_id,
    directory_record: JSON.stringify(directory),
    barn_record: JSON.stringify(barn),
  }));
  await fillTable(db, "barns", [...marketFiles.barns.columns, ...texts], rows);
  await fillTable(db, "venue_schedules", marketFiles.venue_schedules.columns, barns.flatMap(scheduleRows));
  const earlier = await readStatusHistory(db, known.previousDir);
  const history = statusHistory(
    barns.map(({barn}) => barn),
    earlier,
    known.asOf,
  );
  await fillTable(db, "venue_status_history", marketFiles.venue_status_history.columns, history);
}

function scheduleRows({venue, barn}: BarnMade): Record<string, unknown>[] {
  return (venue.schedule?.rules ?? []).map((rule, index) => ({
    venue_id: venue.venueId,
    rule: index + 1,
    ...rule,
    timezone: barn.timezone,
    season_from: rule.season?.from ?? null,
    season_to: rule.season?.to ?? null,
    verified_at: venue.schedule?.verifiedAt ?? null,
    next_sale_date: barn.next_sale_date,
    next_sale_basis: barn.schedule?.next_sale_basis ?? null,
  }));
}

function makeBarn(known: Venue, figures: BarnFigures | undefined, inputs: BarnInputs): BarnMade {
  // The status rests on what was published: a sale day that we inferred verifies nothing.
  const status = statusOf(known, figures?.last_sale ?? null, inputs.asOf);
  const venue = {
    ...known,
    schedule: known.schedule ?? scheduleOfSales(figures?.last_sales ?? [], inputs.asOf),
  };
  const directory = directoryMembers(venue, figures, status, inputs.asOf);
  const barn = barnMembers(venue, figures, inputs.asOf);
  const valueHash = valueHashOf(lastingValues({...directory, ...barn}, barn.schedule));
  const earlier = inputs.earlier.get(venue.venueId);
  const since = sinceWhen(status, earlier, inputs);
  const change = {change_status: changeStatusOf(earlier, valueHash)};
  // The server measures from the place of a question.
  const shared = {...directory, distance_mi: null, distance_method: null, ...change};
  return {
    venue,
    figures,
    contradictions: venueContradictions(venue, figures, inputs.listed),
    directory: {...shared, evidence_id: `bd-${venue.venueId}`},
    barn: {
      ...shared,
      ...barn,
      status_reason: status.reason,
      status_since: since,
      // The server joins the parcels that it serves.
      parcel_context: null,
      evidence_id: `bn-${venue.venueId}`,
    },
    valueHash,
  };
}

/**
 * The instant at which a venue's facts were last checked: its latest dated fact, or the latest re-read of its reports.
 * Checks after `asOf` were not known then and do not count.
 */
function lastChecked(venue: Venue, figures: BarnFigures | undefined, asOf: string): string | null {
  const dates = [...venue.facts.map(({date}) => date), venue.schedule?.verifiedAt ?? null];
  const instants = dates.map((date) => (date === null ? null : `${date}T00:00:00Z`));
  return latestUntil([...instants, figures?.last_verified_at ?? null], asOf);
}

function directoryMembers(venue: Venue, figures: BarnFigures | undefined, status: StatusFound, asOf: string) {
  const {county_fips, county_name} = factsOf(venue);
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
    county_fips,
    county_name,
    phone: venue.phone,
    website: venue.website,
    sale_days: sorted(rules.flatMap((rule) => rule.weekday ?? [])),
    sale_time_local: rules.find((rule) => rule.start_time_local !== null)?.start_time_local ?? null,
    timezone: zoneOf(venue),
    schedule_text: venue.schedule?.text ?? null,
    next_sale_date: venue.schedule === null ? null : nextSale(venue.schedule, asOf).date,
    reported_by: reporterOf(venue, figures),
    last_verified_at: lastChecked(venue, figures, asOf),
    status: status.status,
  };
}

function barnMembers(venue: Venue, figures: BarnFigures | undefined, asOf: string) {
  return {
    lat: venue.lat === null ? null : roundHalfAway(venue.lat, 5),
    lon: venue.lon === null ? null : roundHalfAway(venue.lon, 5),
    location_basis: venue.locationBasis,
    location_accuracy_m: venue.locationAccuracyM,
    county_vintage: factsOf(venue).county_vintage,
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
    timezone: zoneOf(venue),
    rules: venue.schedule.rules,
    exceptions: venue.schedule.exceptions,
    next_sale_date: next.date,
    next_sale_basis: next.basis,
    holiday_conflict: next.holiday,
    verified_at: venue.schedule.verifiedAt,
    verified_by: venue.schedule.verifiedBy,
  };
}

function zoneOf(venue: Venue): string | null {
  return timeZoneOf(venue.state, factsOf(venue).county_fips, stateOf(venue.state)?.fips ?? "");
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

/** Values that only a revision changes: those that the field table marks, and the rules of the schedule. */
function lastingValues(
  members: Readonly<Record<string, unknown>>,
  schedule: BarnSchedule | null,
): Record<string, unknown> {
  const lasting = fieldsIn(venueFields, "barn").filter(([, {revises}]) => revises);
  return {
    ...Object.fromEntries(lasting.map(([name]) => [name, members[name]])),
    rules: schedule?.rules ?? null,
    exceptions: schedule?.exceptions ?? null,
  };
}
