import {stateOf} from "../../../lib/geography/states.ts";
import {sortedUnique} from "../../../lib/market/evidence.ts";
import {asOfDate} from "../../../lib/models/build-facts.ts";
import {value} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {fieldsIn} from "../../../schemas/market-fields/market-field.ts";
import {type BarnSchedule, venueFields} from "../../../schemas/market-fields/venue-fields.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import type {Barn} from "../../../schemas/market-records.ts";
import {column} from "../../../schemas/vocabulary/described-file.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {timeZoneOf} from "../reference/town-points.ts";
import {type BarnFigures, barn_figures} from "./barn-figures.ts";
import {scheduleOf, withNoSales} from "./barn-schedule.ts";
import {changeStatusOf, type PreviousRecord, valueHashOf} from "./drafts.ts";
import {type KnownSale, known_sales} from "./known-sales.ts";
import {inferSchedule, withKnownSales} from "./next-sale.ts";
import {previous_barns} from "./previous-build.ts";
import {type ListedContradictions, venueContradictions} from "./venue-contradictions.ts";
import {locationOf, marketVenues} from "./venue-places.ts";
import {latestUntil, type StatusFound, statusOf} from "./venue-status.ts";

/** A barn in the previous build, with its status and since when. */
type PreviousBarn = PreviousRecord & {
  status: string;
  status_since: string | null;
  last_reported_sale_date: string | null;
};
type BarnInputs = {
  asOf: string;
  known: ReadonlyMap<string, KnownSale[]>;
  previous: ReadonlyMap<string, PreviousBarn>;
  listed: ListedContradictions;
};

/** A venue's record, and what its evidence needs. */
export type BarnRecords = {
  venue: Venue;
  figures: BarnFigures | undefined;
  /** Its known sales of the last 100 days. */
  known: readonly KnownSale[];
  barn: Barn;
  contradictions: Contradiction[] | null;
  valueHash: string;
};

/** Contradictions between rosters of venues and the registry. */
export const listedContradictions = value<ListedContradictions>("contradictions of rosters");

/** The record of each venue. A model that asks for them reads `recordInputs`. */
export const barnRecords = value<readonly BarnRecords[]>("records of venues", async (run) => {
  const figures = await run.db.rows<BarnFigures>("FROM barn_figures");
  const figuresOf = new Map(figures.map((row) => [row.venue_id, row]));
  const rows = await run.db.rows<PreviousBarn>(
    "SELECT record_key, value_hash, change_status, status, status_since, last_reported_sale_date::VARCHAR AS last_reported_sale_date FROM previous_barns",
  );
  const previous = new Map(rows.map((row) => [row.record_key, row]));
  const sales = await run.db.rows<KnownSale>("SELECT * REPLACE (day::VARCHAR AS day) FROM known_sales");
  const inputs = {
    asOf: await run.value(asOfDate),
    known: Map.groupBy(sales, ({venue_id}) => venue_id),
    previous,
    listed: await run.value(listedContradictions),
  };
  return (await run.value(marketVenues)).map((venue) =>
    makeBarn(venue, figuresOf.get(venue.venueId), inputs),
  );
});

/** Models that `barnRecords` reads. */
export const recordInputs = [barn_figures, known_sales, previous_barns] as const;

const directoryMembers = fieldsIn(venueFields, "directory").map(([name]) => name as keyof typeof venueFields);

/** Evidence id of a venue's row in the directory, which has fewer fields than its record and other evidence. */
export const directoryEvidenceId = (venueId: string) => `bd-${venueId}`;

/** The venues, with the record and the row of the directory as JSON texts. */
export const barns = recordModel({
  name: "barns",
  reads: recordInputs,
  columns: [
    ...marketFiles.barns.columns,
    ...["directory_evidence_id", "directory_record", "barn_record"].map((name) =>
      column(name, "VARCHAR", ""),
    ),
  ],
  rows: async (run) =>
    (await run.value(barnRecords)).map(({barn, valueHash}) => {
      const directory = {...barn, evidence_id: directoryEvidenceId(barn.venue_id)};
      return {
        ...barn,
        record_key: barn.venue_id,
        value_hash: valueHash,
        directory_evidence_id: directory.evidence_id,
        directory_record: JSON.stringify(
          Object.fromEntries(directoryMembers.map((name) => [name, directory[name]])),
        ),
        barn_record: JSON.stringify(barn),
      };
    }),
});

/** The rules by which venues sell. */
export const venue_schedules = recordModel({
  name: "venue_schedules",
  reads: recordInputs,
  columns: marketFiles.venue_schedules.columns,
  rows: async (run) => (await run.value(barnRecords)).flatMap(scheduleRows),
});

function scheduleRows({venue, barn}: BarnRecords): Record<string, unknown>[] {
  return (barn.schedule?.rules ?? []).map((rule, index) => ({
    venue_id: venue.venueId,
    rule: index + 1,
    ...rule,
    timezone: barn.timezone,
    season_from: rule.season?.from ?? null,
    season_to: rule.season?.to ?? null,
    verified_at: venue.schedule?.verifiedAt ?? null,
    next_sale_basis: barn.schedule?.next_sale_basis ?? null,
  }));
}

