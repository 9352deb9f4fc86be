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

/** The state of two USPS letters (in any case) or two FIPS digits; undefined for an unknown code. */
export function stateOf(code: string): State | undefined {
  return byCode.get(code.trim().toUpperCase());
}
