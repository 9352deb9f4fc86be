import {countyOf} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import type {ScoredAddress} from "../../lib/parcels/address/parsed-address.ts";
import {countiesOfZip, soleCounty} from "../../lib/parcels/place/places.ts";
import type {Generation} from "../generation/generation.ts";
import type {CadastreQuestion} from "../parcels/cadastre.ts";

/** The county that a question goes to. */
export type AskedCounty = {readonly country: "US" | "CA"; readonly state: string; readonly key: string};

/** Least share of a ZIP's land that its county must have. */
const leastShare = 0.5;
const districtOfColumbia = "11001";

/**
 * Gives the one county of a question (`docs/design/parcels.md` section 9): the named one, that of the number's prefix or of
 * the point, the one with most of the ZIP's land, the only one of the city with all its ZIPs, or the only one of the state.
 * Null when none of these is known, or when state and county contradict each other. A city whose deliveries cross a county
 * line is not enough: an empty answer of the wrong county would prove nothing.
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
  if (question.kind !== "address") return null;
  const key = countyOfAddress(question.address, {state, generation});
  return key !== null && (counties === null || counties.has(key)) ? key : null;
}

function countyOfAddress(
  {city, zip}: ScoredAddress,
  {state, generation}: {state: string | null; generation: Generation},
): string | null {
  const byZip = zip === null ? null : countyOfZip(zip, generation);
  if (byZip !== null || city === null || state === null) return byZip;
  const byCity = soleCounty(state, city);
  const ofZip = zip === null ? null : countiesOfZip(zip);
  return byCity !== null && (ofZip === null || ofZip.includes(byCity)) ? byCity : null;
}

/** Gives the county with at least half of the land of a ZIP, or the only one that its area touches; null without one. */
function countyOfZip(zip: string, {market}: Generation): string | null {
  const [largest] = market?.zip(zip)?.counties ?? [];
  if (largest !== undefined) return largest.share >= leastShare ? largest.county_fips : null;
  const [only, another] = countiesOfZip(zip) ?? [];
  return only !== undefined && another === undefined ? only : null;
}

/** Gives the state of a county key; for codes newer than the county table, the state of their first two digits. */
function stateOfKey(key: string): string | null {
  if (/^MB\d{3}$/.test(key)) return "MB";
  return countyOf(key)?.state ?? stateOf(key.slice(0, 2))?.state ?? null;
}
