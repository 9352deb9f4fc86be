import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {counties, countyAt, countyOf} from "../../../lib/geography/counties.ts";
import {roundedMiles} from "../../../lib/geography/distance-band.ts";
import {townOf} from "../../../lib/market/implications.ts";
import {estimate} from "../../../lib/market/pricing-rules.ts";
import {model, value} from "../../../lib/models/model.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {pointOfTown} from "../reference/town-points.ts";
import {isOnlyId} from "../reference/venue-ids.ts";
import {bareVenue} from "../reference/venues.ts";

type Seen = {venue_id: string; venue_name: string | null; city: string | null; state: string | null};

/**
 * Registered venues, and those that only reports name, by id. A sample build has only venues that the sample's reports name, so
 * that generated and real venues are never mixed.
 */
export async function gatherVenues(
  db: Database,
  registered: readonly Venue[],
  sample: boolean,
): Promise<Venue[]> {
  const seen = await db.rows<Seen>(`
    SELECT venue_id, max(venue_name) AS venue_name, max(city) AS city, max(state) AS state
    FROM venues_seen WHERE venue_id IS NOT NULL GROUP BY venue_id ORDER BY venue_id`);
  const seenIds = new Set(seen.map((venue) => venue.venue_id));
  const known = new Map(registered.map((venue) => [venue.venueId, venue]));
  const isKnown = (venue: Venue | undefined) => venue !== undefined && !isOnlyId(venue);
  return [
    ...registered.filter((venue) => isKnown(venue) && (!sample || seenIds.has(venue.venueId))),
    ...seen
      .filter(({venue_id}) => !isKnown(known.get(venue_id)))
      .flatMap((venue) => venueFromReports(venue, known.get(venue.venue_id))),
  ]
    .map(locateByTown)
    .sort((a, b) => (a.venueId < b.venueId ? -1 : 1));
}

/**
 * Locates a venue without a location at the centre of the town that its reports or a roster name, if the table of places has
 * that town.
 */
function locateByTown(venue: Venue): Venue {
  const town =
    venue.locationBasis === "unknown" && venue.lat === null && venue.city !== null
      ? pointOfTown(venue.city, venue.state)
      : null;
  const county = town === null ? undefined : countyAt(town.point);
  if (town === null || county?.state !== venue.state) return venue;
  return {
    ...venue,
    ...town.point,
    countyFips: county.fips,
    locationBasis: "city_centroid",
    locationAccuracyM: town.accuracyM,
  };
}

/** The location of a venue for its records. Only a located venue has a point and a county; for others both are null. */
export function locationOf(venue: Venue) {
  const located = venue.locationBasis === "yard" || venue.locationBasis === "city_centroid";
  const point = located && venue.lat !== null && venue.lon !== null ? {lat: venue.lat, lon: venue.lon} : null;
  const fips = located
    ? (venue.countyFips ?? (point === null ? null : (countyAt(point)?.fips ?? null)))
    : null;
  const county = fips === null ? undefined : countyOf(fips);
  return {
    county_fips: fips,
    county_name: county?.fullName ?? null,
    county_vintage: county?.vintage ?? null,
    /** Only for located venues (sale yard or town centre). */
    point,
  };
}

/** The venues of this build, each as it is on the as-of date. */
export const marketVenues = value<readonly Venue[]>("venues");

/** Every county with its point. */
export const county_places = model({
  name: "county_places",
  columns: {VARCHAR: "county_fips county_name county_vintage state", DOUBLE: "lat lon"},
  materialise: "table",
  rows: () =>
    counties().map(({fips, fullName, vintage, state, point: at}) => {
      return {county_fips: fips, county_name: fullName, county_vintage: vintage, state, ...at};
    }),
});

