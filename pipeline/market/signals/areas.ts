import type {Point} from "@open-cattle/parcel-outlines";
import {countiesNamed, countyOf} from "../../../lib/geography/counties.ts";
import {stateBox} from "../../../lib/geography/county-box.ts";
import {stateOf} from "../../../lib/geography/states.ts";

/** The five-digit county code of a state code and a county number; null without either. */
export function countyCode(state: string | null, digits: string | null): string | null {
  const fips = state === null ? undefined : stateOf(state)?.fips;
  return fips === undefined || digits === null || !/^\d{1,3}$/.test(digits)
    ? null
    : `${fips}${digits.padStart(3, "0")}`;
}

/** Counties of newer or older editions than the county table: in Alaska, Connecticut, South Dakota and Virginia. */
const otherEditions: ReadonlySet<string> = new Set(
  "02063 02066 02201 02232 02261 02270 02280 09110 09120 09130 09140 09150 09160 09170 09180 09190 46113 51515".split(
    " ",
  ),
);

/** True for a county code, including counties that were split or renamed. */
export function isCounty(fips: string): boolean {
  return countyOf(fips) !== undefined || otherEditions.has(fips);
}

/** The county with a name in a state; null if unknown or ambiguous. */
export function countyNamed(name: string | null, state: string | null): string | null {
  if (name === null || state === null) return null;
  const found = countiesNamed(name, state);
  return found.length === 1 ? found[0]!.fips : null;
}

/** The state of a county code, also for codes newer than the county table. */
export function stateOfCounty(fips: string): string | null {
  return countyOf(fips)?.state ?? stateOf(fips.slice(0, 2))?.state ?? null;
}

/** `2020` for Connecticut's old counties, `2022` for its planning regions, else null: the two are never mapped silently. */
export function countyVintage(fips: string): string | null {
  if (!fips.startsWith("09")) return null;
  return Number(fips) >= 9110 ? "2022" : "2020";
}

/**
 * True for a point within a state's bounding box, extended by a quarter of a degree; without a state or box, for every point on
 * earth.
 */
export function isInState({lat, lon}: Point, state: string | null): boolean {
  const box = state === null ? undefined : stateBox(state);
  if (box === undefined) return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const isWithin = (value: number, least: number, most: number) =>
    value >= least - 0.25 && value <= most + 0.25;
  return isWithin(lat, box.south, box.north) && isWithin(lon, box.west, box.east);
}
