import {wordSet} from "./address-words.ts";
import {directionals} from "./directionals.ts";
import {hasLetterFirst, startsWithNumber} from "./house-number.ts";
import type {LineWords} from "./line-words.ts";
import {isRoadWord} from "./numbered-road.ts";
import {leaveOut, type ParsedAddress, recipientNote} from "./parsed-address.ts";
import {takeUnit} from "./rest-of-line.ts";
import {streetTypes} from "./street-types.ts";
import {standaloneUnits, type UnitPart, unitAt, unitDesignators} from "./unit-part.ts";

const buildings = wordSet("PLAZA PLZ CENTER CTR CENTRE SQUARE SQ PLACE PL TOWER BUILDING BLDG");
const intersections = wordSet("CORNER COR JCT JUNCTION CRSRDS CROSSROADS INTERSECTION");
const postal = wordSet("PO P POST BOX LOCKBOX POB RR HC RURAL");
const numberWord = /^\d{1,6}[A-Z]?$|^\d{1,5}-\d{1,5}$/;

/**
 * Index of the house number or, without one, of the street. Skips units and names of buildings or recipients
 * before the number: a unit is stored in the address, a name is noted.
 */
export function streetStart(address: ParsedAddress, line: LineWords, end: number): number {
  const {words} = line;
  const intersection = afterIntersection(words, end);
  if (intersection > 0) {
    address.notes.push("text before the street left out");
    return intersection;
  }
  if (words[0] === "#" && isUnitBeforeNumber(words, end)) {
    address.unit = words[1]!;
    return 2;
  }
  if (words[0] === "#" && end > 2 && startsWithNumber(words, 1)) return 1;
  if (words[0] === "NO" && isNumbered(words, end)) return 1;
  if (hasLetterFirst(words, 0, end)) return 0;
  if (startsWithNumber(words, 0)) return noted(address, line, afterBuilding(line, end)) ?? 0;
  const afterUnits = afterLeadingUnits(address, line, end);
  if (afterUnits > 0) return afterUnits;
  return noted(address, line, laterNumber(line, end) ?? typedNumber(words, end)) ?? 0;
}

/** True for the unit of `#4 12 ELM ST`, which a house number and a street follow. */
function isUnitBeforeNumber(words: readonly string[], end: number): boolean {
  const isId = /^\d{1,5}[A-Z]?$|^[A-Z]\d{0,4}$/.test(words[1] ?? "");
  return isId && end > 4 && numberWord.test(words[2] ?? "") && hasStreet(words, 2, end);
}

/** True for `NO 12 ELM PL`, where NO is short for number, but not for `NO 400 EAST` and `NO 12 ST`. */
function isNumbered(words: readonly string[], end: number): boolean {
  if (end < 4 || !startsWithNumber(words, 1)) return false;
  const isName = !directionals.has(words[2]!) && !streetTypes.has(words[2]!);
  return isName || hasStreet(words, 1, end) || /^[A-Z]$/.test(words[3]!);
}

/** Notes the words before the number: a recipient, which a comma ends, or words that are left out. */
function noted(address: ParsedAddress, line: LineWords, at: number | null): number | null {
  if (at === null) return null;
  const isRecipient = isRecipientBefore(line, at);
  leaveOut(address, isRecipient ? recipientNote : "text before the number left out", isRecipient ? 0 : at);
  return at;
}

/** True when the words before `at` hold no digit and the line's first comma follows them. */
function isRecipientBefore({words, breaks}: LineWords, at: number): boolean {
  return breaks[at] === true && breaks.indexOf(true, 1) === at && !/\d/.test(words.slice(0, at).join(" "));
}

/**
 * Index of the first street of an intersection (`CORNER OF MAIN & ELM`, `JCT US 2 & SD 10`); 0 for any other
 * line.
 */
function afterIntersection(words: readonly string[], end: number): number {
  if (!intersections.has(words[0]!)) return 0;
  const at = words[1] === "OF" ? 2 : 1;
  const isStreet = at === 2 || words.includes("&") || words.includes("AND") || isRoadWord(words[at] ?? "");
  return at < end && isStreet && !streetTypes.has(words[at]!) && !/^\d+$/.test(words[at]!) ? at : 0;
}

/**
 * Index of the address after a building with a number in its name (`1 LINCOLN CTR 5400 LBJ FWY`, `ONE MIDTOWN
 * PLAZA, 55 BROADWAY`); null without such a building.
 */
function afterBuilding({words, breaks}: LineWords, end: number): number | null {
  for (let at = 2; at < Math.min(end, 6); at++) {
    const word = words[at - 1]!;
    if (/\d/.test(word)) return null;
    if (!buildings.has(word)) continue;
    let next = at;
    for (
      let unit = unitAt(words, next, {end, breaks});
      unit !== null;
      unit = unitAt(words, next, {end, breaks})
    )
      next = unit.next;
    return isTypedNumber(words, next, end) ? next : null;
  }
  return null;
}

