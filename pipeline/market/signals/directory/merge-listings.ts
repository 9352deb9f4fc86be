import {distanceMiles, roundedMiles} from "../../../../lib/geography/distance.ts";
import type {Contradiction} from "../../../../schemas/market-evidence.ts";
import type {Venue, Weekday} from "../../../../schemas/venue.ts";
import {venueIdFrom} from "../../venues.ts";
import {factOf, newVenue, type Roster, weeklySchedule} from "./listed-venue.ts";
import type {Listing} from "./listing.ts";

type MergedVenues = {
  readonly venues: Venue[];
  /** Contradictions by venue that a roster gives a place or a sale day for; empty where it agrees with the registry. */
  readonly contradictions: ReadonlyMap<string, Contradiction[]>;
};

/** Two places of one venue farther apart than this disagree (`docs/design/market.md` section 6). */
const placeToleranceMiles = 5;

/**
 * The registry of venues with what rosters add: venues that it does not know, report numbers, and sale day, point, street, ZIP,
 * telephone and website where it has none. Facts of the registry stay; a roster that differs in place or day gives a contradiction.
 */
export function mergeListings(registered: readonly Venue[], rosters: readonly Roster[]): MergedVenues {
  const venues = new Map(registered.map((venue) => [venue.venueId, venue]));
  const contradictions = new Map<string, Contradiction[]>();
  for (const roster of rosters) {
    const byVenue = Map.groupBy(
      roster.listings,
      (listing) => venueOf([...venues.values()], listing) ?? nameOf(listing),
    );
    for (const [found, own] of byVenue) {
      // A line without a town that no venue answers to is a report on several markets, not a barn.
      if (typeof found === "string" && (own[0]!.city === null || !roster.addsVenues)) continue;
      const before = typeof found === "string" ? newVenue(own[0]!, roster, freeId(venues, own[0]!)) : found;
      if (typeof found !== "string") note(contradictions, before.venueId, compare(before, own, roster));
      venues.set(before.venueId, withFacts(before, own, roster));
    }
  }
  return {venues: [...venues.values()].sort((a, b) => (a.venueId < b.venueId ? -1 : 1)), contradictions};
}

function nameOf({state, city, name}: Listing): string {
  return venueIdFrom(state, `${city ?? ""} ${name}`);
}

/** By report number; else by state, town and name; a roster may name a venue without its town. */
function venueOf(venues: readonly Venue[], {slug, state, city, name}: Listing): Venue | undefined {
  const bySlug = slug === null ? undefined : venues.find(({reportSlugs}) => reportSlugs.includes(slug));
  if (bySlug !== undefined) return bySlug;
  const id = venueIdFrom(state, name);
  const town = city === null ? null : venueIdFrom(state, city);
  return venues.find(
    (venue) =>
      venue.state === state &&
      (town === null || venue.city === null || venueIdFrom(state, venue.city) === town) &&
      [venue.name, ...venue.aliases].some((known) => venueIdFrom(state, known) === id),
  );
}

function freeId(venues: ReadonlyMap<string, Venue>, {state, city, name}: Listing): string {
  const short = venueIdFrom(state, city ?? name);
  return venues.has(short) ? venueIdFrom(state, `${city ?? ""} ${name}`) : short;
}

function note(all: Map<string, Contradiction[]>, venueId: string, found: Contradiction[] | null): void {
  if (found !== null) all.set(venueId, [...(all.get(venueId) ?? []), ...found]);
}

/** Contradictions of a roster's lines and the registry on one venue; null when there is nothing to compare. */
function compare(venue: Venue, listings: readonly Listing[], roster: Roster): Contradiction[] | null {
  const place = placeConflict(venue, listings, roster);
  const days = dayConflict(venue, listings, roster);
  if (place === undefined && days === undefined) return null;
  return [place, days].filter((conflict) => conflict != null);
}

