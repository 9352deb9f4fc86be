import {stateOf, states} from "../../../lib/geography/states.ts";

const byName = new Map(states.map(({name, state}) => [name.toLowerCase(), state]));
// Longest first: "West Virginia" is not "Virginia" and "Washington" is not the start of another name.
const names = [...byName.keys()].sort((a, b) => b.length - a.length);

/** State letters from letters, FIPS digits or a full name in any case; null for any other text. */
export function stateCode(text: string | null): string | null {
  const wanted = (text ?? "").trim();
  return stateOf(wanted.toUpperCase())?.state ?? byName.get(wanted.toLowerCase()) ?? null;
}

/** The state that a text begins with, such as `Kansas Weekly Cattle Auction Summary`; null where it begins otherwise. */
export function stateAtStart(text: string): string | null {
  const lower = text.toLowerCase();
  const name = names.find((candidate) => lower === candidate || lower.startsWith(`${candidate} `));
  return name === undefined ? null : byName.get(name)!;
}
