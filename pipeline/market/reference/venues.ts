import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../../lib/errors.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {type Venue, VenueFile} from "../../../schemas/vocabulary/venue.ts";

/**
 * The venues of `data/reference/venues.json`, in file order. Throws a ConfigError that names venue and field of a malformed
 * file, a duplicate id, or a report slug that two venues have.
 */
export function loadVenues(path: string = join(referenceDir, "venues.json")): Venue[] {
  const parsed = VenueFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
  refuseDoubles(
    path,
    "venue id",
    parsed.data.map((venue) => venue.venueId),
  );
  refuseDoubles(
    path,
    "report slug",
    parsed.data.flatMap((venue) => venue.reportSlugs),
  );
  return parsed.data;
}

/** The venue with a report slug, with or without the prefix `ams-`; undefined if the registry has none. */
export function venueOfReport(venues: readonly Venue[], slug: string): Venue | undefined {
  const full = /^\d+$/.test(slug) ? `ams-${slug}` : slug.toLowerCase();
  return venues.find((venue) => venue.reportSlugs.includes(full));
}

/** An auction known only by id, name and town; everything else is null, unknown or empty. */
export function bareVenue({
  venueId,
  name,
  city,
  state,
}: Pick<Venue, "venueId" | "name" | "city" | "state">): Venue {
  return {
    venueId,
    name,
    aliases: [],
    venueType: "auction",
    city,
    state,
    zip: null,
    streetAddress: null,
    phone: null,
    website: null,
    countyFips: null,
    lat: null,
    lon: null,
    locationBasis: "unknown",
    locationAccuracyM: null,
    reportSlugs: [],
    schedule: null,
    statements: [],
    facts: [],
  };
}

/** The stable id of a venue: state and a slug of its town or name. */
export function venueIdFrom(state: string, words: string): string {
  const slug = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]|['’.]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${state.toLowerCase()}-${slug}`;
}

function refuseDoubles(path: string, what: string, values: readonly string[]): void {
  const doubled = values.find((value, index) => values.indexOf(value) !== index);
  if (doubled !== undefined) throw new ConfigError(`${path}: ${what} ${doubled} is listed twice.`);
}
