import {boxAt} from "./box-part.ts";
import type {LineWords} from "./line-words.ts";
import {leaveOut, noteTownByForm, type ParsedAddress} from "./parsed-address.ts";
import {cutAtOthers} from "./street-scope.ts";
import {streetTypes} from "./street-types.ts";
import {bareUnitAt, mayBeUnit, unitAt} from "./unit-part.ts";
import {joinedUnit, type Unit} from "./unit-parts.ts";

const placePrefixes: ReadonlySet<string> = new Set(["CITY", "TOWN", "VILLAGE", "TOWNSHIP", "BOROUGH"]);
const secondStreetNote = "second street not compared";
const asides: ReadonlySet<string> = new Set(["ATTN", "C/O", "RE", "ATTENTION", "TO"]);

/** Parses what follows the street into the address: second street, units, boxes, then the town. */
export function readRest(
  address: ParsedAddress,
  line: LineWords,
  {
    at,
    end,
    town = null,
    afterStreet,
    isPlaced = true,
  }: {
    at: number;
    end: number;
    town?: number | null;
    afterStreet: boolean;
    /** False where words behind the street without a comma can be no town: no place is called so, and no state or ZIP follows. */
    isPlaced?: boolean;
  },
): void {
  let next = at;
  let first = afterStreet;
  // Text between commas, such as a quarter of the city, counts as one word where it is left out.
  let words = 0;
  while (next < end) {
    const stop = town !== null && next < town ? town : segmentEnd(line, next, end);
    if (next === town && stop === end) {
      setTown(address, line.words.slice(next, end), words);
      return;
    }
    const isPart = !first || line.breaks[next] === true;
    next = readSegment(address, line, {at: next, end: Math.min(stop, end), first, words, isPlaced});
    words = isPart ? 1 : (address.city?.split(" ").length ?? 0);
    first = false;
  }
}

function segmentEnd({breaks}: LineWords, at: number, end: number): number {
  for (let next = at + 1; next < end; next++) if (breaks[next]) return next;
  return end;
}

function readSegment(
  address: ParsedAddress,
  line: LineWords,
  {
    at,
    end,
    first,
    words: before,
    isPlaced,
  }: {at: number; end: number; first: boolean; words: number; isPlaced: boolean},
): number {
  const {words, breaks, asides} = line;
  let next = at;
  let street = first && address.name !== null;
  let bare = (first && !breaks[next]) || isUnitAlone(line, {at, end, afterStreet: address.name !== null});
  while (next < end) {
    if (street && isBetweenStreets(line, next, end)) {
      next = readSecondStreet(address, line, {at: next + 1, end});
      continue;
    }
    const box = boxAt(words, next, {end, afterStreet: true});
    const unit = unitAt(words, next, {end, breaks}) ?? (bare ? bareUnitAt(words, next, {end, breaks}) : null);
    bare = false;
    if (box !== null) {
      address.notes.push("box left out");
      next = box.next;
    } else if (unit !== null) {
      takeUnit(address, unit, unit.next - next);
      next = unit.next;
    } else break;
    street &&= next < end && !breaks[next];
  }
  // Behind the street without a comma a number, or a joint before a unit, shows that the words are no town: `MAIN ST LOT 12 BLK 3`.
  const isByForm = first && !breaks[next] && !line.gaps[next];
  const isJoined = words[next] === "&" || words[next] === "AND";
  const isNoTown =
    isByForm && (!isPlaced || isJoined || words.slice(next, end).some((word) => /^\d/.test(word)));
  if (next < end && isNoTown) leaveOut(address, "text after the street left out", end - next);
  else if (next < end) {
    setTown(address, words.slice(next, end), before);
    noteTownByForm(address, (isByForm || asides[next] === true) && address.city !== null);
  }
  return end;
}

/**
 * True for the `&` before a second street, and for AT or TO (`ELM ST TO OAK ST`); after a comma these need a
 * type.
 */
function isBetweenStreets({words, breaks}: LineWords, at: number, end: number): boolean {
  const word = words[at]!;
  // A value shows a unit; a word alone (FRONT, TOWER) is as well a street's name.
  if ((unitAt(words, at + 1, {end, breaks})?.unit ?? null) !== null) return false;
  if (word === "&" || word === "AND") return true;
  if (word !== "AT" && word !== "TO") return false;
  return !breaks[at] || words.slice(at + 2, end).some((each) => streetTypes.get(each)?.strength === "hard");
}

/** Parses a second street up to a unit, a box or a third street, and returns the index after it. */
function readSecondStreet(
  address: ParsedAddress,
  line: LineWords,
  {at, end}: {at: number; end: number},
): number {
  const next = cutAtOthers(line, {at, end, afterNumber: false, townFollows: false}, end);
  const streets = [address.secondStreet, line.words.slice(at, next).join(" ")];
  address.secondStreet = streets.filter((street) => street !== null && street !== "").join(" & ") || null;
  if (!address.notes.includes(secondStreetNote)) address.notes.push(secondStreetNote);
  return next;
}

/**
 * True for a segment of one short word, or of a number and a letter, that another segment follows (`MAIN ST,
 * 302, ASHMERE`).
 */
function isUnitAlone(
  {words}: LineWords,
  {at, end, afterStreet}: {at: number; end: number; afterStreet: boolean},
): boolean {
  const isLettered = at + 2 === end && /^\d+$/.test(words[at]!) && /^[A-Z]$/.test(words[at + 1]!);
  const isShort = at + 1 === end && mayBeUnit(words[at]!);
  return afterStreet && end < words.length && (isShort || isLettered);
}

/** Adds a part to the address's unit; of two parts of one kind the last stays and the other counts as left out. */
export function takeUnit(address: ParsedAddress, {unitType, unit}: Unit, words: number): void {
  if (unitType === null && unit === null) return;
  const hasUnit = address.unitType !== null || address.unit !== null;
  const joined = hasUnit ? joinedUnit(address, {unitType, unit}) : {unitType, unit};
  if (joined === null) leaveOut(address, "further unit left out", words);
  Object.assign(address, joined ?? {unitType, unit});
}

/** The county of `TRAVIS COUNTY`, `TRAVIS CO` or `COUNTY OF TRAVIS`; null for other words. */
function countyIn(words: readonly string[]): string | null {
  const text = words.join(" ");
  return (/^COUNTY OF (.+)$/.exec(text) ?? /^(.+) (?:COUNTY|PARISH|CO)$/.exec(text))?.[1] ?? null;
}

/** Takes the words as the town, instead of the one before, which counts as `before` words left out. */
function setTown(address: ParsedAddress, words: readonly string[], before: number): void {
  if (asides.has(words[0]!)) {
    leaveOut(address, "text after the street left out", words.length);
    return;
  }
  const county = countyIn(words);
  if (county !== null && address.city !== null) {
    address.county = county;
    return;
  }
  const countyBefore = countyIn(address.city?.split(" ") ?? []);
  if (countyBefore !== null) {
    address.county = countyBefore;
  } else if (address.city !== null) {
    leaveOut(address, "text between street and city left out", before);
  }
  const isPrefixed = words.length > 2 && placePrefixes.has(words[0]!) && words[1] === "OF";
  const whole = isPrefixed ? words.slice(2) : words;
  const letters = whole.filter((word) => !/[\d#&]/.test(word));
  // `ES 314`: a mark of two letters and its number are no town.
  const named = letters.length < whole.length && letters.every((word) => word.length < 3) ? [] : letters;
  if (named.length < whole.length) {
    leaveOut(address, "text beside the city left out", whole.length - named.length);
  }
  if (named.length > 0) address.city = named.join(" ");
}
