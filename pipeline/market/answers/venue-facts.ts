import {type County, counties, countyAt, countyOf} from "../../../lib/geography/counties.ts";
import {distanceMiles, type Point, roundedMiles} from "../../../lib/geography/distance.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import {column} from "../../../schemas/described-file.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {fillTable} from "../files/record-table.ts";
import {pointOfTown} from "../geo/places.ts";
import {bareVenue} from "../venues.ts";
import {estimate} from "./bounds.ts";

/** Facts of a venue that price records need. */
export type VenueFacts = {
  venueId: string;
  name: string;
  city: string | null;
  state: string;
  /** `Town, ST`. */
  place: string;
  /** Only of located venues: the county that holds its coordinates. */
  countyFips: string | null;
  countyName: string | null;
  countyVintage: string | null;
  /** Only of located venues (sale yard or middle of the town). */
  point: Point | null;
};

type Seen = {venue_id: string; venue_name: string | null; city: string | null; state: string | null};

/**
 * Registered venues and those that only the reports name, by id. On a sample build only venues that the sample's reports
 * name, so that generated and real venues never stand side by side.
 */
export async function gatherVenues(
  db: Database,
  registered: readonly Venue[],
  sample: boolean,
): Promise<{facts: Map<string, VenueFacts>; venues: Venue[]}> {
  const seen = await db.rows<Seen>(`
    SELECT venue_id, max(venue_name) AS venue_name, max(city) AS city, max(state) AS state
    FROM venues_seen WHERE venue_id IS NOT NULL GROUP BY venue_id ORDER BY venue_id`);
  const seenIds = new Set(seen.map((venue) => venue.venue_id));
  const known = new Set(registered.map((venue) => venue.venueId));
  const venues = [
    ...registered.filter((venue) => !sample || seenIds.has(venue.venueId)),
    ...seen.filter((venue) => !known.has(venue.venue_id)).flatMap(unregistered),
  ]
    .map(placed)
    .sort((a, b) => (a.venueId < b.venueId ? -1 : 1));
  return {facts: new Map(venues.map((venue) => [venue.venueId, factsOf(venue)])), venues};
}

/** A venue that nobody located, at the middle of the town that its reports or a roster name, where the table of places has it. */
function placed(venue: Venue): Venue {
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

/** The facts of one venue; its county is that of its coordinates, where it is located. */
export function factsOf(venue: Venue): VenueFacts {
  const located = venue.locationBasis === "yard" || venue.locationBasis === "city_centroid";
  const point = located && venue.lat !== null && venue.lon !== null ? {lat: venue.lat, lon: venue.lon} : null;
  const fips = located
    ? (venue.countyFips ?? (point === null ? null : (countyAt(point)?.fips ?? null)))
    : null;
  const county = fips === null ? undefined : countyOf(fips);
  return {
    venueId: venue.venueId,
    name: venue.name,
    city: venue.city,
    state: venue.state,
    place: venue.city === null ? venue.state : `${venue.city}, ${venue.state}`,
    countyFips: fips,
    countyName: county?.fullName ?? null,
    countyVintage: county?.vintage ?? null,
    point,
  };
}

type Places = {facts: ReadonlyMap<string, VenueFacts>; venues: readonly Venue[]};

/**
 * Makes the tables of places: `county_places`, `venue_places` with its located part `venue_counties`, `near_venues`, the located venues
 * within reach of each county with their miles, and `venues_known`, the venues of each state that are not closed.
 */
export async function makePlaces(db: Database, {facts, venues}: Places): Promise<void> {
  const located = [...facts.values()].flatMap((venue) =>
    venue.point === null ? [] : [{...venue, point: venue.point}],
  );
  const open = venues.filter(({statements}) => !statements.some(({status}) => status === "closed"));
  const known = [...Map.groupBy(open, ({state}) => state)].map(([state, {length}]) => ({
    state,
    venues_known: length,
  }));
  const texts = (...names: string[]) => names.map((name) => column(name, "VARCHAR", ""));
  const numbers = (...names: string[]) => names.map((name) => column(name, "DOUBLE", ""));
  const county = texts("county_fips", "county_name", "county_vintage", "state");
  await fillTable(db, "county_places", [...county, ...numbers("lat", "lon")], counties().map(countyRow));
  await fillTable(
    db,
    "venue_places",
    [...texts("venue_id", "venue_name", "city", "place"), ...county, ...numbers("lat", "lon")],
    [...facts.values()].map(venueRow),
  );
  await fillTable(
    db,
    "near_venues",
    [...texts("county_fips", "venue_id"), ...numbers("distance_mi")],
    nearVenues(located),
  );
  await fillTable(db, "venues_known", [...texts("state"), column("venues_known", "INTEGER", "")], known);
  await db.run(`CREATE OR REPLACE TEMP VIEW venue_counties AS
    SELECT venue_id, county_fips FROM venue_places WHERE county_fips IS NOT NULL`);
}

function countyRow({fips, fullName, vintage, state, point}: County): Record<string, unknown> {
  return {county_fips: fips, county_name: fullName, county_vintage: vintage, state, ...point};
}

function venueRow({
  venueId,
  name,
  city,
  place,
  state,
  countyFips,
  countyName,
  countyVintage,
  point,
}: VenueFacts) {
  const county = {county_fips: countyFips, county_name: countyName, county_vintage: countyVintage};
  return {venue_id: venueId, venue_name: name, city, place, state, ...county, ...point};
}

/** Miles are measured here: sine and cosine of SQL are not the same on each machine. */
function* nearVenues(
  located: readonly {venueId: string; point: Point}[],
): Generator<Record<string, unknown>> {
  for (const {fips, point: from} of counties()) {
    for (const {venueId, point} of located) {
      // A degree of latitude has 69 miles.
      if (Math.abs(point.lat - from.lat) * 68 > estimate.maxMiles) continue;
      const miles = distanceMiles(from, point);
      if (miles <= estimate.maxMiles)
        yield {county_fips: fips, venue_id: venueId, distance_mi: roundedMiles(miles)};
    }
  }
}

function unregistered({venue_id, venue_name, city, state}: Seen): Venue[] {
  return state === null
    ? []
    : [bareVenue({venueId: venue_id, name: venue_name ?? city ?? venue_id, city, state})];
}

/**
 * Adds to the report of each file the venues that its price rows name and the registry does not know, with the place at which
 * they were located.
 */
export async function withUnregisteredVenues(
  db: Database,
  reports: readonly FileReport[],
  facts: ReadonlyMap<string, VenueFacts>,
): Promise<FileReport[]> {
  const rows = await db.rows<{path: string; venue_id: string}>(`
    SELECT DISTINCT source_path AS path, venue_id FROM price_rows
    WHERE venue_id IN (SELECT venue_id FROM venues_seen GROUP BY venue_id HAVING NOT bool_or(registered))
    ORDER BY path, venue_id`);
  const byPath = Map.groupBy(rows, ({path}) => path);
  return reports.map((report) => {
    const named = byPath.get(report.path);
    if (named === undefined) return report;
    return {...report, unregisteredVenues: named.map(({venue_id: id}) => placeWords(id, facts.get(id)))};
  });
}

function placeWords(id: string, venue: VenueFacts | undefined): string {
  const town = venue?.place ?? "no town";
  return venue?.countyFips == null
    ? `${id}: ${town}, not located`
    : `${id}: ${town}, located by its town in county ${venue.countyFips}`;
}
