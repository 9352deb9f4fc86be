import {stateOf, states} from "../../../lib/geography/states.ts";

const byName = new Map(states.map(({name, state}) => [name.toLowerCase(), state]));
// Longest first: "West Virginia" is not "Virginia" and "Washington" is not the start of another name.
const names = [...byName.keys()].sort((a, b) => b.length - a.length);

/** State letters of a name or of letters in any case; null for anything else. */
export function stateLetters(text: string | null): string | null {
  const trimmed = (text ?? "").trim();
  if (/^[A-Za-z]{2}$/.test(trimmed)) return stateOf(trimmed)?.state ?? null;
  return byName.get(trimmed.toLowerCase()) ?? null;
}

/** The state that a text begins with, such as `Kansas Weekly Cattle Auction Summary`; null where it begins otherwise. */
export function stateAtStart(text: string): string | null {
  const lower = text.toLowerCase();
  const name = names.find((candidate) => lower === candidate || lower.startsWith(`${candidate} `));
  return name === undefined ? null : byName.get(name)!;
}
