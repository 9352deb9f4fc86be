import {countyOf} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import type {Generation} from "../generation/generation.ts";
import type {CadastreQuestion} from "../parcels/cadastre.ts";

/** The county that a question goes to. */
export type AskedCounty = {readonly country: "US" | "CA"; readonly state: string; readonly key: string};

/** Least share of a ZIP's land that its county must have. */
const leastShare = 0.5;
const districtOfColumbia = "11001";

/**
 * Gives the one county of a question (`docs/design/parcels.md` section 9): the named one, that of the number's prefix or of
 * the point, the one with most of the ZIP's land, or the only one of the state. Null when none of these is known, or when
 * state and county contradict each other. A postal city is not enough: its deliveries cross county lines, and an empty
 * answer of the wrong county would prove nothing.
 */
export function askedCounty(question: CadastreQuestion, generation: Generation): AskedCounty | null {
  const key = onlyKey(question, generation);
  if (key === null) return null;
  const state = stateOfKey(key);
  if (state === null || (question.state !== null && question.state !== state)) return null;
  return {country: state === "MB" ? "CA" : "US", state, key};
}

function onlyKey({counties, state, ...question}: CadastreQuestion, generation: Generation): string | null {
  if (counties?.size === 1) return [...counties][0]!;
  if (counties === null && state === "DC") return districtOfColumbia;
  if (question.kind !== "address" || question.address.zip === null) return null;
  const byZip = countyOfZip(question.address.zip, generation);
  return byZip !== null && (counties === null || counties.has(byZip)) ? byZip : null;
}

function countyOfZip(zip: string, {market}: Generation): string | null {
  const [largest] = market?.zip(zip)?.counties ?? [];
  return largest !== undefined && largest.share >= leastShare ? largest.county_fips : null;
}

/** Gives the state of a county key; for codes newer than the county table, the state of their first two digits. */
function stateOfKey(key: string): string | null {
  if (/^MB\d{3}$/.test(key)) return "MB";
  return countyOf(key)?.state ?? stateOf(key.slice(0, 2))?.state ?? null;
}
