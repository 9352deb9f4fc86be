import {distanceMiles} from "@open-cattle/parcel-outlines";
import {roundedMiles} from "../../../lib/geography/distance-band.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {Venue, VenueSchedule, Weekday} from "../../../schemas/vocabulary/venue.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {isOnlyId} from "../reference/venue-ids.ts";
import {bareVenue, venueIdFrom} from "../reference/venues.ts";
import {citedSource, entityName, type ListFile} from "../signals/lists/list-reader.ts";
import type {Listing} from "../signals/lists/listing.ts";

type MergedVenues = {
  readonly venues: Venue[];
  /** Contradictions of each venue for which a roster gives a place or a sale day; empty if it agrees with the registry. */
  readonly contradictions: ReadonlyMap<string, Contradiction[]>;
};

/**
 * Adds rosters to the venue registry: unknown venues and report numbers, and sale days, point, street, ZIP, phone and website
 * where the registry has none. Registry facts win; a roster that differs in place or day gives a contradiction.
 */
export function mergeListings(registered: readonly Venue[], lists: readonly ListFile[]): MergedVenues {
  const venues = new Map(registered.map((venue) => [venue.venueId, venue]));
  const contradictions = new Map<string, Contradiction[]>();
  for (const {file, reading} of lists) {
    const known = [...venues.values()];
    const byVenue = Map.groupBy(
      reading.listings,
      (listing) =>
        venueOf(known, listing) ??
        (reading.list.feed === "psd" ? venueOfRegistrant(known, listing) : undefined) ??
        venueIdFrom(
          listing.state,
          `${listing.city ?? ""} ${reading.list.feed === "psd" ? entityName(listing.name) : listing.name}`,
        ),
    );
    for (const [found, lines] of byVenue) {
      const listed = listedFacts(lines, file, citedSource(reading.list));
      const {name, city, state} = lines[0]!;
      const cited = lines[0]!.slug === null ? listed.source : "ams-lmr-datamart";
      const nameFact = factOf(file, ["name", "city", "state"], cited);
      if (typeof found !== "string") {
        const conflicts = isOnlyId(found) ? null : conflictsOf(found, listed);
        if (conflicts !== null)
          contradictions.set(found.venueId, [...(contradictions.get(found.venueId) ?? []), ...conflicts]);
        if (!isOnlyId(found)) venues.set(found.venueId, withFacts(found, listed));
        else if (reading.list.feed !== "dealers")
          venues.set(found.venueId, withFacts(knownAgain(found, lines, nameFact), listed));
      } else if (city !== null && reading.list.feed !== "dealers") {
        // A licence list adds no venues. Neither does a line without a town, which is a report on several markets rather than a
        // barn.
        const short = venueIdFrom(state, city);
        const venueId = venues.has(short) ? found : short;
        venues.set(
          venueId,
          withFacts({...bareVenue({venueId, name, city, state}), facts: [nameFact]}, listed),
        );
      }
    }
  }
  return {venues: [...venues.values()].sort((a, b) => (a.venueId < b.venueId ? -1 : 1)), contradictions};
}

/** A venue known by its id of an earlier build, under the name of a roster: the former name is an alias. */
function knownAgain(venue: Venue, lines: readonly Listing[], nameFact: Venue["facts"][number]): Venue {
  const {name, city} = lines[0]!;
  const aliases = [...venue.aliases, venue.name].filter((alias) => alias !== name);
  return {
    ...venue,
    name,
    city: city ?? venue.city,
    aliases: [...new Set(aliases)].sort(),
    // Those of the roster come with their source.
    reportSlugs: venue.reportSlugs.filter((slug) => lines.every((line) => line.slug !== slug)),
    facts: [nameFact],
  };
}

/** What the lines of one list state about one venue, and how to cite it. */
type ListedFacts = ReturnType<typeof listedFacts>;

function listedFacts(lines: readonly Listing[], file: RawFile, source: MarketSourceId) {
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

/** Finds a venue by report number, else by state, town and name; a roster may omit the town. */
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

/** Words that many barns have in their names. */
const commonWords =
  /\b(livestock|auctions?|stock ?yards?|markets?|marketing|commission|sales?|barn|cattle|exchange|yards?|center)\b/g;

/**
 * Finds the venue of a federal registrant by ZIP and folded name, else by town and folded name: first without legal forms, then without
 * the words that many barns have too. Undefined where several venues fit.
 */
function venueOfRegistrant(venues: readonly Venue[], {state, city, zip, name}: Listing): Venue | undefined {
  const town = city === null ? null : venueIdFrom(state, city);
  const inZip = venues.filter((venue) => venue.state === state && zip !== null && venue.zip === zip);
  const inTown = venues.filter(
    (venue) => venue.state === state && venue.city !== null && venueIdFrom(state, venue.city) === town,
  );
  const core = (text: string) => entityName(text).replaceAll(commonWords, " ").replaceAll(/\s+/g, " ").trim();
  for (const [places, fold] of [
    [inZip, entityName],
    [inTown, entityName],
    [inZip, core],
    [inTown, core],
  ] as const) {
    const wanted = fold(name);
    const fits = places.filter((venue) =>
      [venue.name, ...venue.aliases].some((own) => wanted !== "" && fold(own) === wanted),
    );
    if (fits.length === 1) return fits[0];
  }
  return undefined;
}

/** Maximum distance between two locations of one venue before they disagree (`docs/design/market.md` section 6). */
const placeToleranceMiles = 5;

/** Contradictions between a list and the registry on place and sale days; null if there is nothing to compare. */
function conflictsOf(venue: Venue, {file, source, point, days}: ListedFacts): Contradiction[] | null {
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

/** Adds a list's facts to a venue, each with its source. */
function withFacts(venue: Venue, {file, source, ...given}: ListedFacts): Venue {
  const slugs = given.slugs.filter((slug) => !venue.reportSlugs.includes(slug));
  const hasDays = venue.schedule === null && given.days.length > 0;
  const point = venue.lat === null ? given.point : null;
  const contact = Object.entries(given.contact).filter(
    ([name, value]) => value !== null && venue[name as keyof ListedFacts["contact"]] === null,
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

/** A fact stated by a roster, dated by its fetch. */
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
 * A weekly sale on the given days. If lines state several times, none is used, because they are not tied to a day. A roster
 * verifies nothing with the venue, so `verifiedAt` stays null.
 */
function weeklySchedule(days: readonly Weekday[], listings: readonly Listing[]): VenueSchedule {
  const times = new Set(listings.filter(({saleDays}) => saleDays.length > 0).map(({saleTime}) => saleTime));
  const [time = null] = times.size === 1 ? times : [];
  const text = listings.flatMap(({saleDaysText}) => saleDaysText ?? []).join("; ");
  const regular = {kind: "regular" as const, classes: [], frequency: "weekly" as const};
  const unstated = {nth: [], anchor_date: null, dates: [], start_time_local: time, season: null};
  return {
    rules: days.map((weekday) => ({...regular, weekday, ...unstated})),
    exceptions: [],
    text: text === "" ? null : text,
    verifiedAt: null,
    verifiedBy: null,
  };
}
