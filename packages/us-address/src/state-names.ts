import list from "../data/states.json" with {type: "json"};
import {addressWords} from "./address-words.ts";

/** A state, the District of Columbia or a territory. */
export type State = {readonly fips: string; readonly state: string; readonly name: string};

/** The 50 states, DC and the territories, by FIPS code. */
export const states: readonly State[] = list.states;

const {provinces, oldStateAbbreviations, zipStates} = addressWords;

/** Two-letter codes of the states, territories and Canadian provinces. */
export const stateCodes: ReadonlySet<string> = new Set([
  ...states.map((state) => state.state),
  ...Object.keys(provinces),
]);

/** Codes by full name in upper case, and by the older abbreviations. */
export const stateNames: ReadonlyMap<string, string> = new Map([
  ...states.map((state) => [state.name.toUpperCase(), state.state] as const),
  ...Object.entries(provinces).map(([code, name]) => [name, code] as const),
  ...Object.entries(oldStateAbbreviations),
]);

/** True for a province of Canada. */
export function isProvince(code: string | null): boolean {
  return code !== null && code.toUpperCase() in provinces;
}

/** States by the first three digits of their ZIPs, and by whole ZIPs whose first three digits are another state's. */
const stateByZip: ReadonlyMap<string, string> = zipTable();

/** The state of a ZIP code; null for unassigned digits. */
export function stateOfZip(zip: string): string | null {
  return stateByZip.get(zip.slice(0, 5)) ?? stateByZip.get(zip.slice(0, 3)) ?? null;
}

function zipTable(): Map<string, string> {
  const table = new Map<string, string>();
  for (const [state, ranges] of Object.entries(zipStates)) {
    for (const range of ranges.split(",")) {
      const [from = "", to = from] = range.split("-");
      for (let digits = Number(from); digits <= Number(to); digits++)
        table.set(String(digits).padStart(from.length, "0"), state);
    }
  }
  return table;
}