function placeConflict(
  venue: Venue,
  listings: readonly Listing[],
  {file: {path}}: Roster,
): Contradiction | null | undefined {
  const point = listings.find((listing) => listing.point !== null)?.point ?? null;
  if (point === null || venue.lat === null || venue.lon === null) return undefined;
  const miles = roundedMiles(distanceMiles(point, {lat: venue.lat, lon: venue.lon}));
  if (miles <= placeToleranceMiles) return null;
  return {
    kind: "location_conflict",
    field: "lat",
    a: {source: sourceOf(venue, "lat"), ref: venue.venueId, value: `${venue.lat}, ${venue.lon}`},
    b: {source: "open-map-parcel-context", ref: path, value: `${point.lat}, ${point.lon}`},
    difference: miles,
    tolerance: placeToleranceMiles,
    resolution: "unresolved",
  };
}

function dayConflict(
  venue: Venue,
  listings: readonly Listing[],
  {file: {path}, source}: Roster,
): Contradiction | null | undefined {
  const listed = daysOf(listings);
  const known = new Set((venue.schedule?.rules ?? []).flatMap(({weekday}) => weekday ?? []));
  if (listed.length === 0 || known.size === 0) return undefined;
  if (listed.length === known.size && listed.every((day) => known.has(day))) return null;
  return {
    kind: "schedule_conflict",
    field: "sale_days",
    a: {source: sourceOf(venue, "schedule"), ref: venue.venueId, value: [...known].sort().join(", ")},
    b: {source, ref: path, value: listed.join(", ")},
    difference: null,
    tolerance: null,
    resolution: "unresolved",
  };
}

function sourceOf(venue: Venue, field: string): string {
  return venue.facts.find(({fields}) => fields.includes(field))?.source ?? venue.facts[0]!.source;
}

function withFacts(venue: Venue, listings: readonly Listing[], {file, source}: Roster): Venue {
  const slugs = listings.flatMap(({slug}) => slug ?? []).filter((slug) => !venue.reportSlugs.includes(slug));
  const days = venue.schedule === null ? daysOf(listings) : [];
  const point =
    venue.lat === null ? (listings.find((listing) => listing.point !== null)?.point ?? null) : null;
  const text = listings.flatMap(({saleDaysText}) => saleDaysText ?? []).join("; ");
  const contact = contactOf(venue, listings);
  const added = Object.keys(contact);
  return {
    ...venue,
    ...contact,
    reportSlugs: [...new Set([...venue.reportSlugs, ...slugs])].sort(),
    ...(days.length === 0 ? {} : {schedule: weeklySchedule(days, {text, time: timeOf(listings)})}),
    ...(point === null ? {} : {...point, locationBasis: "city_centroid" as const}),
    facts: [
      ...venue.facts,
      ...(slugs.length === 0 ? [] : [factOf(file, ["reportSlugs"], "ams-lmr-datamart")]),
      ...(days.length === 0 ? [] : [factOf(file, ["schedule"], source)]),
      ...(point === null ? [] : [factOf(file, ["lat", "lon"], "open-map-parcel-context")]),
      ...(added.length === 0 ? [] : [factOf(file, added, source)]),
    ],
  };
}

/** Street, ZIP, telephone and website that a roster gives and the registry does not have. */
function contactOf(venue: Venue, listings: readonly Listing[]): Partial<Venue> {
  const given = {
    streetAddress: listings.find(({street}) => street !== null)?.street,
    zip: listings.find(({zip}) => zip !== null)?.zip,
    phone: listings.find(({phone}) => phone !== null)?.phone,
    website: listings.find(({website}) => website !== null)?.website,
  };
  const isNew = (name: string, value: unknown) => value != null && venue[name as keyof typeof given] === null;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => isNew(name, value)));
}

function daysOf(listings: readonly Listing[]): Weekday[] {
  return [...new Set(listings.flatMap(({saleDays}) => saleDays))].sort();
}

/** The time of the sale days; null where lines give several, because none of them is said to be of a day. */
function timeOf(listings: readonly Listing[]): string | null {
  const times = new Set(listings.filter(({saleDays}) => saleDays.length > 0).map(({saleTime}) => saleTime));
  const [only = null] = times;
  return times.size === 1 ? only : null;
}
