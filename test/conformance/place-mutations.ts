import {counties, countyOf} from "../../lib/geography/counties.ts";
import {countiesOfZip, placeOf, placesOfCounty} from "../../lib/parcels/place/postal-places.ts";
import type {Random} from "../server/parcels/invented-state.ts";
import {typingError} from "./typing-error.ts";

/** A published row with street, place and county. */
export type PlacedRow = {
  parcel_uid: string;
  county_key: string;
  street: string;
  city: string | null;
  zip: string | null;
};

/** A place in another county, with its ZIP. */
type OtherPlace = {name: string; zip: string};

/** How the line ends after the street: with city and ZIP of another county, or one of them. */
export const elsewhereQuestions = ["city and ZIP", "city alone", "ZIP alone"] as const;

/** Lines that put a street into another county; none if no place of the state is far enough away. */
export function elsewhereLines(row: PlacedRow, state: string, random: Random): Map<string, string> {
  const other = placeElsewhere(row, state, random);
  if (other === null) return new Map();
  return new Map([
    ["city and ZIP", `${row.street}, ${other.name}, ${state} ${other.zip}`],
    ["city alone", `${row.street}, ${other.name}, ${state}`],
    ["ZIP alone", `${row.street}, ${state} ${other.zip}`],
  ]);
}

/** A place in the state that belongs neither to the row nor to its county. */
function placeElsewhere(row: PlacedRow, state: string, random: Random): OtherPlace | null {
  const others = counties().filter((county) => county.state === state && county.fips !== row.county_key);
  for (let tries = 0; tries < 50 && others.length > 0; tries++) {
    const names = placesOfCounty(random.pick(others).fips).map(({words}) => words);
    if (names.length === 0) continue;
    const name = random.pick(names);
    const {counties: itsCounties, zips} = placeOf(state, name)!;
    const zip = [...zips].find((each) => !(countiesOfZip(each) ?? []).includes(row.county_key));
    if (zip === undefined || zip === row.zip || itsCounties.has(row.county_key)) continue;
    if (row.city?.toUpperCase() !== name) return {name, zip};
  }
  return null;
}

/** The spelling of a row's city: with one or two typing errors, short, or as the county. */
export const cityQuestions = ["one typo", "two typos", "abbreviated", "county"] as const;

/** The lines with another spelling of the row's city, or of a place of its county; half of those with a ZIP keep it. */
export function cityLines(row: PlacedRow, state: string, random: Random): Map<string, string> {
  const named = row.city !== null && placeOf(state, row.city) !== null ? row.city : null;
  const city = named ?? random.pick(placesOfCounty(row.county_key))?.words ?? "";
  const county = countyOf(row.county_key)?.fullName ?? "";
  const zip = row.zip !== null && random.pick([true, false]) ? ` ${row.zip}` : "";
  const once = city.length < 5 ? null : typingError(city, random);
  const spellings: [string, string | null][] = [
    ["one typo", once],
    ["two typos", once === null || city.length < 8 ? null : typingError(once, random)],
    ["abbreviated", abbreviated(city, random)],
    ["county", county === "" ? null : county],
  ];
  const lines = spellings.map(([name, spelling]): [string, string | null] => [
    name,
    spelling === null ? null : `${row.street}, ${spelling}, ${state}${zip}`,
  ]);
  return new Map(lines.filter((entry): entry is [string, string] => entry[1] !== null));
}

const directions: Readonly<Record<string, string>> = {NORTH: "N", SOUTH: "S", EAST: "E", WEST: "W"};

/**
 * Abbreviates to the first of several words, initials, a short direction, or a long word without its later vowels; null for a
 * short word.
 */
function abbreviated(city: string, random: Random): string | null {
  const words = city.toUpperCase().split(" ");
  const [first = "", ...others] = words;
  const short = directions[first];
  if (short !== undefined && others.length > 0) return [short, ...others].join(" ");
  const bare = first[0] + first.slice(1).replace(/[AEIOU]/g, "");
  const choices = [
    ...(words.length > 2 ? [words.map((word) => word[0]).join("")] : []),
    ...(words.length > 1 && first.length > 5 ? [first] : []),
    ...(bare.length > 3 && bare.length < first.length ? [[bare, ...others].join(" ")] : []),
  ];
  return choices.length === 0 ? null : random.pick(choices);
}
