import {distanceToBeginning, editDistance, editsAllowed} from "./edit-distance.ts";

/** A key of `addresses.arrow`: the beginning of a street name with letters left out. */
type NearNameKey = {readonly key: string; readonly form: 2};

/** Letters of a name from which keys are made: an error after them changes no key, one in them costs a letter. */
const beginningLength = 7;
const shortestName = 3;
/** Least length of the shorter of two names between which two errors are forgiven. */
const shortestForTwo = 6;

/** Gives the letters of a street name from which its near names are found; of a shorter name, all letters. */
export function nameBeginning(name: string): string {
  return name.slice(0, beginningLength);
}

/**
 * Gives the keys that near names share: `~` and the beginning of the name without up to as many letters as errors are
 * forgiven. Two names whose distance is forgiven have such a key in common ("symmetric delete",
 * https://github.com/wolfgarbe/SymSpell), and names with one beginning have the same keys. A name with digits is never
 * corrected and has no keys.
 */
export function nearNameKeys(name: string): NearNameKey[] {
  if (name.length < shortestName || /\d/.test(name)) return [];
  const count = name.length < shortestForTwo ? 1 : 2;
  return withoutLetters(nameBeginning(name), count).map((text) => ({key: `~${text}`, form: 2}));
}

/** Gives the text and all that remains of it without up to `count` of its letters. */
function withoutLetters(text: string, count: number): string[] {
  const found = new Set([text]);
  for (const each of found) {
    if (each.length === text.length - count) break;
    for (let at = 0; at < each.length; at++) found.add(each.slice(0, at) + each.slice(at + 1));
  }
  return [...found];
}

/** Tells the near names of a street name from others, and measures each name only once. */
export type NearNames = {
  /** True when the names differ by no more edits than are forgiven for their length. */
  isNear(other: string): boolean;
  /** False when no name with this beginning is near. */
  mayBegin(beginning: string): boolean;
};

/** Gives the test for the near names of a street name. */
export function nearNames(name: string): NearNames {
  const most = name.length < shortestForTwo ? 1 : 2;
  let last = {other: "", near: false};
  return {
    isNear(other) {
      if (other !== last.other) {
        const allowed = editsAllowed(other.length > name.length ? other : name);
        last = {other, near: editDistance(name, other, allowed) <= allowed};
      }
      return last.near;
    },
    mayBegin: (beginning) =>
      isWholeName(beginning)
        ? editDistance(name, beginning, most) <= most
        : distanceToBeginning(beginning, name, most) <= most,
  };
}

/** True when names with this beginning are no longer than it. */
export function isWholeName(beginning: string): boolean {
  return beginning.length < beginningLength;
}