function makeBarn(
  registered: Venue,
  figures: BarnFigures | undefined,
  {asOf, known: sales, previous, listed}: BarnInputs,
): BarnRecords {
  const known = sales.get(registered.venueId) ?? [];
  // Before inferring a schedule: a sale day that we inferred must not verify the status.
  const status = statusOf(registered, figures?.last_sales ?? [], asOf);
  const inferred = inferSchedule(known, asOf);
  const ofSales = registered.schedule === null ? inferred : withKnownSales(registered.schedule, inferred);
  const venue = {...registered, schedule: withNoSales(ofSales, known)};
  const facts = factsOf(venue, figures, {asOf, known, status: status.status});
  const valueHash = valueHashOf(revisingValues(facts, registered.schedule));
  const before = previous.get(venue.venueId);
  return {
    venue,
    figures,
    known,
    contradictions: venueContradictions(venue, figures, listed),
    barn: {
      ...facts,
      status_reason: status.reason,
      status_since: statusSince(status, before, asOf),
      change_status: barnStatus(facts.last_reported_sale_date, valueHash, before),
      // The server joins the parcels that it serves.
      parcel_context: null,
      evidence_id: `bn-${venue.venueId}`,
    },
    valueHash,
  };
}

/** A barn is `new` with a sale that the previous build had not; a next date that moved with the calendar is no change. */
function barnStatus(
  lastSale: string | null,
  valueHash: string,
  before: PreviousBarn | undefined,
): Barn["change_status"] {
  const isNews =
    before !== undefined && lastSale !== null && lastSale > (before.last_reported_sale_date ?? "");
  return isNews ? "new" : changeStatusOf(before, valueHash);
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

/** The fields that follow from the registry and the reports. The caller sets those that depend on the previous build. */
function factsOf(
  venue: Venue,
  figures: BarnFigures | undefined,
  {asOf, known, status}: {asOf: string; known: readonly KnownSale[]; status: Barn["status"]},
) {
  const {county_fips, county_name, county_vintage} = locationOf(venue);
  const rules = venue.schedule?.rules.filter((rule) => rule.kind === "regular") ?? [];
  const timezone = timeZoneOf(venue.state, county_fips, stateOf(venue.state)?.fips ?? "");
  const {next, ...schedule} = scheduleOf(venue, known, {asOf, timezone});
  const isReported = venue.reportSlugs.length > 0 || figures !== undefined;
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
    timezone,
    schedule_text: venue.schedule?.text ?? null,
    next_sale_date: next.date,
    /** The publisher of the venue's prices; null if no market report covers it. */
    reported_by: isReported ? "USDA AMS Market News" : null,
    last_verified_at: lastChecked(venue, figures, asOf),
    status,
    // The server fills these in from the requested place.
    distance_mi: null,
    distance_method: null,
    change_status: "new" as Barn["change_status"],
    lat: venue.lat === null ? null : roundHalfAway(venue.lat, 5),
    lon: venue.lon === null ? null : roundHalfAway(venue.lon, 5),
    location_basis: venue.locationBasis,
    location_accuracy_m: venue.locationAccuracyM,
    county_vintage,
    ...schedule,
    first_reported_sale_date: figures?.first_sale ?? null,
    last_reported_sale_date: figures?.last_sale ?? null,
    reports_last_365_days: figures?.reports_365 ?? 0,
    median_receipts_last_12_sales: figures?.median_receipts ?? null,
    classes_reported: figures?.classes ?? [],
    report_slugs: sortedUnique([...venue.reportSlugs, ...(figures?.slugs ?? [])]),
  };
}

/**
 * First day of a status: its statement's date, else the date in the previous build, or `asOf` if the status has changed since.
 */
function statusSince(status: StatusFound, before: PreviousBarn | undefined, asOf: string): string | null {
  if (status.since !== null || before === undefined) return status.since;
  return before.status === status.status ? before.status_since : asOf;
}

/**
 * Values whose change counts as a revision: those that the field table marks, the rules of the schedule without what moves with the calendar
 * and the sales, and the registered exceptions.
 */
function revisingValues(
  members: Readonly<Record<string, unknown>> & {schedule: BarnSchedule | null},
  registered: Venue["schedule"],
) {
  const revising = fieldsIn(venueFields, "barn").filter(([, {revises}]) => revises);
  return {
    ...Object.fromEntries(revising.map(([name]) => [name, members[name]])),
    rules: members.schedule?.rules.filter((rule) => !isAnnounced(rule)).map(ruleFacts) ?? null,
    exceptions: registered?.exceptions ?? null,
  };
}

type Rule = BarnSchedule["rules"][number];

const isAnnounced = ({kind, report_slug}: Rule) => kind === "special" && report_slug !== null;
const ruleFacts = ({kind, frequency, weekday, nth, dates, start_time_local, season}: Rule) => ({
  ...{kind, frequency, weekday, nth, dates, start_time_local, season},
});
