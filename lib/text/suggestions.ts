import {editDistance} from "@open-cattle/us-address";

/** From this many characters on, two typing errors are forgiven; below, one. */
const SHORTEST_FOR_TWO = 8;

/**
 * Returns the known names that a wrong one may stand for: those that differ in case or marks alone or have it as a synonym (folded: lower
 * case, letters and digits), else those with the fewest typing errors.
 */
export function suggestions(
  given: string,
  known: readonly string[],
  synonyms: Readonly<Record<string, readonly string[]>> = {},
): string[] {
  const said = folded(given);
  const same = known.filter((name) => folded(name) === said || synonyms[name]?.includes(said));
  if (same.length > 0) return same;
  const limit = said.length < SHORTEST_FOR_TWO ? 1 : 2;
  const distances = known.map((name) => editDistance(said, folded(name), limit));
  const least = Math.min(...distances);
  return least > limit ? [] : known.filter((_, at) => distances[at] === least);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
