import type {LineWords} from "./line-words.ts";

/** Directionals by every accepted spelling (USPS Publication 28, appendix B, and what rolls print). */
export const directionals: ReadonlyMap<string, string> = new Map([
  ["N", "N"],
  ["NORTH", "N"],
  ["NO", "N"],
  ["NTH", "N"],
  ["S", "S"],
  ["SOUTH", "S"],
  ["SO", "S"],
  ["STH", "S"],
  ["E", "E"],
  ["EAST", "E"],
  ["W", "W"],
  ["WEST", "W"],
  ["NE", "NE"],
  ["NORTHEAST", "NE"],
  ["NW", "NW"],
  ["NORTHWEST", "NW"],
  ["SE", "SE"],
  ["SOUTHEAST", "SE"],
  ["SW", "SW"],
  ["SOUTHWEST", "SW"],
]);

const spelled: ReadonlySet<string> = new Set(["NORTH", "SOUTH", "EAST", "WEST"]);

/** Reads a directional of one or two words at `at` (`S`, `SOUTH WEST`, `N E`); null when no directional begins there. */
export function directionalAt(
  words: readonly string[],
  at: number,
  end: number,
): {dir: string; next: number} | null {
  if (at >= end) return null;
  const first = words[at]!;
  const dir = directionals.get(first);
  if (dir === undefined) return null;
  const second = at + 1 < end ? words[at + 1]! : "";
  // `N EAST ST` is N of East Street: two words are one directional only when written alike.
  const alike = spelled.has(first) ? spelled.has(second) : first.length === 1 && second.length === 1;
  const other = alike ? directionals.get(second) : undefined;
  if ((dir === "N" || dir === "S") && (other === "E" || other === "W"))
    return {dir: dir + other, next: at + 2};
  return {dir, next: at + 1};
}

// Second words of larger places whose names begin with a spelled directional, which is not the street's then.
const afterDirectional: Readonly<Record<string, ReadonlySet<string>>> = {
  NORTH: new Set(
    "ADAMS ANDOVER ARLINGTON ATTLEBOROUGH ATTLEBORO AUGUSTA AURORA BABYLON BAY BEND BERGEN BRANCH BRUNSWICK CANTON CHARLESTON CHICAGO COLLEGE FORT FT HAVEN HIGHLANDS HOLLYWOOD KANSAS KINGSTOWN LAS LAUDERDALE LIBERTY LITTLE MANCHESTER MANKATO MIAMI MUSKEGON MYRTLE OGDEN OLMSTED PALM PLATTE PLAINFIELD POLE PORT PROVIDENCE READING RICHLAND RIDGEVILLE RIVERSIDE ROYALTON SALT SMITHFIELD SYRACUSE TONAWANDA VERNON WALES WILKESBORO".split(
      " ",
    ),
  ),
  SOUTH: new Set(
    "AMBOY BELOIT BEND BOSTON BURLINGTON CHARLESTON CHICAGO DAYTONA EL ELGIN EUCLID FULTON GATE HADLEY HAVEN HOLLAND HOUSTON HUNTINGTON JORDAN KINGSTOWN LAKE LYON MIAMI MILWAUKEE OGDEN OZONE PADRE PASADENA PLAINFIELD PORTLAND RICHMOND RIVER SALT SAN SIOUX WEBER WHITLEY WINDSOR".split(
      " ",
    ),
  ),
  EAST: new Set(
    "AURORA BERNSTADT BETHEL BRUNSWICK CHICAGO CLEVELAND DUNDEE FALMOUTH GRAND GREENBUSH GREENWICH HADDAM HAMPTON HARTFORD HAVEN HELENA LANSING LIVERPOOL LONGMEADOW LOS LYME MEADOW MOLINE NORTHPORT ORANGE PALATKA PALESTINE PALO PATCHOGUE PEORIA PITTSBURGH POINT PROVIDENCE RIDGE ROCHESTER ROCKAWAY RUTHERFORD STROUDSBURG TAWAS TROY WENATCHEE WINDSOR".split(
      " ",
    ),
  ),
  WEST: new Set(
    "ALLIS BABYLON BEND BLOOMFIELD BOUNTIFUL BOYLSTON BRANCH BRIDGEWATER BURLINGTON CALDWELL CHESTER CHICAGO COLUMBIA COVINA DES DOVER DUNDEE FARGO FELICIANA FRANKFORT GREENWICH HARTFORD HAVEN HAZLETON HEMPSTEAD HILLS HOLLYWOOD ISLIP JEFFERSON JORDAN KINGSTON LAFAYETTE LEBANON LIBERTY LINN LONG LOS MEMPHIS MIAMI MIFFLIN MILFORD MILWAUKEE MINEOLA MONROE NEW NEWBURY NYACK ORANGE PALM PATERSON PLAINS POINT READING RICHLAND RIVER RUTLAND SACRAMENTO SALEM SAYVILLE SENECA SPRINGFIELD STOCKBRIDGE UNIVERSITY VALLEY WARWICK WENDOVER YARMOUTH YELLOWSTONE".split(
      " ",
    ),
  ),
};