/**
 * Index of the first number before a name with a certain type, after text without a street; null when there
 * is none.
 */
function typedNumber(words: readonly string[], end: number): number | null {
  if (directionals.has(words[0]!) || isRoadWord(words[0]!) || postal.has(words[0]!)) return null;
  for (let at = 1; at + 2 < end; at++) {
    const strength = streetTypes.get(words[at - 1]!)?.strength;
    if (strength === "hard" || (strength === "strong" && at > 1)) return null;
    if (isTypedNumber(words, at, end)) return at;
  }
  return null;
}

/**
 * True for a number of two or more digits whose type follows within five words, without a number between;
 * BROADWAY needs no type.
 */
function isTypedNumber(words: readonly string[], at: number, end: number): boolean {
  if (!/^\d{2,6}[A-Z]?$|^\d{1,5}-\d{1,5}$/.test(words[at] ?? "")) return false;
  if (words[at + 1] === "BROADWAY") return true;
  for (let after = at + 1; after < Math.min(end, at + 6); after++) {
    const word = words[after]!;
    if (after > at + 1 && streetTypes.get(word)?.strength === "hard") return true;
    if (/^(?:\d+|[#&])$/.test(word) || unitDesignators.has(word)) return false;
  }
  return false;
}

/** Index of the number after leading units (`SUITE 200, BUILDING 17, 7000 …`); 0 without leading units. */
function afterLeadingUnits(address: ParsedAddress, {words, breaks}: LineWords, end: number): number {
  let next = 0;
  const units: UnitPart[] = [];
  for (;;) {
    const alone = standaloneUnits.get(words[next] ?? "");
    // A word such as REAR has no value: `REAR 110 MAIN ST`.
    if (alone !== undefined && startsWithNumber(words, next + 1) && next + 2 < end) {
      units.push({unitType: alone, unit: null, next: next + 1});
      next++;
      break;
    }
    const unit = unitAt(words, next, {end, breaks});
    if (unit === null || unit.unit === null) break;
    // Without a digit, a letter before a comma is a unit: `UNIT B, 44 COURT ST`.
    if (!/\d/.test(unit.unit) && !(unit.unit.length === 1 && breaks[unit.next])) break;
    units.push(unit);
    next = unit.next;
  }
  if (units.length === 0 || next >= end || !startsWithNumber(words, next)) return 0;
  for (const unit of units) takeUnit(address, unit, 1);
  return next;
}

/**
 * Index of the first number before a street, with no street, road or number before it; null when there is
 * none.
 */
function laterNumber({words, breaks}: LineWords, end: number): number | null {
  let typed = false;
  for (let at = 1; at + 1 < end; at++) {
    const before = words[at - 1]!;
    if (/^\d+(?!\d*(?:ST|ND|RD|TH)$)|^\D+\d|^(?:#|&|BOX)$/.test(before)) return null;
    const strength = streetTypes.get(before)?.strength;
    typed ||= strength === "hard" || strength === "strong";
    if (!numberWord.test(words[at]!)) continue;
    // The first number of `PORTOFINO N 507 2600 N FLAGLER DR` belongs to the preceding text.
    if (/^\d{2,}$/.test(words[at + 1]!)) return null;
    if (isRoadWord(before) && !breaks[at]) return null;
    if (typed && at > 1) return null;
    // `E 1196 S` is a grid street, or a directional before its number.
    if (words.slice(0, at).every((word) => directionals.has(word))) return null;
    if (breaks[at] && words[at]!.length > 1)
      return isPlain(words, at) || hasStreet(words, at, end) ? at : null;
    return hasStreet(words, at, end) ? at : null;
  }
  return null;
}

/** True when the words before `at` contain no directional, type or road class. */
function isPlain(words: readonly string[], at: number): boolean {
  return words
    .slice(0, at)
    .every((word) => !directionals.has(word) && !streetTypes.has(word) && !isRoadWord(word));
}

/** True when a street with a certain type, or a numbered road, follows the word at `at`. */
export function hasStreet(words: readonly string[], at: number, end: number): boolean {
  const next = words[at + 1]!;
  if (
    directionals.has(next) &&
    at + 2 < end &&
    (!streetTypes.has(words[at + 2]!) || isRoadWord(words[at + 2]!))
  )
    return true;
  for (let after = at + 1; after < end; after++) {
    if (isRoadWord(words[after]!) && /^\d/.test(words[after + 1] ?? "")) return true;
    if (after > at + 1 && streetTypes.get(words[after]!)?.strength === "hard") return true;
  }
  return false;
}
