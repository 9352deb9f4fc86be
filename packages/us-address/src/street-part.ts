import {addressWords, wordSet} from "./address-words.ts";
import {boxAt} from "./box-part.ts";
import {directionalAt, directionals, postDirectional, trailingDirectional} from "./directionals.ts";
import type {LineWords} from "./line-words.ts";
import {readRoad} from "./road-part.ts";
import {cutAtOthers, type StreetPart, type StreetScope, zoneEnd} from "./street-scope.ts";
import {chooseType, countyType, streetName, streetTypes, type TypeChoice} from "./street-types.ts";
import {unitAt} from "./unit-part.ts";

// Streets without a type; the words after them do not belong to their name.
const complete: ReadonlySet<string> = new Set(["BROADWAY", "ESPLANADE", "BOARDWALK", "EMBARCADERO"]);
const [townStarts, townEnds] = [wordSet(addressWords.townStarts), wordSet(addressWords.townEnds)];
const ordinalNumber = /^\d+(?:ST|ND|RD|TH)$/;
const quadrant = /^[NS][EW]$/;
const bareUnit = /^\d{1,5}[A-Z]?$/;
// Spanish and French words for a street, which start its name.
const foreignTypes = wordSet(addressWords.foreignStreetTypes);
// Words followed by a number that belongs to the name: S LATERAL 4.
const numberedNames = wordSet("LATERAL DRAIN DITCH SECTION DISTRICT AREA TRACT CAMP PLAT LOT BLOCK");

/**
 * Parses [pre] name [type] [post] from the first word of the scope. The name is null when the scope contains
 * no street.
 */
export function readStreet(line: LineWords, scope: StreetScope): StreetPart {
  const {words} = line;
  const zone = zoneEnd(line, scope);
  const road = readRoad(line, scope, zone);
  if (road !== null) return road;
  const end = cutAtOthers(line, scope, zone);
  const town = scope.townFollows && zone === scope.end && end === zone;
  const {pre, next: at} = preDirectional(words, scope.at, end);
  if (at >= end) return {pre: null, name: null, type: null, post: null, next: at, isRoad: false};
  const lettered = avenueName(words, at, {end, town});
  if (lettered !== null) return withPost(line, {pre, ...lettered, type: null, end: scope.end});
  const certain = typeOf(words, at, {end, town});
  const chosen = countyType(words, at, {end, chosen: certain}) ?? certain;
  const split = numericGrid(words, at, {end, town, afterNumber: scope.afterNumber, chosen});
  if (split !== null) return {pre, name: words[at]!, type: null, ...split, isRoad: false};
  if (chosen === null || belongsToTown(words, {at, end, town, chosen}))
    return withoutType(line, {pre, at, end, town, scope});
  // THE CIR and THE CIRCLE have no type but the name itself.
  if (words[at] === "THE" && chosen.at === at + 1) {
    const whole = {pre, name: `THE ${chosen.type.full}`, type: null};
    return withPost(line, {...whole, next: chosen.at + 1, end: scope.end});
  }
  const name = streetName(words.slice(at, chosen.at), {beforeType: true, afterNumber: scope.afterNumber});
  return withPost(line, {pre, name, type: chosen.type.short, next: chosen.at + 1, end: scope.end});
}

/**
 * Chooses the type. The words of `AVENIDA VISTA GRANDE` belong to the name, unless a certain type ends it
 * (`PASEO DEL NORTE BLVD`).
 */
function typeOf(
  words: readonly string[],
  at: number,
  {end, town}: {end: number; town: boolean},
): TypeChoice | null {
  const chosen = chooseType(words, at, {end, townFollows: town});
  const isInName = foreignTypes.has(words[at]!) && chosen?.type.strength !== "hard";
  return isInName ? null : chosen;
}

/**
 * True for a weak type that ends the town's name (GRAND RAPIDS) or follows a quadrant, so it is not a street
 * type.
 */
function belongsToTown(
  words: readonly string[],
  {at, end, town, chosen}: {at: number; end: number; town: boolean; chosen: TypeChoice},
): boolean {
  if (!town || chosen.type.strength !== "weak") return false;
  const word = words[chosen.at]!;
  // FT in `SE 2ND FT LAUDERDALE` is Fort; GLN in `51ST GLN PHOENIX` belongs to the street.
  const isPlaceWord = word === chosen.type.full || word === "FT" || word === "MT";
  if (/^\d+(?:ST|ND|RD|TH)$/.test(words[at]!)) return isPlaceWord || chosen.at > at + 1;
  const divided = quadrantEnd(words, {at, end});
  return (divided !== null && divided <= chosen.at) || (chosen.at === end - 1 && end - at > 2);
}

/**
 * Parses a directional before a name. In NORTH ST it is the name itself; S CANYON CREST is on the south side.
 */
function preDirectional(
  words: readonly string[],
  at: number,
  end: number,
): {pre: string | null; next: number} {
  const dir = directionalAt(words, at, end);
  if (dir === null || dir.next >= end) return {pre: null, next: at};
  if (countyType(words, dir.next - 1, {end, chosen: null})?.at === dir.next) return {pre: null, next: at};
  if (!isBareType(words, dir.next, end)) return {pre: dir.dir, next: dir.next};
  if (dir.next === at + 1) return {pre: null, next: at};
  return {pre: directionals.get(words[at]!)!, next: at + 1};
}

