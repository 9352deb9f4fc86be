import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../lib/errors.ts";
import {referenceDir} from "../../lib/paths.ts";
import {type Venue, VenueFile} from "../../schemas/venue.ts";

/**
 * The venues of `data/reference/venues.json`, in file order.
 * Throws a ConfigError that names the venue and field for a malformed file, a doubled id or a report slug of two venues.
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

/** The venue that a report slug belongs to, with or without the `ams-` in front; undefined when the registry has none. */
export function venueOfReport(venues: readonly Venue[], slug: string): Venue | undefined {
  const full = /^\d+$/.test(slug) ? `ams-${slug}` : slug.toLowerCase();
  return venues.find((venue) => venue.reportSlugs.includes(full));
}

/** An auction of which no more is known than id, name and town: the rest is null, unknown or empty. */
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

/** The stable id of a venue: state and the words of its town or name, in lower case with hyphens. */
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
  if (doubled !== undefined) throw new ConfigError(`${path}: ${what} ${doubled} stands there twice.`);
}
