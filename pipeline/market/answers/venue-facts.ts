import {countyAt, countyOf} from "../../../lib/geography/counties.ts";
import type {Point} from "../../../lib/geography/distance.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {pointOfTown} from "../geo/places.ts";
import {bareVenue} from "../venues.ts";

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

/** Makes `venue_counties`, the county of each located venue. */
export async function makeVenueCounties(db: Database, facts: ReadonlyMap<string, VenueFacts>): Promise<void> {
  const located = [...facts.values()].filter(({countyFips}) => countyFips !== null);
  const values = located.map(({venueId, countyFips}) => `(${sqlText(venueId)}, ${sqlText(countyFips!)})`);
  await db.run(`CREATE OR REPLACE TEMP TABLE venue_counties (venue_id VARCHAR, county_fips VARCHAR);
    ${values.length === 0 ? "" : `INSERT INTO venue_counties VALUES ${values.join(", ")}`}`);
}

function unregistered({venue_id, venue_name, city, state}: Seen): Venue[] {
  return state === null
    ? []
    : [bareVenue({venueId: venue_id, name: venue_name ?? city ?? venue_id, city, state})];
}
