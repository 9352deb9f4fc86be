import {readFileSync} from "node:fs";
import {join} from "node:path";
import {stateOf} from "../../geography/states.ts";
import {referenceDir} from "../../paths.ts";
import {cityKey} from "../address/city-key.ts";
import {placeKey} from "./place-key.ts";

/** A place: the counties in which it lies, and the ZIPs of its post offices. */
export type Place = {readonly counties: ReadonlySet<string>; readonly zips: ReadonlySet<string>};

type PlaceTable = {
  /** Places by state and key (`WI|WAUTOMA`). */
  readonly places: ReadonlyMap<string, Place>;
  /** Counties that the area of a ZIP touches, the one with most of it first. */
  readonly zips: ReadonlyMap<string, readonly string[]>;
  /** Names of the places of a county, as `cityKey` gives them. */
  readonly byCounty: ReadonlyMap<string, readonly string[]>;
  /** States that have a place of this key. */
  readonly statesByKey: ReadonlyMap<string, readonly string[]>;
};

let loaded: PlaceTable | undefined;

/** Gives the table of places and ZIPs (`data/reference/places.tsv`). The first call reads it, in about a tenth of a second. */
export function placeTable(): PlaceTable {
  loaded ??= readPlaces(readFileSync(join(referenceDir, "places.tsv"), "utf8"));
  return loaded;
}

function readPlaces(text: string): PlaceTable {
  const places = new Map<string, {counties: Set<string>; zips: Set<string>}>();
  const zips = new Map<string, readonly string[]>();
  const byCounty = new Map<string, string[]>();
  const statesByKey = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [state = "", name = "", , , countyTexts = "", zipTexts = ""] = line.split("\t");
    const key = placeKey(name);
    const counties = countyKeys(state, countyTexts, " ");
    const id = `${state}|${key}`;
    const place = places.get(id) ?? {counties: new Set(), zips: new Set()};
    if (!places.has(id)) listed(statesByKey, key).push(state);
    places.set(id, place);
    for (const county of counties) {
      if (!place.counties.has(county)) listed(byCounty, county).push(cityKey(name));
      place.counties.add(county);
    }
    for (const zipText of zipTexts === "" ? [] : zipTexts.split(" ")) {
      const [zip = "", touched] = zipText.split("=");
      zips.set(zip, touched === undefined ? counties : countyKeys(state, touched, ","));
      place.zips.add(zip);
    }
  }
  return {places, zips, byCounty, statesByKey};
}

/** Gives the county keys of a list; three digits are a county of the state. */
function countyKeys(state: string, text: string, separator: string): string[] {
  const fips = stateOf(state)?.fips ?? "";
  return text === "" ? [] : text.split(separator).map((code) => (code.length === 3 ? fips + code : code));
}

function listed(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  return list;
}
