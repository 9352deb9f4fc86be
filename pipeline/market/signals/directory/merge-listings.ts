import {distanceMiles, roundedMiles} from "../../../../lib/geography/distance.ts";
import type {Contradiction} from "../../../../schemas/market-evidence.ts";
import type {MarketSourceId} from "../../../../schemas/market-source.ts";
import type {Venue, VenueSchedule, Weekday} from "../../../../schemas/venue.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {bareVenue, venueIdFrom} from "../../venues.ts";
import type {Listing} from "./listing.ts";

/** A roster file with its lines, and the source that its facts are cited with. */
export type Roster = {
  readonly file: RawFile;
  readonly listings: readonly Listing[];
  readonly source: MarketSourceId;
  /** False for a licence list: it says more of venues that are known, and its names make no new ones. */
  readonly addsVenues: boolean;
};

type MergedVenues = {
  readonly venues: Venue[];
  /** Contradictions by venue that a roster gives a place or a sale day for; empty where it agrees with the registry. */
  readonly contradictions: ReadonlyMap<string, Contradiction[]>;
};

/**
 * The registry of venues with what rosters add: venues that it does not know, report numbers, and sale day, point, street, ZIP,
 * telephone and website where it has none. Facts of the registry stay; a roster that differs in place or day gives a contradiction.
 */
export function mergeListings(registered: readonly Venue[], rosters: readonly Roster[]): MergedVenues {
  const venues = new Map(registered.map((venue) => [venue.venueId, venue]));
  const contradictions = new Map<string, Contradiction[]>();
  for (const roster of rosters) {
    const known = [...venues.values()];
    const byVenue = Map.groupBy(
      roster.listings,
      (listing) =>
        venueOf(known, listing) ?? venueIdFrom(listing.state, `${listing.city ?? ""} ${listing.name}`),
    );
    for (const [found, own] of byVenue) {
      const [first] = own;
      if (typeof found !== "string") {
        const compared = [placeConflict(found, own, roster), dayConflict(found, own, roster)];
        const conflicts = compared.filter((conflict) => conflict != null);
        if (compared.some((conflict) => conflict !== undefined))
          contradictions.set(found.venueId, [...(contradictions.get(found.venueId) ?? []), ...conflicts]);
        venues.set(found.venueId, withFacts(found, own, roster));
      } else if (first!.city !== null && roster.addsVenues) {
        // A line without a town that no venue answers to is a report on several markets, not a barn.
        const short = venueIdFrom(first!.state, first!.city);
        const venue = newVenue(first!, roster, venues.has(short) ? found : short);
        venues.set(venue.venueId, withFacts(venue, own, roster));
      }
    }
  }
  return {venues: [...venues.values()].sort((a, b) => (a.venueId < b.venueId ? -1 : 1)), contradictions};
}

/** By report number; else by state, town and name; a roster may name a venue without its town. */
function venueOf(venues: readonly Venue[], {slug, state, city, name}: Listing): Venue | undefined {
  const bySlug = slug === null ? undefined : venues.find(({reportSlugs}) => reportSlugs.includes(slug));
  if (bySlug !== undefined) return bySlug;
  const [id, town] = [venueIdFrom(state, name), city === null ? null : venueIdFrom(state, city)];
  return venues.find(
    (venue) =>
      venue.state === state &&
      (town === null || venue.city === null || venueIdFrom(state, venue.city) === town) &&
      [venue.name, ...venue.aliases].some((known) => venueIdFrom(state, known) === id),
  );
}

/** A venue that only a roster names: its name and town; schedule, point and report numbers are added beside. */
function newVenue({name, city, state, slug}: Listing, {file, source}: Roster, venueId: string): Venue {
  const fact = factOf(file, ["name", "city", "state"], slug === null ? source : "ams-lmr-datamart");
  return {...bareVenue({venueId, name, city, state}), facts: [fact]};
}

/** Two places of one venue farther apart than this disagree (`docs/design/market.md` section 6). */
const placeToleranceMiles = 5;

/** The contradiction of a roster and the registry on a place; null where they agree, undefined where there is nothing to compare. */
function placeConflict(
  venue: Venue,
  listings: readonly Listing[],
  {file}: Roster,
): Contradiction | null | undefined {
  const point = firstOf(listings, "point");
  if (point === null || venue.lat === null || venue.lon === null) return undefined;
  const miles = roundedMiles(distanceMiles(point, {lat: venue.lat, lon: venue.lon}));
  if (miles <= placeToleranceMiles) return null;
  return {
    kind: "location_conflict",
    field: "lat",
    a: {source: sourceOf(venue, "lat"), ref: venue.venueId, value: `${venue.lat}, ${venue.lon}`},
    b: {source: "open-map-parcel-context", ref: file.path, value: `${point.lat}, ${point.lon}`},
    difference: miles,
    tolerance: placeToleranceMiles,
    resolution: "unresolved",
  };
}

