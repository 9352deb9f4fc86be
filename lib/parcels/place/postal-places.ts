import {cityKey, type PlaceName, placeName, stateOfZip} from "@open-cattle/us-address";
import {counties, foldedCountyName} from "../../geography/counties.ts";
import {stateOf} from "../../geography/states.ts";
import {isOneErrorApart, nameEnds, type Place, type PlacePoint, placeTable} from "./place-table.ts";

/** The counties that a ZIP's area touches, the one with the largest part first; null for an unknown ZIP. */
export function countiesOfZip(zip: string): readonly string[] | null {
  const code = zip.slice(0, 5);
  const state = stateOfZip(code);
  const counties = state === null ? undefined : placeTable(state).zips.get(code);
  return counties === undefined || counties.length === 0 ? null : counties;
}

/** Looks up a place of a state by name; null when unknown. Places of Manitoba have no counties. */
export function placeOf(state: string, city: string): Place | null {
  return placeNamed(state, placeName(city));
}

/**
 * True for a place of the state however it is written, a side of it (`LOWER GWYNEDD`), a township, or a name one typing error
 * away from a place.
 */
export function isPlaceOf(state: string | null | undefined, city: string): boolean {
  if (state === null || state === undefined) return true;
  const isSpelling = [city, city.replace(side, "")].some((name) => isSpellingOfPlace(state, name));
  return isSpelling || / (?:TWP|TOWNSHIP)$/i.test(city) || isNearPlace(state, placeName(city));
}

const fullWords: ReadonlyMap<string, string> = new Map(
  "N NORTH S SOUTH E EAST W WEST PT PORT BCH BEACH HTS HEIGHTS HGTS HEIGHTS SPGS SPRINGS HLS HILLS LK LAKE VLY VALLEY JCT JUNCTION GRV GROVE PK PARK CTR CENTER"
    .match(/\S+ \S+/g)!
    .map((pair) => pair.split(" ") as [string, string]),
);
const side = /^(?:[NSEW]|NORTH|SOUTH|EAST|WEST|UPPER|LOWER) /i;
const kindOfTown = / (?:(?:CHARTER )?(?:TWP|TOWNSHIP)|BORO|BOROUGH|VILLAGE|CITY)$/;

/**
 * True for a place of the state, also with its words shortened (`N MIAMI BCH`) or its kind behind it (`SALEM TWP`). The county of
 * such a town is not told: a township may lie far from the place of its name.
 */
export function isSpellingOfPlace(state: string, city: string): boolean {
  if (placeOf(state, city) !== null) return true;
  const words = cityKey(city).split(" ");
  const full = words.map((word) => fullWords.get(word) ?? word).join(" ");
  return [full, full.replace(kindOfTown, "")].some((name) => placeOf(state, name) !== null);
}

/** Looks up a place by its normalised name. */
export function placeNamed(state: string, {key}: PlaceName): Place | null {
  return placeTable(state).places.get(key) ?? null;
}

/** The places of a state whose post offices have a ZIP. */
export function placesOfZip(state: string, zip: string): readonly Place[] {
  return [...placeTable(state).places.values()].filter(({zips}) => zips.has(zip));
}

const offices = new Map<string, readonly PlacePoint[]>();

/** The points of a state's places that have a post office. */
export function postOffices(state: string): readonly PlacePoint[] {
  const known =
    offices.get(state) ??
    [...placeTable(state).places.values()].flatMap(({zips, point}) =>
      zips.size === 0 || point === null ? [] : [point],
    );
  offices.set(state, known);
  return known;
}

/** The names of a county's places; empty for a county without known places. */
export function placesOfCounty(county: string): readonly PlaceName[] {
  const state = stateOf(county.slice(0, 2))?.state;
  return state === undefined ? [] : (placeTable(state).byCounty.get(county) ?? []);
}

/** True for a county with known places; municipalities of Manitoba and counties newer than 2017 have none. */
export function hasPlaces(county: string): boolean {
  return placesOfCounty(county).length > 0;
}

let byName: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The counties of a state that a city's name denotes (`MESA COUNTY`, `WAUSHARA`, `DANE CO`); empty for any
 * other city.
 */
export function countiesNamedAs(city: string, state: string): readonly string[] {
  byName ??= countyNames();
  const name = city.replace(/ (?:CO|CTY|CNTY)\.?$/i, " County");
  return byName.get(`${state}|${foldedCountyName(name)}`) ?? [];
}

/** The keys of all counties by state and name, with and without suffix. */
function countyNames(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const {fips, state, name, fullName} of counties()) {
    for (const each of new Set([foldedCountyName(name), foldedCountyName(fullName)])) {
      const key = `${state}|${each}`;
      found.set(key, [...(found.get(key) ?? []), fips]);
    }
  }
  return found;
}

/** True for a name of at least six letters that is one typing error away from a place of the state. */
export function isNearPlace(state: string, name: PlaceName): boolean {
  const {byEnd} = placeTable(state);
  return nameEnds(name).some((end) => byEnd.get(end)?.some((place) => isOneErrorApart(name, place)));
}
