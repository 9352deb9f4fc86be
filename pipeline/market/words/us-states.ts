import {stateOf, states} from "../../../lib/geography/states.ts";

const byName = new Map(states.map(({name, state}) => [name.toLowerCase(), state]));
// Longest first, so that "West Virginia" is not read as "Virginia".
const names = [...byName.keys()].sort((a, b) => b.length - a.length);

/** State code from a code, FIPS digits or a full name in any case; null for any other text. */
export function stateCode(text: string | null): string | null {
  const wanted = (text ?? "").trim();
  return stateOf(wanted.toUpperCase())?.state ?? byName.get(wanted.toLowerCase()) ?? null;
}

/** The state whose name a text begins with, such as `Kansas Weekly Cattle Auction Summary`; else null. */
export function stateAtStart(text: string): string | null {
  const lower = text.toLowerCase();
  const name = names.find((candidate) => lower === candidate || lower.startsWith(`${candidate} `));
  return name === undefined ? null : byName.get(name)!;
}
