import {addDays} from "../../../lib/dates.ts";
import {stateOf} from "../../../lib/geography/states.ts";
import {sortedUnique} from "../../../lib/market/evidence.ts";
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
import {changeStatusOf, type PreviousRecord, previousTableSql, valueHashOf} from "./drafts.ts";
import {inferSchedule, type NextSale, nextSale} from "./next-sale.ts";
import {type ListedContradictions, venueContradictions} from "./venue-contradictions.ts";
import {locationOf} from "./venue-places.ts";
import {latestUntil, readStatusHistory, type StatusFound, statusHistory, statusOf} from "./venue-status.ts";

/** A barn in the previous build, with its status and since when. */
type PreviousBarn = PreviousRecord & {status: string; status_since: string | null};
type Baseline = {asOf: string; previousDir: string | null};
type BarnInputs = {asOf: string; previous: ReadonlyMap<string, PreviousBarn>; listed: ListedContradictions};

/** A venue's two records, and what their evidence needs. */
export type BarnRecords = {
  venue: Venue;
  figures: BarnFigures | undefined;
  directory: DirectoryRow;
  barn: Barn;
  contradictions: Contradiction[] | null;
  valueHash: string;
};

/** Makes the directory row and the barn record of each venue. */
export async function makeBarns(
  db: Database,
  venues: readonly Venue[],
  {asOf, previousDir, listed}: Baseline & {listed: ListedContradictions},
): Promise<BarnRecords[]> {
  const figures = await readBarnFigures(db, asOf);
  const rows = await db.rows<PreviousBarn>(
    `SELECT record_key, value_hash, change_status, status, status_since FROM (${previousTableSql("barns", previousDir)})`,
  );
  const previous = new Map(rows.map((row) => [row.record_key, row]));
  return venues.map((venue) => makeBarn(venue, figures.get(venue.venueId), {asOf, previous, listed}));
}

/** Fills the venue tables: `barns` with both records as JSON texts, the schedules, and the status history. */
export async function fillBarns(
  db: Database,
  barns: readonly BarnRecords[],
  baseline: Baseline,
): Promise<void> {
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
  const previous = await readStatusHistory(db, baseline.previousDir);
  const history = statusHistory(
    barns.map(({barn}) => barn),
    previous,
    baseline.asOf,
  );
  await fillTable(db, "venue_status_history", marketFiles.venue_status_history.columns, history);
}

function scheduleRows({venue, barn}: BarnRecords): Record<string, unknown>[] {
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

function makeBarn(registered: Venue, figures: BarnFigures | undefined, inputs: BarnInputs): BarnRecords {
  // Before inferring a schedule: a sale day that we inferred must not verify the status.
  const status = statusOf(registered, figures?.last_sales ?? [], inputs.asOf);
  const venue = {
    ...registered,
    schedule: registered.schedule ?? inferSchedule(figures?.last_sales ?? [], inputs.asOf),
  };
  // A sale of this day that is reported is over.
  const isOver = figures?.last_sale === inputs.asOf;
  const next = nextSale(venue.schedule, isOver ? addDays(inputs.asOf, 1) : inputs.asOf);
  const directory = directoryMembers(venue, figures, {status, next, asOf: inputs.asOf});
  const barn = barnMembers(venue, figures, next);
  const valueHash = valueHashOf(revisingValues({...directory, ...barn}, barn.schedule));
  const previous = inputs.previous.get(venue.venueId);
  const since = statusSince(status, previous, inputs);
  const change = {change_status: changeStatusOf(previous, valueHash)};
  // The server fills these in from the requested place.
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
 * When a venue's facts were last checked: its latest dated fact or the latest re-read of its reports, ignoring checks after
 * `asOf`.
 */
function lastChecked(venue: Venue, figures: BarnFigures | undefined, asOf: string): string | null {
  const dates = [...venue.facts.map(({date}) => date), venue.schedule?.verifiedAt ?? null];
  const instants = dates.map((date) => (date === null ? null : `${date}T00:00:00Z`));
  return latestUntil([...instants, figures?.last_verified_at ?? null], asOf);
}

type DirectoryParts = {status: StatusFound; next: NextSale; asOf: string};

function directoryMembers(
  venue: Venue,
  figures: BarnFigures | undefined,
  {status, next, asOf}: DirectoryParts,
) {
  const {county_fips, county_name} = locationOf(venue);
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
    sale_days: sortedUnique(rules.flatMap((rule) => rule.weekday ?? [])),
    sale_time_local: rules.find((rule) => rule.start_time_local !== null)?.start_time_local ?? null,
    timezone: zoneOf(venue),
    schedule_text: venue.schedule?.text ?? null,
    next_sale_date: next.date,
    reported_by: reporterOf(venue, figures),
    last_verified_at: lastChecked(venue, figures, asOf),
    status: status.status,
  };
}

function barnMembers(venue: Venue, figures: BarnFigures | undefined, next: NextSale) {
  return {
    lat: venue.lat === null ? null : roundHalfAway(venue.lat, 5),
    lon: venue.lon === null ? null : roundHalfAway(venue.lon, 5),
    location_basis: venue.locationBasis,
    location_accuracy_m: venue.locationAccuracyM,
    county_vintage: locationOf(venue).county_vintage,
    schedule: scheduleOf(venue, next),
    first_reported_sale_date: figures?.first_sale ?? null,
    last_reported_sale_date: figures?.last_sale ?? null,
    reports_last_365_days: figures?.reports_365 ?? 0,
    median_receipts_last_12_sales: figures?.median_receipts ?? null,
    classes_reported: figures?.classes ?? [],
    report_slugs: sortedUnique([...venue.reportSlugs, ...(figures?.slugs ?? [])]),
  };
}

function scheduleOf(venue: Venue, next: NextSale): BarnSchedule | null {
  if (venue.schedule === null) return null;
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
  return timeZoneOf(venue.state, locationOf(venue).county_fips, stateOf(venue.state)?.fips ?? "");
}

/** The publisher of the venue's prices; null if no market report covers it. */
function reporterOf(venue: Venue, figures: BarnFigures | undefined): string | null {
  const reported = venue.reportSlugs.length > 0 || figures !== undefined;
  return reported ? "USDA AMS Market News" : null;
}

/**
 * First day of a status: its statement's date, else the date in the previous build, or `asOf` if the status has changed since.
 */
function statusSince(
  status: StatusFound,
  previous: PreviousBarn | undefined,
  inputs: BarnInputs,
): string | null {
  if (status.since !== null) return status.since;
  if (previous === undefined) return null;
  return previous.status === status.status ? previous.status_since : inputs.asOf;
}

/** Values whose change counts as a revision: those that the field table marks, and the schedule's rules and exceptions. */
function revisingValues(
  members: Readonly<Record<string, unknown>>,
  schedule: BarnSchedule | null,
): Record<string, unknown> {
  const revising = fieldsIn(venueFields, "barn").filter(([, {revises}]) => revises);
  return {
    ...Object.fromEntries(revising.map(([name]) => [name, members[name]])),
    rules: schedule?.rules ?? null,
    exceptions: schedule?.exceptions ?? null,
  };
}
