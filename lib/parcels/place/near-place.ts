import {editDistance} from "../address/edit-distance.ts";

const leastForOne = 4;
const leastForTwo = 5;
const leastBeginning = 5;
const leastAbbreviation = 3;

/** True when a name of a place is another one with at most `most` typing errors: none below 4 letters, one below 5. */
export function isMisspelt(name: string, other: string, most = 2): boolean {
  const length = Math.min(name.length, other.length);
  if (length < leastForOne) return false;
  const allowed = length < leastForTwo ? 1 : most;
  return editDistance(name, other, allowed) <= allowed;
}

/**
 * True when a name of a place is short for another one: its first words (`LAKE HAVASU`), its initials (`SLC`), or words that
 * keep the first letter of each and some of the others (`N RICHLND HLS`, `MPLS`).
 */
export function isShortFor(name: string, other: string): boolean {
  if (name.length >= other.length) return false;
  if (name.length >= leastBeginning && other.startsWith(`${name} `)) return true;
  const [words, others] = [name.split(" "), other.split(" ")];
  const initials = others.map((word) => word[0]).join("");
  if (name === initials && others.length > 1) return true;
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