/** True when only a certain type remains, alone or before a directional. */
function isBareType(words: readonly string[], at: number, end: number): boolean {
  const type = streetTypes.get(words[at]!);
  if (type === undefined || type.strength === "weak") return false;
  if (at + 1 === end || /^[NS][EW]$/.test(words[at + 1]!)) return true;
  if (words[at] === "ST") return directionals.has(words[at + 1]!) && at + 2 === end;
  // NORTH AVE W is the west end of North Avenue, N AVENUE B the north end of Avenue B.
  if (at + 2 === end && directionals.has(words[at + 1]!)) return true;
  if (avenueName(words, at, {end, town: true}) !== null) return false;
  for (let next = at + 1; next < end; next++) if (streetTypes.has(words[next]!)) return false;
  return true;
}

/** Parses a name that starts with its type (`AVENUE B`, `AVENUE OF THE STARS`); null for any other name. */
function avenueName(
  words: readonly string[],
  at: number,
  {end, town}: {end: number; town: boolean},
): {name: string; next: number} | null {
  const type = streetTypes.get(words[at]!);
  if (type === undefined || type.strength !== "hard" || at + 1 >= end) return null;
  if (words[at] === "ST" || words[at] === "DR") return null;
  const next = words[at + 1]!;
  if (next === "OF") {
    // A town follows in AVENUE OF THE STARS LOS ANGELES, so the name takes one word.
    const one = words[at + 2] === "THE" || words[at + 2] === "TH" ? at + 4 : at + 3;
    const last = town ? Math.min(one, end) : end;
    return {name: [type.full, ...words.slice(at + 1, last)].join(" "), next: last};
  }
  const isLetter = next.length === 1 && next >= "A" && next <= "Z";
  const isDone = at + 2 === end || town || (directionals.has(words[at + 2]!) && at + 3 === end);
  if (!isLetter || !isDone || streetTypes.has(words[at + 2] ?? "")) return null;
  return {name: `${type.full} ${next}`, next: at + 2};
}

/**
 * Parses the end of a grid street: its directional ends it (`1196 S 400 EAST`), unless a type follows (`2900
 * E RD`).
 */
function numericGrid(
  words: readonly string[],
  at: number,
  grid: {end: number; town: boolean; afterNumber: boolean; chosen: TypeChoice | null},
): {post: string; next: number} | null {
  if (!grid.afterNumber || !/^\d{2,5}$/.test(words[at]!)) return null;
  const dir = directionalAt(words, at + 1, grid.end);
  if (dir === null || (dir.next < grid.end && streetTypes.has(words[dir.next]!))) return null;
  if (!grid.town && grid.chosen !== null && grid.chosen.type.strength === "hard") return null;
  return {post: dir.dir, next: dir.next};
}

function withoutType(
  line: LineWords,
  {
    pre,
    at,
    end,
    town,
    scope,
  }: {pre: string | null; at: number; end: number; town: boolean; scope: StreetScope},
): StreetPart {
  const {words} = line;
  let stop = untypedEnd(line, {at, end, town});
  if (scope.afterNumber && endsWithUnit(words, {at, end: stop, pre})) stop--;
  const post = stop > at + 1 ? trailingDirectional(words, {at, end: stop}) : null;
  const behind =
    post === null && /^[NS][EW]$/.test(words[stop] ?? "")
      ? postDirectional(line, {at: stop, end: scope.end})
      : null;
  const name = streetName(words.slice(at, post?.from ?? stop), {beforeType: false, afterNumber: false});
  return {
    pre,
    name,
    type: null,
    post: post?.dir ?? behind?.dir ?? null,
    next: behind?.next ?? stop,
    isRoad: false,
  };
}

function withPost(
  line: LineWords,
  part: {pre: string | null; name: string; type: string | null; next: number; end: number},
): StreetPart {
  const {pre, name, type, next, end} = part;
  const post = postDirectional(line, {at: next, end});
  // After a directional before the name, one before another name belongs to the town: S CEDAR AVE S PITTSBURG
  // TN.
  const belongsToTown = post !== null && pre !== null && beginsName(line, post.next, end);
  if (post === null || belongsToTown) return {pre, name, type, post: null, next, isRoad: false};
  return {pre, name, type, post: post.dir, next: post.next, isRoad: false};
}

/** True for a word that may start a town's name, because no unit, box, number or break is there. */
function beginsName({words, breaks}: LineWords, at: number, end: number): boolean {
  if (at >= end || breaks[at] || !/^[A-Z]{3,}$/.test(words[at]!)) return false;
  return unitAt(words, at, {end, breaks}) === null && boxAt(words, at, {end, afterStreet: true}) === null;
}

/**
 * The index after the first quadrant (NE, SW ...) that follows a name's first word, where the street ends;
 * null without one.
 */
function quadrantEnd(words: readonly string[], {at, end}: {at: number; end: number}): number | null {
  for (let next = at + 1; next < end; next++) if (quadrant.test(words[next]!)) return next + 1;
  return null;
}

/**
 * The index at which a street without type ends, given the first word of its name: after an ordinal, a
 * quadrant or BROADWAY, at a wide gap, else before the words that probably belong to the town. Without a town
 * in these words the street is all of them.
 */
function untypedEnd(
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

/** True when the last word of a name without type is a unit: `1020 WEST BRYN MAWR 211`, `3633 N 3RD 2090`. */
function endsWithUnit(
  words: readonly string[],
  {at, end, pre}: {at: number; end: number; pre: string | null},
): boolean {
  if (end - at < 2 || !bareUnit.test(words[end - 1]!)) return false;
  const before = words[end - 2]!;
  if (ordinalNumber.test(before) && words[end - 1]!.length > 2) return true;
  if (!/^[A-Z]{3,}$/.test(before) || numberedNames.has(before)) return false;
  return pre !== null || words[end - 1]!.length > 2;
}
