import {directionals} from "./directionals.ts";
import {startsWithNumber} from "./house-number.ts";
import type {LineWords} from "./line-words.ts";
import {isRoadWord} from "./numbered-road.ts";
import type {ParsedAddress} from "./parsed-address.ts";
import {streetTypes} from "./street-types.ts";
import {unitAt} from "./unit-part.ts";

const numberWord = /^\d{1,6}[A-Z]?$|^\d{1,5}-\d{1,5}$/;

/**
 * Index of the house number or, without one, of the street. Units and names of buildings or recipients before the number
 * are passed over; a unit goes into the address, a name is noted.
 */
export function streetStart(address: ParsedAddress, line: LineWords, end: number): number {
  const {words} = line;
  if (words[0] === "CORNER" && words[1] === "OF" && end > 2) return 2;
  if (words[0] === "#" && end > 2 && startsWithNumber(words, 1)) return 1;
  if (startsWithNumber(words, 0)) return 0;
  const afterUnits = afterLeadingUnits(address, line, end);
  if (afterUnits > 0) return afterUnits;
  const at = laterNumber(line, end);
  if (at === null) return 0;
  address.notes.push("text before the number left out");
  return at;
}

/** `APT 4 10A …`, `SUITE 200, BUILDING 17, 7000 …` */
function afterLeadingUnits(address: ParsedAddress, {words, breaks}: LineWords, end: number): number {
  let next = 0;
  let found = null;
  for (;;) {
    const unit = unitAt(words, next, {end, breaks});
    if (unit === null || unit.unit === null || !/\d/.test(unit.unit)) break;
    found ??= unit;
    next = unit.next;
  }
  if (found === null || next >= end || !startsWithNumber(words, next)) return 0;
  address.unitType = found.unitType;
  address.unit = found.unit;
  return next;
}

/** The first number that a street follows, where no street, road or other number came before it. */
function laterNumber({words, breaks}: LineWords, end: number): number | null {
  let typed = false;
  for (let at = 1; at + 1 < end; at++) {
    const before = words[at - 1]!;
    if (/^\d+(?!\d*(?:ST|ND|RD|TH)$)|^\D+\d|^(?:#|&|BOX)$/.test(before)) return null;
    const strength = streetTypes.get(before)?.strength;
    typed ||= strength === "hard" || strength === "strong";
    if (!numberWord.test(words[at]!)) continue;
    if (isRoadWord(before) && !breaks[at]) return null;
    if (typed && at > 1) return null;
    // `E 1196 S`: a grid street, or a directional before its number.
    if (words.slice(0, at).every((word) => directionals.has(word))) return null;
    if (breaks[at] && words[at]!.length > 1)
      return isPlain(words, at) || hasStreet(words, at, end) ? at : null;
    return hasStreet(words, at, end) ? at : null;
  }
  return null;
}

/** True when the words before `at` hold no directional and no type of any kind. */
function isPlain(words: readonly string[], at: number): boolean {
  return words
    .slice(0, at)
    .every((word) => !directionals.has(word) && !streetTypes.has(word) && !isRoadWord(word));
}

function hasStreet(words: readonly string[], at: number, end: number): boolean {
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
