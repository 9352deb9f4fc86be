import type {LineWords} from "./line-words.ts";

// Streets that have no type: the words after them are not part of their name.
const complete: ReadonlySet<string> = new Set(["BROADWAY", "ESPLANADE", "BOARDWALK", "EMBARCADERO"]);
// First and last words of the names of towns: a town with one of them has two words.
const townStarts: ReadonlySet<string> = new Set(
  "NEW SAN SANTA LOS LAS FORT FT SAINT ST NORTH SOUTH EAST WEST N S E W LAKE PORT EL LA MOUNT MT GRAND CEDAR PALM GREEN GRANITE ROUND LITTLE BIG WHITE RED BLUE COLD OAK ROCK HIGH GARDEN SILVER CAPE LE DE DES".split(
    " ",
  ),
);
const townEnds: ReadonlySet<string> = new Set(
  "CITY BEACH PARK SPRINGS FALLS HEIGHTS HILLS RAPIDS ROUGE CREEK GROVE VALLEY JUNCTION ISLAND LAKE LAKES CENTER HARBOR RIVER ROCK FORKS BLUFF BLUFFS HOPE TOWNSHIP TWP RIDGE STATION VILLAGE WOODS POINT CHURCH SHORES".split(
    " ",
  ),
);
const ordinalNumber = /^\d+(?:ST|ND|RD|TH)$/;
const quadrant = /^[NS][EW]$/;
const bareUnit = /^\d{1,5}[A-Z]?$/;
// Words whose number belongs to the name: S LATERAL 4.
const numberedNames: ReadonlySet<string> = new Set(
  "LATERAL DRAIN DITCH SECTION DISTRICT AREA TRACT CAMP PLAT LOT BLOCK".split(" "),
);

/** Gives the index after the first quadrant (NE, SW ...) after a name's first word, where the street ends; or null. */
export function quadrantEnd(words: readonly string[], {at, end}: {at: number; end: number}): number | null {
  for (let next = at + 1; next < end; next++) if (quadrant.test(words[next]!)) return next + 1;
  return null;
}

/**
 * Gives the index at which a street without type ends, from the first word of its name: after an ordinal, a quadrant or
 * BROADWAY, at a wide gap, else before the words that are probably the town's. Without a town in the same words it ends
 * with them.
 */
export function untypedEnd(
  {words, gaps}: LineWords,
  {at, end, town}: {at: number; end: number; town: boolean},
): number {
  const divided = quadrantEnd(words, {at, end});
  if (divided !== null) return divided;
  if (!town || end - at < 2) return end;
  if (complete.has(words[at]!) || ordinalNumber.test(words[at]!)) return at + 1;
  const gap = gaps.indexOf(true, at + 1);
  if (gap > at && gap < end) return gap;
  let from = end - 1;
  if (townEnds.has(words[from]!) && from - 1 > at) from--;
  while (from - 1 > at && townStarts.has(words[from - 1]!)) from--;
  return from;
}

/** True when the last word of a name without type is the unit: `1020 WEST BRYN MAWR 211`, `3633 N 3RD 2090`. */
export function endsWithUnit(
  words: readonly string[],
  {at, end, pre}: {at: number; end: number; pre: string | null},
): boolean {
  if (end - at < 2 || !bareUnit.test(words[end - 1]!)) return false;
  const before = words[end - 2]!;
  if (ordinalNumber.test(before) && words[end - 1]!.length > 2) return true;
  if (!/^[A-Z]{3,}$/.test(before) || numberedNames.has(before)) return false;
  return pre !== null || words[end - 1]!.length > 2;
}
