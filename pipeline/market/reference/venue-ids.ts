import {existsSync} from "node:fs";
import {join} from "node:path";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {bareVenue, venueIdFrom} from "./venues.ts";

/** The id of a venue, given when it first appeared, with all by which it is known again. */
export type VenueId = {
  venue_id: string;
  state: string;
  city: string | null;
  /** Names, the current one first. */
  names: string[];
  report_slugs: string[];
  /** Ids that proved to be of the same yard, later ones than this. */
  other_ids: string[];
  first_seen: string;
};

/** The ids that earlier builds gave, the oldest first; none without a previous build or its table. */
export async function readVenueIds(db: Database, previousDir: string | null): Promise<VenueId[]> {
  const path = previousDir === null ? null : join(previousDir, tablePath("venue_ids"));
  if (path === null || !existsSync(path)) return [];
  return db.rows<VenueId>(
    `SELECT * REPLACE (first_seen::VARCHAR AS first_seen) FROM ${parquetRelation(path)} ORDER BY first_seen, venue_id`,
  );
}

/**
 * The venues with the ids that earlier builds gave them, known again by report number, else by town and name; then those that only
 * earlier builds knew, without facts, so that rosters and reports find them. Of several ids of one yard the oldest stands, and the others
 * are aliases, as are former names.
 */
export function withKeptIds(venues: readonly Venue[], kept: readonly VenueId[]): Venue[] {
  const registered = new Set(venues.map(({venueId}) => venueId));
  const found = new Set<string>();
  const known = venues.map((venue): Venue => {
    const same = kept.filter(
      (id) => id.venue_id === venue.venueId || (!registered.has(id.venue_id) && isSame(id, venue)),
    );
    const [oldest] = same;
    if (oldest === undefined) return venue;
    for (const {venue_id} of same) found.add(venue_id);
    const ids = [venue.venueId, ...same.flatMap(({venue_id, other_ids}) => [venue_id, ...other_ids])];
    const aliases = [...venue.aliases, ...same.flatMap(({names}) => names), ...ids].filter(
      (alias) => alias !== venue.name && alias !== oldest.venue_id,
    );
    return {...venue, venueId: oldest.venue_id, aliases: [...new Set(aliases)].sort()};
  });
  const others = kept.filter(({venue_id}) => !found.has(venue_id));
  return [...known, ...others.map(onlyKnownById)];
}

/** True for a venue of which nothing but its former id is known: no registry, roster or report of this build names it. */
export function isOnlyId({facts}: Venue): boolean {
  return facts.length === 0;
}

function onlyKnownById({venue_id, state, city, names, report_slugs, other_ids}: VenueId): Venue {
  const [name = venue_id, ...former] = names;
  const venue = bareVenue({venueId: venue_id, name, city, state});
  return {...venue, aliases: [...former, ...other_ids].sort(), reportSlugs: report_slugs};
}

function isSame(id: VenueId, venue: Venue): boolean {
  if (id.report_slugs.some((slug) => venue.reportSlugs.includes(slug))) return true;
  const folded = (text: string) => venueIdFrom(venue.state, text);
  if (id.state !== venue.state || id.city === null || venue.city === null) return false;
  const names = new Set([venue.name, ...venue.aliases].map(folded));
  return folded(id.city) === folded(venue.city) && id.names.some((name) => names.has(folded(name)));
}
