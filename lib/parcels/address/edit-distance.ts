/**
 * Gives the Damerau-Levenshtein distance (optimal string alignment: insert, delete, replace, swap neighbours) up to
 * `limit`; `limit + 1` when it is larger. The time is bounded by length x limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return limit + 1;
  const distances = distancesToBeginnings(a, b, limit);
  return distances === null ? limit + 1 : Math.min(distances[b.length]!, limit + 1);
}

/** Gives the distance of a text to the nearest beginning of another, up to `limit`; `limit + 1` when it is larger. */
export function distanceToBeginning(text: string, other: string, limit: number): number {
  if (other.startsWith(text)) return 0;
  const distances = distancesToBeginnings(text, other, limit);
  return distances === null ? limit + 1 : Math.min(...distances, limit + 1);
}

/** Gives the distances of `a` to the beginnings of `b`, which are right up to `limit`; null when all are larger. */
function distancesToBeginnings(a: string, b: string, limit: number): number[] | null {
  let before: number[] = [];
  let previous = Array.from({length: b.length + 1}, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const current = new Array<number>(b.length + 1).fill(limit + 1);
    current[0] = i;
    let least = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, before[j - 2]! + 1);
      current[j] = value;
      if (value < least) least = value;
    }
    if (least > limit) return null;
    before = previous;
    previous = current;
  }
  return previous;
}

/** Gives the edits that count as a typing error in a name: 0 below 4 letters or with digits, 1 below 8 letters, else 2. */
export function editsAllowed(name: string): number {
  if (name.length < 4 || /\d/.test(name)) return 0;
  return name.length < 8 ? 1 : 2;
}
