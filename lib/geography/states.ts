import {type State, states} from "@open-cattle/us-address";

const byCode = new Map(
  states.flatMap((entry) => [[entry.state, entry] as const, [entry.fips, entry] as const]),
);

/** Looks up a state by its USPS letters (in any case) or FIPS digits; undefined for an unknown code. */
export function stateOf(code: string): State | undefined {
  return byCode.get(code.trim().toUpperCase());
}

const byName = new Map(states.map(({state, name}) => [name.toLowerCase(), state] as const));

/** The code of a state or territory from its letters, FIPS digits or full name, in any case; null for any other text. */
export function usStateCode(text: string | null): string | null {
  const word = (text ?? "").trim().replaceAll(/\s+/g, " ").toLowerCase();
  return stateOf(word)?.state ?? byName.get(word) ?? null;
}

/** As `usStateCode`, for a place that a user typed, which may be in Manitoba; undefined for any other text. */
export function stateCodeOf(text: string): string | undefined {
  return /^\s*(?:mb|manitoba)\s*$/i.test(text) ? "MB" : (usStateCode(text) ?? undefined);
}
