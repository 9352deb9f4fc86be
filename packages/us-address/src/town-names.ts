import {addressWords} from "./address-words.ts";
import {beginsPlace, directionals} from "./directionals.ts";
import type {LineWords} from "./line-words.ts";
import type {AddressContext} from "./parsed-address.ts";
import {streetTypes} from "./street-types.ts";

/** Words of the longest town that a line without commas may end in. */
export const longestTown = 5;

/**
 * Larger towns of two or more words (public geography), for lines without a comma before the town when the
 * caller has no list of places.
 */
export const townNames: ReadonlySet<string> = new Set(addressWords.towns);

/**
 * Index of the longest tail of a line without commas that is a known place of the state, or null. When the
 * line has neither state nor ZIP, the tail must follow a complete street: `500 VAN BUREN` is not the street
 * VAN in a place BUREN.
 */
export function knownTownFrom(
  {words, breaks}: LineWords,
  scope: {at: number; end: number; locality: boolean; state: string | null; context: AddressContext},
): number | null {
  const {at, end, locality, state, context} = scope;
  // Without a list of places, a state or ZIP at the end makes the larger towns of two or more words
  // recognisable.
  const isKnownPlace = context.isKnownPlace ?? (locality ? isTownName : null);
  if (isKnownPlace === null || hasBreak(breaks, at + 1, end)) return null;
  const place = state ?? context.state ?? null;
  if (end - at < 2) return null;
  for (let from = Math.max(at + 1, end - longestTown); from < end; from++) {
    if (!mayEnd(words, {at, from, end, locality})) continue;
    if (!isKnownPlace(words.slice(from, end).join(" "), place)) continue;
    // The list may have PALM BEACH where the line says W PALM BEACH.
    const isPart = from - 1 > at && beginsPlace(words[from - 1]!, words[from]!, words[from + 1] ?? "");
    return isPart ? from - 1 : from;
  }
  return null;
}

function mayEnd(
  words: readonly string[],
  {at, from, end, locality}: {at: number; from: number; end: number; locality: boolean},
): boolean {
  const before = words[from - 1]!;
  const finished =
    from - 1 > at && (streetTypes.has(before) || directionals.has(before) || /\d/.test(before));
  if (finished) return true;
  if (!locality || directionals.has(before)) return false;
  // A single type word, with no other type before it, is the type of the street.
  return end - from > 1 || !streetTypes.has(words[from]!);
}

function hasBreak(breaks: readonly boolean[], from: number, end: number): boolean {
  const at = breaks.indexOf(true, from);
  return at >= 0 && at < end;
}

function isTownName(name: string): boolean {
  return townNames.has(name);
}