/** The same on sale days. */
function dayConflict(
  venue: Venue,
  listings: readonly Listing[],
  {file, source}: Roster,
): Contradiction | null | undefined {
  const listed = daysOf(listings);
  const known = new Set((venue.schedule?.rules ?? []).flatMap(({weekday}) => weekday ?? []));
  if (listed.length === 0 || known.size === 0) return undefined;
  if (listed.length === known.size && listed.every((day) => known.has(day))) return null;
  return {
    kind: "schedule_conflict",
    field: "sale_days",
    a: {source: sourceOf(venue, "schedule"), ref: venue.venueId, value: [...known].sort().join(", ")},
    b: {source, ref: file.path, value: listed.join(", ")},
    difference: null,
    tolerance: null,
    resolution: "unresolved",
  };
}

function sourceOf({facts}: Venue, field: string): string {
  return facts.find(({fields}) => fields.includes(field))?.source ?? facts[0]!.source;
}

/** A venue with what the lines of a roster add to it, each with its source. */
function withFacts(venue: Venue, listings: readonly Listing[], {file, source}: Roster): Venue {
  const slugs = listings.flatMap(({slug}) => slug ?? []).filter((slug) => !venue.reportSlugs.includes(slug));
  const days = venue.schedule === null ? daysOf(listings) : [];
  const point = venue.lat === null ? firstOf(listings, "point") : null;
  const given = {
    streetAddress: firstOf(listings, "street"),
    zip: firstOf(listings, "zip"),
    phone: firstOf(listings, "phone"),
    website: firstOf(listings, "website"),
  };
  const contact = Object.entries(given).filter(
    ([name, value]) => value !== null && venue[name as keyof typeof given] === null,
  );
  const facts: [string[], MarketSourceId][] = [
    [slugs.length === 0 ? [] : ["reportSlugs"], "ams-lmr-datamart"],
    [days.length === 0 ? [] : ["schedule"], source],
    [point === null ? [] : ["lat", "lon"], "open-map-parcel-context"],
    [contact.map(([name]) => name), source],
  ];
  return {
    ...venue,
    ...Object.fromEntries(contact),
    reportSlugs: [...new Set([...venue.reportSlugs, ...slugs])].sort(),
    ...(days.length === 0 ? {} : {schedule: weeklySchedule(days, listings)}),
    ...(point === null ? {} : {...point, locationBasis: "city_centroid" as const}),
    facts: [
      ...venue.facts,
      ...facts.flatMap(([fields, cited]) => (fields.length === 0 ? [] : [factOf(file, fields, cited)])),
    ],
  };
}

/** A fact as a roster of the raw folder gives it, on the day on which it was fetched. */
function factOf(file: RawFile, fields: string[], source: MarketSourceId): Venue["facts"][number] {
  const url = file.meta?.url;
  return {
    fields,
    source,
    publisher: `roster ${file.path}`,
    ...(url === undefined ? {} : {sourceUrl: url}),
    date: file.retrievedAt.slice(0, 10),
  };
}

/**
 * A sale every week on the given days; without a time where lines give several, because none of them is said to be of a day. A
 * roster is no check with the venue: nothing says that the schedule was verified.
 */
function weeklySchedule(days: readonly Weekday[], listings: readonly Listing[]): VenueSchedule {
  const times = new Set(listings.filter(({saleDays}) => saleDays.length > 0).map(({saleTime}) => saleTime));
  const [time = null] = times.size === 1 ? times : [];
  const text = listings.flatMap(({saleDaysText}) => saleDaysText ?? []).join("; ");
  const regular = {kind: "regular" as const, classes: [], frequency: "weekly" as const};
  const unsaid = {nth: [], anchor_date: null, dates: [], start_time_local: time, season: null};
  return {
    rules: days.map((weekday) => ({...regular, weekday, ...unsaid})),
    exceptions: [],
    text: text === "" ? null : text,
    verifiedAt: null,
    verifiedBy: null,
  };
}

function firstOf<Name extends keyof Listing>(listings: readonly Listing[], name: Name): Listing[Name] | null {
  return listings.find((listing) => listing[name] !== null)?.[name] ?? null;
}

function daysOf(listings: readonly Listing[]): Weekday[] {
  return [...new Set(listings.flatMap(({saleDays}) => saleDays))].sort();
}
