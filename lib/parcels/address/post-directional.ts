import {beginsPlace, directionalAt} from "./directionals.ts";
import type {LineWords} from "./line-words.ts";

/**
 * A directional after a finished street, and the index after it. The first word of a town (`SOUTH HOLLAND`), or a letter
 * with a word behind it after a comma (`, E ORANGE`), is none: null.
 */
export function postDirectional(
  {words, breaks}: LineWords,
  {at, end}: {at: number; end: number},
): {dir: string; next: number} | null {
  // `AVENUE NORTH, WEST MEMPHIS`: a comma parts two directionals.
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

/** A directional at the very end of a name without type (`400 SOUTH`), and where it begins; null when there is none. */
export function trailingDirectional(
  words: readonly string[],
  {at, end}: {at: number; end: number},
): {dir: string; from: number} | null {
  const two = end - 2 > at ? directionalAt(words, end - 2, end) : null;
  if (two !== null && two.next === end) return {dir: two.dir, from: end - 2};
  const one = directionalAt(words, end - 1, end);
  return one === null ? null : {dir: one.dir, from: end - 1};
}
