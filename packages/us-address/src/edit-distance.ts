/** A key of `addresses.arrow`: the beginning of a street name with some letters deleted. */
type NearNameKey = {readonly key: string; readonly form: 2};

/**
 * Number of letters that keys are made from. An error after them changes no key; one within them costs a
 * letter.
 */
const beginningLength = 7;
const shortestName = 3;
/** Two errors are forgiven only if the shorter name has at least this length. */
const shortestForTwo = 6;

/** Tests names for similarity to a street name; it caches the last result. */
export type NearNames = {
  /** True when the names differ by no more edits than their length allows. */
  isNear(other: string): boolean;
  /** False when no name with this beginning can be similar. */
  mayBegin(beginning: string): boolean;
};

/**
 * Damerau-Levenshtein distance (optimal string alignment: insert, delete, replace, swap neighbours) up to
 * `limit`; `limit + 1` when it is larger. Takes time proportional to length x limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return limit + 1;
  const distances = distancesToBeginnings(a, b, limit);
  return distances === null ? limit + 1 : Math.min(distances[b.length]!, limit + 1);
}

/** Distance from a text to the nearest prefix of another, up to `limit`; `limit + 1` when it is larger. */
export function distanceToBeginning(text: string, other: string, limit: number): number {
  if (other.startsWith(text)) return 0;
  const distances = distancesToBeginnings(text, other, limit);
  let least = limit + 1;
  if (distances !== null) for (let at = 0; at <= other.length; at++) least = Math.min(least, distances[at]!);
  return least;
}

/** Three rows of distances, which each call uses again: a lookup compares dozens of names. */
let scratch: readonly Uint32Array[] = [];

/** Distances from `a` to the prefixes of `b`, exact up to `limit` and overwritten by the next call; null when all are larger. */
function distancesToBeginnings(a: string, b: string, limit: number): Uint32Array | null {
  if (b.length >= (scratch[0]?.length ?? 0)) scratch = [0, 1, 2].map(() => new Uint32Array(2 * b.length + 1));
  let [before, previous, current] = scratch as [Uint32Array, Uint32Array, Uint32Array];
  for (let at = 0; at <= b.length; at++) previous[at] = at;
  for (let i = 1; i <= a.length; i++) {
    current.fill(limit + 1, 0, b.length + 1);
    current[0] = i;
    let rowMin = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, before[j - 2]! + 1);
      current[j] = value;
      if (value < rowMin) rowMin = value;
    }
    if (rowMin > limit) return null;
    [before, previous, current] = [previous, current, before];
  }
  return previous;
}

/**
 * How many edits count as a typing error in a name: 0 below 4 letters or with digits, 1 below 8 letters, else
 * 2.
 */
export function editsAllowed(name: string): number {
  if (name.length < 4 || /\d/.test(name)) return 0;
  return name.length < 8 ? 1 : 2;
}

/** The letters of a street name that its keys are made from; for a short name, all letters. */
export function nameBeginning(name: string): string {
  return name.slice(0, beginningLength);
}

/**
 * Keys that similar names share: `~` and the name's beginning, with up to as many letters deleted as errors
 * are forgiven. Two names within that distance share such a key ("symmetric delete",
 * https://github.com/wolfgarbe/SymSpell), and names with the same beginning have the same keys. Names with
 * digits are never corrected and have no keys.
 */
export function nearNameKeys(name: string): NearNameKey[] {
  if (name.length < shortestName || /\d/.test(name)) return [];
  const count = name.length < shortestForTwo ? 1 : 2;
  return withoutLetters(nameBeginning(name), count).map((text) => ({key: `~${text}`, form: 2}));
}

/** A text and all texts that remain after deleting up to `count` of its letters. */
function withoutLetters(text: string, count: number): string[] {
  const found = new Set([text]);
  for (const each of found) {
    if (each.length === text.length - count) break;
    for (let at = 0; at < each.length; at++) found.add(each.slice(0, at) + each.slice(at + 1));
  }
  return [...found];
}

/** Creates the similarity test for a street name. */
export function nearNames(name: string): NearNames {
  const limit = name.length < shortestForTwo ? 1 : 2;
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
        ? editDistance(name, beginning, limit) <= limit
        : distanceToBeginning(beginning, name, limit) <= limit,
  };
}

/** True when the beginning is the whole name, because it is shorter than the maximum. */
export function isWholeName(beginning: string): boolean {
  return beginning.length < beginningLength;
}