/** Every venue with its place: only a located one has a county and a point. */
export const venue_places = model({
  name: "venue_places",
  columns: {
    VARCHAR: "venue_id venue_name city place county_fips county_name county_vintage state",
    DOUBLE: "lat lon",
    BOOLEAN: "closed",
  },
  materialise: "table",
  computedIn: ["data/reference/venues.json"],
  rows: async (run) =>
    (await run.value(marketVenues)).map((venue) => {
      const {venueId: venue_id, name: venue_name, city, state} = venue;
      const location = locationOf(venue);
      const closed = venue.statements.some(({status}) => status === "closed");
      return {
        venue_id,
        venue_name,
        city,
        state,
        place: townOf(venue),
        closed,
        ...location,
        ...location.point,
      };
    }),
});

/** The counties of located venues. */
export const venue_counties = model({
  name: "venue_counties",
  reads: [venue_places],
  columns: {VARCHAR: "venue_id county_fips"},
  materialise: "view",
  sql: ({venue_places}) => `SELECT venue_id, county_fips FROM ${venue_places} WHERE county_fips IS NOT NULL`,
});

/** The number of venues in each state that are not closed. */
export const venues_known = model({
  name: "venues_known",
  reads: [venue_places],
  columns: {VARCHAR: "state", INTEGER: "venues_known"},
  materialise: "view",
  sql: ({venue_places}) =>
    `SELECT state, count(*)::INTEGER AS venues_known FROM ${venue_places} WHERE NOT closed GROUP BY state`,
});

/** The located venues within reach of each county, with distances in miles. */
export const near_venues = model({
  name: "near_venues",
  columns: {VARCHAR: "county_fips venue_id", DOUBLE: "distance_mi"},
  materialise: "table",
  rows: async (run) =>
    nearVenues(
      (await run.value(marketVenues)).map((venue) => ({
        venue_id: venue.venueId,
        point: locationOf(venue).point,
      })),
    ),
});

/** Distances are computed here because sine and cosine in SQL differ between machines. */
function* nearVenues(venues: readonly {venue_id: string; point: Point | null}[]): Generator<object> {
  for (const {fips: county_fips, point: from} of counties()) {
    for (const {venue_id, point} of venues) {
      // A degree of latitude has 69 miles; 68 leaves a margin.
      if (point === null || Math.abs(point.lat - from.lat) * 68 > estimate.maxMiles) continue;
      const miles = distanceMiles(from, point);
      if (miles <= estimate.maxMiles) yield {county_fips, venue_id, distance_mi: roundedMiles(miles)};
    }
  }
}

/** A venue that only reports name; names of earlier builds are aliases. */
function venueFromReports({venue_id, venue_name, city, state}: Seen, earlier: Venue | undefined): Venue[] {
  if (state === null) return [];
  const name = venue_name ?? city ?? venue_id;
  const former = earlier === undefined ? [] : [...earlier.aliases, earlier.name];
  const aliases = [...new Set(former)].filter((alias) => alias !== name).sort();
  return [{...bareVenue({venueId: venue_id, name, city, state}), aliases}];
}

/**
 * Adds to each file report the venues that its price rows name and the registry lacks, with the place at which each was
 * located.
 */
export async function withUnregisteredVenues(
  db: Database,
  reports: readonly FileReport[],
  venues: readonly Venue[],
): Promise<FileReport[]> {
  const rows = await db.rows<{path: string; venue_id: string}>(`
    SELECT DISTINCT source_path AS path, venue_id FROM price_rows
    WHERE venue_id IN (SELECT venue_id FROM venues_seen GROUP BY venue_id HAVING NOT bool_or(registered))
    ORDER BY path, venue_id`);
  const byPath = Map.groupBy(rows, ({path}) => path);
  const byId = new Map(venues.map((venue) => [venue.venueId, venue]));
  return reports.map((report) => {
    const named = byPath.get(report.path);
    if (named === undefined) return report;
    return {...report, unregisteredVenues: named.map(({venue_id: id}) => placeWords(id, byId.get(id)))};
  });
}

function placeWords(id: string, venue: Venue | undefined): string {
  const town = venue === undefined ? "no town" : townOf(venue);
  const county = venue && locationOf(venue).county_fips;
  return county == null
    ? `${id}: ${town}, not located`
    : `${id}: ${town}, located by its town in county ${county}`;
}
