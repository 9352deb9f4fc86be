import {readFileSync} from "node:fs";
import {join} from "node:path";
import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {editDistance, type PlaceName, placeName} from "@open-cattle/us-address";
import {stateOf} from "../../geography/states.ts";
import {referenceDir} from "../../paths.ts";

const minLengthForOne = 4;
const minLengthForTwo = 5;
const minLengthForOnly = 6;
const minBeginning = 5;
const minAbbreviation = 3;

/** The point of a place: the middle of the town, set by hand for some, or its post office. */
export type PlacePoint = Point & {readonly source: "town" | "hand" | "post"};

/**
 * A place with its counties and the ZIPs of its post offices. The point is null when distant places share the
 * name.
 */
export type Place = {
  readonly name: PlaceName;
  readonly counties: ReadonlySet<string>;
  readonly zips: ReadonlySet<string>;
  readonly point: PlacePoint | null;
};

/** Places of one name that are farther apart than this get no point. */
const onePlaceMiles = 5;

/** The places of a state. */
type PlaceTable = {
  readonly places: ReadonlyMap<string, Place>;
  /** Counties that a ZIP's area touches, the one with the largest part first. */
  readonly zips: ReadonlyMap<string, readonly string[]>;
  readonly byCounty: ReadonlyMap<string, readonly PlaceName[]>;
  /** Names by their ends, as `nameEnds` returns them. */
  readonly byEnd: ReadonlyMap<string, readonly PlaceName[]>;
};

let file: string | undefined;
const tables = new Map<string, PlaceTable>();

/** The places and ZIPs of a state, from `data/reference/places.tsv`; read on first use. */
export function placeTable(state: string): PlaceTable {
  const table = tables.get(state) ?? readPlaces(state, linesOf(state));
  tables.set(state, table);
  return table;
}

function wholeFile(): string {
  file ??= readFileSync(join(referenceDir, "places.tsv"), "utf8");
  return file;
}

/** The lines of a state, which are contiguous in the file. */
function linesOf(state: string): string[] {
  const text = wholeFile();
  const from = text.indexOf(`\n${state}\t`);
  if (from < 0) return [];
  const last = text.lastIndexOf(`\n${state}\t`);
  const to = text.indexOf("\n", last + 1);
  return text.slice(from + 1, to < 0 ? undefined : to).split("\n");
}

type ReadPlace = {name: PlaceName; counties: Set<string>; zips: Set<string>; point: PlacePoint | null};

/** Parses the lines of a state. The point of the town takes precedence over that of its post office. */
function readPlaces(state: string, lines: readonly string[]): PlaceTable {
  const places = new Map<string, ReadPlace>();
  const zips = new Map<string, readonly string[]>();
  const byCounty = new Map<string, PlaceName[]>();
  for (const line of lines) {
    const [, city = "", lat, lon, countyTexts = "", zipTexts = "", source] = line.split("\t");
    const name = placeName(city);
    const counties = countyKeys(state, countyTexts, " ");
    const point = {lat: Number(lat), lon: Number(lon), source: source as PlacePoint["source"]};
    const place = places.get(name.key) ?? {name, counties: new Set(), zips: new Set(), point};
    if (place.point !== null && distanceMiles(place.point, point) > onePlaceMiles) place.point = null;
    else if (place.point?.source === "post") place.point = point;
    places.set(name.key, place);
    for (const county of counties) {
      if (!place.counties.has(county)) byCounty.set(county, [...(byCounty.get(county) ?? []), name]);
      place.counties.add(county);
    }
    for (const zipText of zipTexts === "" ? [] : zipTexts.split(" ")) {
      const [zip = "", touched] = zipText.split("=");
      zips.set(zip, touched === undefined ? counties : countyKeys(state, touched, ","));
      place.zips.add(zip);
    }
  }
  return {places, zips, byCounty, byEnd: namesByEnd([...places.values()])};
}

function namesByEnd(places: readonly Pick<Place, "name">[]): ReadonlyMap<string, readonly PlaceName[]> {
  const found = new Map<string, PlaceName[]>();
  for (const {name} of places) {
    for (const end of nameEnds(name)) {
      const names = found.get(end);
      if (names === undefined) found.set(end, [name]);
      else names.push(name);
    }
  }
  return found;
}

/** The county keys of a list; three digits denote a county of the state. */
function countyKeys(state: string, text: string, separator: string): string[] {
  const fips = stateOf(state)?.fips ?? "";
  return text === "" ? [] : text.split(separator).map((code) => (code.length === 3 ? fips + code : code));
}

/** True when one place name is a misspelling or an abbreviation of the other. */
export function isNear(name: PlaceName, other: PlaceName): boolean {
  if (name.key === "" || other.key === "") return false;
  return (
    isMisspelt(name, other) || isShortFor(name.words, other.words) || isShortFor(other.words, name.words)
  );
}

/** True for one or two typing errors between the names: none below 4 letters, one below 5. */
function isMisspelt({key}: PlaceName, other: PlaceName): boolean {
  const length = Math.min(key.length, other.key.length);
  if (length < minLengthForOne) return false;
  const allowed = length < minLengthForTwo ? 1 : 2;
  return editDistance(key, other.key, allowed) <= allowed;
}

/**
 * The first two and the last two letters of a name: two names at edit distance one share one of these ends.
 */
export function nameEnds({key}: PlaceName): [beginning: string, ending: string] {
  return [`${key.slice(0, 2)}…`, `…${key.slice(-2)}`];
}

/** True for a single typing error between names of at least six letters. */
export function isOneErrorApart({key}: PlaceName, other: PlaceName): boolean {
  return Math.min(key.length, other.key.length) >= minLengthForOnly && editDistance(key, other.key, 1) <= 1;
}

/**
 * True when a place name abbreviates another one: by its first words (`LAKE HAVASU`), its initials (`SLC`),
 * or words that keep the first letter and some of the others in order (`N RICHLND HLS`, `MPLS`).
 */
function isShortFor(name: string, other: string): boolean {
  if (name.length >= other.length || name[0] !== other[0]) return false;
  if (name.length >= minBeginning && other.startsWith(`${name} `)) return true;
  const [words, others] = [name.split(" "), other.split(" ")];
  if (others.length > 1 && name === others.map((word) => word[0]).join("")) return true;
  if (words.length !== others.length) return false;
  if (words.length === 1 && name.length < minAbbreviation) return false;
  return words.every((word, at) => keepsOrder(word, others[at]!));
}

/** True when a word consists of the first letter of another and some of its further letters, in order. */
function keepsOrder(word: string, other: string): boolean {
  if (word[0] !== other[0]) return false;
  let at = 0;
  for (const letter of word) {
    at = other.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
