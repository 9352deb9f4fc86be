import {beginsPlace, directionalAt} from "./directionals.ts";
import type {LineWords} from "./line-words.ts";

/**
 * Reads a directional after a finished street, with the index after it; null when no directional follows, when it begins
 * the name of a town (`SOUTH HOLLAND`), or when it is a letter between a comma and another word (`, E ORANGE`).
 */
export function postDirectional(
  {words, breaks}: LineWords,
  {at, end}: {at: number; end: number},
): {dir: string; next: number} | null {
  // The comma of `AVENUE NORTH, WEST MEMPHIS` ends the first directional.
  const dir = directionalAt(words, at, breaks[at + 1] ? Math.min(end, at + 1) : end);
  if (dir === null) return null;
  const word = words[at]!;
  const isLast = dir.next >= end || breaks[dir.next] === true;
  const follower = isLast ? "" : words[dir.next]!;
  if (word === "NO" && /\d/.test(follower)) return null;
  if (breaks[at] && dir.dir.length === 1 && follower !== "") return null;
  const third = follower !== "" && dir.next + 1 < end ? words[dir.next + 1]! : "";
  return beginsPlace(word, follower, third) ? null : dir;
}

/** Reads a directional that ends a name without type (`400 SOUTH`), with its first index; null for any other name. */
export function trailingDirectional(
  words: readonly string[],
  {at, end}: {at: number; end: number},
): {dir: string; from: number} | null {
  const two = end - 2 > at ? directionalAt(words, end - 2, end) : null;
  if (two !== null && two.next === end) return {dir: two.dir, from: end - 2};
  const one = directionalAt(words, end - 1, end);
  return one === null ? null : {dir: one.dir, from: end - 1};
}
