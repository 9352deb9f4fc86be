import {foldedCountyName} from "../../lib/geography/counties.ts";
import type {BarnKey} from "./record-tables.ts";

/** The filters of a question on venues; `codes` are the FIPS codes of its county. */
export type AskedVenues = {
  readonly state?: string | undefined;
  readonly county?: string | undefined;
  readonly venue?: string | undefined;
  readonly codes: readonly string[];
};

/**
 * True for a venue of the state, the county and the name of a question. A county's name also finds venues by the name of their own county,
 * whose code may be newer than the county table.
 */
export function isAskedVenue(key: BarnKey, {state, county, venue, codes}: AskedVenues): boolean {
  if (venue !== undefined && !isNamed(key, venue)) return false;
  if (state !== undefined && key.state !== state) return false;
  if (county === undefined) return true;
  if (key.countyFips !== null && codes.includes(key.countyFips)) return true;
  return !/^\d/.test(county) && foldedCountyName(key.countyName ?? "") === foldedCountyName(county);
}

/** Gives the day of the newest sale that the venues of a question reported; null where it means none, or none of them reported. */
export function lastSaleOf(keys: readonly BarnKey[], asked: AskedVenues): string | null {
  const days = keys.flatMap((key) => (isAskedVenue(key, asked) ? (key.lastSaleDate ?? []) : []));
  return days.sort().at(-1) ?? null;
}

/** True for the barn of an id, and for one whose name and town hold all words, each as a word or its beginning. */
function isNamed({venueId, venueName, city}: BarnKey, asked: string): boolean {
  if (venueId === asked.toLowerCase()) return true;
  const words = wordsOf(`${venueName} ${city}`);
  const wanted = wordsOf(asked);
  return wanted.length > 0 && wanted.every((word) => words.some((each) => each.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
