import {addressWords, bySpelling, wordSet} from "./address-words.ts";
import type {LineWords} from "./line-words.ts";

/**
 * Directionals by every accepted spelling (USPS Publication 28, appendix B, and those printed on tax rolls).
 */
export const directionals = bySpelling(addressWords.directionals);

const spelled: ReadonlySet<string> = new Set(["NORTH", "SOUTH", "EAST", "WEST"]);

/** Parses a directional of one or two words at `at` (`S`, `SOUTH WEST`, `N E`); null when there is none. */
export function directionalAt(
  words: readonly string[],
  at: number,
  end: number,
): {dir: string; next: number} | null {
  if (at >= end) return null;
  const first = words[at]!;
  const dir = directionals.get(first);
  if (dir === undefined) return null;
  const second = at + 1 < end ? words[at + 1]! : "";
  // `N EAST ST` is north on East Street: two words form one directional only when both are spelled out or
  // both abbreviated.
  const alike = spelled.has(first) ? spelled.has(second) : first.length === 1 && second.length === 1;
  const other = alike ? directionals.get(second) : undefined;
  if ((dir === "N" || dir === "S") && (other === "E" || other === "W"))
    return {dir: dir + other, next: at + 2};
  return {dir, next: at + 1};
}

/** True for a unit after NO, which is then short for number: digits, or a letter that is no directional. */
export function mayFollowNo(word: string): boolean {
  return /\d/.test(word) || (/^[A-Z]$/.test(word) && !directionals.has(word));
}

// Words after a spelled-out directional that make it part of a town's name, not of the street.
const afterDirectional = new Map(
  Object.entries(addressWords.townsAfterDirectional).map(([dir, words]) => [dir, wordSet(words)]),
);
// The same for single letters; they belong to the street unless the town is hardly ever named without one.
const afterLetter: ReadonlySet<string> = new Set(addressWords.townsAfterLetter);

/**
 * True when a directional and the next words start the name of a larger town: `SOUTH HOLLAND`, `EAST ST
 * LOUIS`.
 */
export function beginsPlace(directional: string, next: string, third: string): boolean {
  if (next === "PALM") return third === "BEACH";
  if (directional.length === 1) return afterLetter.has(`${directional} ${next}`);
  if (!afterDirectional.has(directional)) return false;
  if (next === "ST" || next === "SAINT")
    return third === "PAUL" || (third === "LOUIS" && directional === "EAST");
  return afterDirectional.get(directional)!.has(next);
}

/**
 * Parses a directional after a complete street and returns the index after it. Null when there is none, when
 * it starts a town's name (`SOUTH HOLLAND`), or when it is a letter between a comma and another word (`, E
 * ORANGE`).
 */
export function postDirectional(
  {words, breaks}: LineWords,
  {at, end}: {at: number; end: number},
): {dir: string; next: number} | null {
  // In `AVENUE NORTH, WEST MEMPHIS` the comma ends the first directional.
  const dir = directionalAt(words, at, breaks[at + 1] ? Math.min(end, at + 1) : end);
  if (dir === null) return null;
  const word = words[at]!;
  const isLast = dir.next >= end || breaks[dir.next] === true;
  const follower = isLast ? "" : words[dir.next]!;
  if (word === "NO" && mayFollowNo(follower)) return null;
  if (breaks[at] && dir.dir.length === 1 && follower !== "") return null;
  const third = follower !== "" && dir.next + 1 < end ? words[dir.next + 1]! : "";
  return beginsPlace(word, follower, third) ? null : dir;
}

/**
 * Parses a directional at the end of a name without type (`400 SOUTH`) and returns its first index; null when
 * there is none.
 */
export function trailingDirectional(
  words: readonly string[],
  {at, end}: {at: number; end: number},
): {dir: string; from: number} | null {
  const two = end - 2 > at ? directionalAt(words, end - 2, end) : null;
  if (two !== null && two.next === end) return {dir: two.dir, from: end - 2};
  const one = directionalAt(words, end - 1, end);
  return one === null ? null : {dir: one.dir, from: end - 1};
}