// The same for single letters: they belong to the street unless the place is hardly ever named without one.
const afterLetter: ReadonlySet<string> = new Set(
  "N HOLLYWOOD,N RICHLAND,N LITTLE,N MIAMI,N LAS,N CHARLESTON,S HOLLAND,S SAN,S BEND,S SALT,S JORDAN,E ORANGE,E LANSING,E CHICAGO,E PALO,E HARTFORD,W COVINA,W ALLIS,W DES,W HOLLYWOOD,W HARTFORD,W SACRAMENTO,W BLOOMFIELD,W VALLEY".split(
    ",",
  ),
);

/** True when a directional and the words after it begin the name of a larger place: `SOUTH HOLLAND`, `EAST ST LOUIS`. */
export function beginsPlace(directional: string, next: string, third: string): boolean {
  if (next === "PALM") return third === "BEACH";
  if (directional.length === 1) return afterLetter.has(`${directional} ${next}`);
  if (!(directional in afterDirectional)) return false;
  if (next === "ST" || next === "SAINT")
    return third === "PAUL" || (third === "LOUIS" && directional === "EAST");
  return afterDirectional[directional]?.has(next) ?? false;
}

/**
 * Reads a directional after a finished street, with the index after it; null when no directional follows, when it begins
 * the name of a town (`SOUTH HOLLAND`), or when it is a letter between a comma and another word (`, E ORANGE`).
 */
export function postDirectional(
  {words, breaks}: LineWords,
  {at, end}: {at: number; end: number},
): {dir: string; next: number} | null {
  // The comma of `AVENUE NORTH, WEST MEMPHIS` ends the first directional.
  const dir = directionalAt(words, at, breaks[at + 1] ? Math.min(end, at + 1) : end);
  if (dir === null) return null;
  const word = words[at]!;
  const isLast = dir.next >= end || breaks[dir.next] === true;
  const follower = isLast ? "" : words[dir.next]!;
  if (word === "NO" && /\d/.test(follower)) return null;
  if (breaks[at] && dir.dir.length === 1 && follower !== "") return null;
  const third = follower !== "" && dir.next + 1 < end ? words[dir.next + 1]! : "";
  return beginsPlace(word, follower, third) ? null : dir;
}

/** Reads a directional that ends a name without type (`400 SOUTH`), with its first index; null for any other name. */
export function trailingDirectional(
  words: readonly string[],
  {at, end}: {at: number; end: number},
): {dir: string; from: number} | null {
  const two = end - 2 > at ? directionalAt(words, end - 2, end) : null;
  if (two !== null && two.next === end) return {dir: two.dir, from: end - 2};
  const one = directionalAt(words, end - 1, end);
  return one === null ? null : {dir: one.dir, from: end - 1};
}
