import {distanceMiles, roundedMiles} from "../../../../lib/geography/distance.ts";
import type {Contradiction} from "../../../../schemas/market-evidence.ts";
import type {MarketSourceId} from "../../../../schemas/market-source.ts";
import type {Venue, VenueSchedule, Weekday} from "../../../../schemas/venue.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {bareVenue, venueIdFrom} from "../../venues.ts";
import {citedSource, type ListFile} from "../list-reader.ts";
import type {Listing} from "./listing.ts";

type MergedVenues = {
  readonly venues: Venue[];
  /** Contradictions by venue that a roster gives a place or a sale day for; empty where it agrees with the registry. */
  readonly contradictions: ReadonlyMap<string, Contradiction[]>;
};

/**
 * The registry of venues with what rosters add: venues that it does not know, report numbers, and sale day, point, street, ZIP,
 * telephone and website where it has none. Facts of the registry stay; a roster that differs in place or day gives a contradiction.
 */
export function mergeListings(registered: readonly Venue[], lists: readonly ListFile[]): MergedVenues {
  const venues = new Map(registered.map((venue) => [venue.venueId, venue]));
  const contradictions = new Map<string, Contradiction[]>();
  for (const {file, reading} of lists) {
    const known = [...venues.values()];
    const byVenue = Map.groupBy(
      reading.listings,
      (listing) =>
        venueOf(known, listing) ?? venueIdFrom(listing.state, `${listing.city ?? ""} ${listing.name}`),
    );
    for (const [found, lines] of byVenue) {
      const given = givenBy(lines, file, citedSource(reading.list));
      const {name, city, state} = lines[0]!;
      if (typeof found !== "string") {
        const conflicts = conflictsOf(found, given);
        if (conflicts !== null)
          contradictions.set(found.venueId, [...(contradictions.get(found.venueId) ?? []), ...conflicts]);
        venues.set(found.venueId, withFacts(found, given));
      } else if (city !== null && reading.list.feed === "directory") {
        // A licence list makes no venues, nor does a line without a town: it is a report on several markets, not a barn.
        const short = venueIdFrom(state, city);
        const venueId = venues.has(short) ? found : short;
        const cited = lines[0]!.slug === null ? given.source : "ams-lmr-datamart";
        const fact = factOf(file, ["name", "city", "state"], cited);
        venues.set(venueId, withFacts({...bareVenue({venueId, name, city, state}), facts: [fact]}, given));
      }
    }
  }
  return {venues: [...venues.values()].sort((a, b) => (a.venueId < b.venueId ? -1 : 1)), contradictions};
}

/** What the lines of one list give of one venue, and how that is cited. */
type Given = ReturnType<typeof givenBy>;

function givenBy(lines: readonly Listing[], file: RawFile, source: MarketSourceId) {
  const first = <Name extends keyof Listing>(name: Name): Listing[Name] | null =>
    lines.find((line) => line[name] !== null)?.[name] ?? null;
  const days = [...new Set(lines.flatMap(({saleDays}) => saleDays))].sort();
  return {
    file,
    source,
    slugs: lines.flatMap(({slug}) => slug ?? []),
    days,
    schedule: weeklySchedule(days, lines),
    point: first("point"),
    contact: {
      streetAddress: first("street"),
      zip: first("zip"),
      phone: first("phone"),
      website: first("website"),
    },
  };
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

/** Two places of one venue farther apart than this disagree (`docs/design/market.md` section 6). */
const placeToleranceMiles = 5;

/** The contradictions of a list and the registry on place and sale days; null where there is nothing to compare. */
function conflictsOf(venue: Venue, {file, source, point, days}: Given): Contradiction[] | null {
  const compared: (Contradiction | null)[] = [];
  const conflict = (
    field: "lat" | "sale_days",
    values: {a: string; b: string; by: string},
    measure: {difference: number | null; tolerance: number | null},
  ): Contradiction => ({
    kind: field === "lat" ? "location_conflict" : "schedule_conflict",
    field,
    a: {source: sourceOf(venue, field === "lat" ? field : "schedule"), ref: venue.venueId, value: values.a},
    b: {source: values.by, ref: file.path, value: values.b},
    ...measure,
    resolution: "unresolved",
  });
  if (point !== null && venue.lat !== null && venue.lon !== null) {
    const difference = roundedMiles(distanceMiles(point, {lat: venue.lat, lon: venue.lon}));
    const by = "open-map-parcel-context";
    const values = {a: `${venue.lat}, ${venue.lon}`, b: `${point.lat}, ${point.lon}`, by};
    const isFar = difference > placeToleranceMiles;
    compared.push(isFar ? conflict("lat", values, {difference, tolerance: placeToleranceMiles}) : null);
  }
  const known = [...new Set((venue.schedule?.rules ?? []).flatMap(({weekday}) => weekday ?? []))].sort();
  if (days.length > 0 && known.length > 0) {
    const values = {a: known.join(", "), b: days.join(", "), by: source};
    const isOther = values.a !== values.b;
    compared.push(isOther ? conflict("sale_days", values, {difference: null, tolerance: null}) : null);
  }
  return compared.length === 0 ? null : compared.filter((found) => found !== null);
}

function sourceOf({facts}: Venue, field: string): string {
  return facts.find(({fields}) => fields.includes(field))?.source ?? facts[0]!.source;
}

/** A venue with what a list adds to it, each with its source. */
function withFacts(venue: Venue, {file, source, ...given}: Given): Venue {
  const slugs = given.slugs.filter((slug) => !venue.reportSlugs.includes(slug));
  const hasDays = venue.schedule === null && given.days.length > 0;
  const point = venue.lat === null ? given.point : null;
  const contact = Object.entries(given.contact).filter(
    ([name, value]) => value !== null && venue[name as keyof Given["contact"]] === null,
  );
  const facts: [string[], MarketSourceId][] = [
    [slugs.length === 0 ? [] : ["reportSlugs"], "ams-lmr-datamart"],
    [hasDays ? ["schedule"] : [], source],
    [point === null ? [] : ["lat", "lon"], "open-map-parcel-context"],
    [contact.map(([name]) => name), source],
  ];
  const cited = facts.filter(([fields]) => fields.length > 0);
  return {
    ...venue,
    ...Object.fromEntries(contact),
    reportSlugs: [...new Set([...venue.reportSlugs, ...slugs])].sort(),
    ...(hasDays && {schedule: given.schedule}),
    ...(point !== null && {...point, locationBasis: "city_centroid" as const}),
    facts: [...venue.facts, ...cited.map(([fields, by]) => factOf(file, fields, by))],
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
