import {editDistance} from "../address/edit-distance.ts";
import type {PlaceName} from "./place-name.ts";

const leastForOne = 4;
const leastForTwo = 5;
const leastForOnly = 6;
const leastBeginning = 5;
const leastAbbreviation = 3;

/** True when one of two names of places is the other misspelt or abbreviated. */
export function isNear(name: PlaceName, other: PlaceName): boolean {
  if (name.key === "" || other.key === "") return false;
  return (
    isMisspelt(name, other) || isShortFor(name.words, other.words) || isShortFor(other.words, name.words)
  );
}

/** True for one or two typing errors between the names: none below 4 letters, one below 5. */
function isMisspelt({key}: PlaceName, other: PlaceName): boolean {
  const length = Math.min(key.length, other.key.length);
  if (length < leastForOne) return false;
  const allowed = length < leastForTwo ? 1 : 2;
  return editDistance(key, other.key, allowed) <= allowed;
}

/** Gives the first two letters of a name and its last two: names with one typing error between them share one of these ends. */
export function nameEnds({key}: PlaceName): [beginning: string, ending: string] {
  return [`${key.slice(0, 2)}…`, `…${key.slice(-2)}`];
}

/** True for one typing error between names of six letters or more that share an end. */
export function isOneErrorApart({key}: PlaceName, other: PlaceName): boolean {
  return Math.min(key.length, other.key.length) >= leastForOnly && editDistance(key, other.key, 1) <= 1;
}

/**
 * True when a name of a place is short for another one: its first words (`LAKE HAVASU`), its initials (`SLC`), or words that
 * keep the first letter of each and some of the others (`N RICHLND HLS`, `MPLS`).
 */
function isShortFor(name: string, other: string): boolean {
  if (name.length >= other.length || name[0] !== other[0]) return false;
  if (name.length >= leastBeginning && other.startsWith(`${name} `)) return true;
  const [words, others] = [name.split(" "), other.split(" ")];
  if (others.length > 1 && name === others.map((word) => word[0]).join("")) return true;
  if (words.length !== others.length) return false;
  if (words.length === 1 && name.length < leastAbbreviation) return false;
  return words.every((word, at) => keepsOrder(word, others[at]!));
}

/** True when the letters of a word are the first letter of another and some of its others, in their order. */
function keepsOrder(word: string, other: string): boolean {
  if (word[0] !== other[0]) return false;
  let at = 0;
  for (const letter of word) {
    at = other.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
