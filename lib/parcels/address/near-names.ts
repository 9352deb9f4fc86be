import {distanceToBeginning, editDistance, editsAllowed} from "./edit-distance.ts";

/** A key of `addresses.arrow` for the beginning of street names with letters left out. */
type NearNameKey = {readonly key: string; readonly form: 2};

/** So many letters of a name are looked at: an error behind them leaves them alone, one among them costs a letter on either side. */
const beginningLength = 7;
const shortestName = 3;
/** Names from this length on may be the shorter one of two between which two errors are forgiven. */
const shortestForTwo = 6;

/** The letters of a street name that its near names are found by; of a shorter name, all of them. */
export function nameBeginning(name: string): string {
  return name.slice(0, beginningLength);
}

/**
 * The keys under which near names meet: `~` and the beginning of the name with up to as many letters left out as errors are forgiven.
 * Two names whose distance is forgiven share such a key ("symmetric delete", https://github.com/wolfgarbe/SymSpell), and names of one
 * beginning have the same keys. Names with digits are never corrected and have none.
 */
export function nearNameKeys(name: string): NearNameKey[] {
  if (name.length < shortestName || /\d/.test(name)) return [];
  const count = name.length < shortestForTwo ? 1 : 2;
  return withoutLetters(nameBeginning(name), count).map((text) => ({key: `~${text}`, form: 2}));
}

/** The text, and what is left of it without up to `count` of its letters. */
function withoutLetters(text: string, count: number): string[] {
  const found = new Set([text]);
  for (const each of found) {
    if (each.length === text.length - count) break;
    for (let at = 0; at < each.length; at++) found.add(each.slice(0, at) + each.slice(at + 1));
  }
  return [...found];
}

/** What tells near names of a street name from others, each name being measured once. */
export type NearNames = {
  /** True when so few edits lie between the names as are forgiven in names of their length. */
  isNear(other: string): boolean;
  /** False when no name with this beginning is near. */
  mayBegin(beginning: string): boolean;
};

/** The near names of a street name. */
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
