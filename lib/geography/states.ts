import {readFileSync} from "node:fs";
import {join} from "node:path";
import {referenceDir} from "../paths.ts";

/** A state, the District of Columbia or a territory. */
type State = {readonly fips: string; readonly state: string; readonly name: string};

/** The 50 states, DC and the territories, by FIPS code. */
export const states: readonly State[] = (
  JSON.parse(readFileSync(join(referenceDir, "states.json"), "utf8")) as {states: State[]}
).states;

const byCode = new Map(
  states.flatMap((entry) => [[entry.state, entry] as const, [entry.fips, entry] as const]),
);

/** Looks up a state by its USPS letters (in any case) or FIPS digits; undefined for an unknown code. */
export function stateOf(code: string): State | undefined {
  return byCode.get(code.trim().toUpperCase());
}

const byName = new Map(states.map(({state, name}) => [name.toLowerCase(), state] as const));

/**
 * The code of a state, a territory or Manitoba that a user typed as a code or name, in any case; undefined
 * for anything else.
 */
export function stateCodeOf(text: string): string | undefined {
  const word = text.trim().replaceAll(/\s+/g, " ").toLowerCase();
  if (word === "mb" || word === "manitoba") return "MB";
  return stateOf(word)?.state ?? byName.get(word);
}
