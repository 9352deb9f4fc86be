import {wordSet} from "./address-words.ts";
import type {LineWords} from "./line-words.ts";
import {isBeforeRoadLetter, isBeforeRoadNumber} from "./numbered-road.ts";
import type {AddressContext} from "./parsed-address.ts";
import {stateCodes, stateNames, stateOfZip} from "./state-names.ts";
import {streetTypes} from "./street-types.ts";
import {longestTown} from "./town-names.ts";
import {isFloorNumber, unitDesignators} from "./unit-part.ts";

/** The state and ZIP at the end of a line, and the index where the rest of the line ends. */
export type LocalityEnd = {
  readonly state: string | null;
  readonly zip: string | null;
  readonly zipPlusFour: string | null;
  /** True for a Canadian postal code, which is not stored. */
  readonly hasPostalCode: boolean;
  readonly end: number;
};

const fiveDigits = /^\d{5}$/;
const nineDigits = /^(\d{5})-?(\d{4})$/;
const gluedZip = /^([A-Z]{2})(\d{5})(?:-?(\d{4}))?$/;
const postalCode = /^[A-Z]\d[A-Z]$/;
// Codes that are also words, types or directionals: without a ZIP they need a comma somewhere before them.
const wordCodes = wordSet("IN OR ME OK HI OH DE CO LA PA MA ID AL MS MO ON AS");
const streetCodes: ReadonlySet<string> = new Set(["CT", "KY", "NE", "MT", "PR", "WY"]);
// ZIPs whose postal town is New York itself; after ALBANY, NEW YORK is the state.
const newYorkCityZip = /^10[0-2]/;
const cityStates: ReadonlySet<string> = new Set(["NEW YORK", "WASHINGTON"]);

/**
 * Parses country, ZIP and state at the end of a line. When the context gives the line's state, another
 * state's code at the end is a street type (`TRAILS END CT`), unless a comma or a ZIP shows that it is a
 * state.
 */
export function readLocalityEnd(line: LineWords, context: AddressContext = {}): LocalityEnd {
  const lineState = context.state?.toUpperCase() ?? null;
  let end = withoutCountry(line);
  const zip = zipBefore(line, end);
  const hasPostalCode = zip.zip === null && zip.end < end;
  end = zip.end;
  if (zip.state !== null) return {...zip, hasPostalCode, state: zip.state, end};
  const state = stateBefore(line, end, {zip: zip.zip, lineState, isKnownPlace: context.isKnownPlace});
  if (state === null && zip.zip === null) return {...withShortZip(line, end), hasPostalCode};
  return {
    state: state?.state ?? null,
    zip: zip.zip,
    zipPlusFour: zip.zipPlusFour,
    hasPostalCode,
    end: state?.end ?? end,
  };
}

function withoutCountry({words, breaks}: LineWords): number {
  const end = words.length;
  const last = words[end - 1];
  if (end < 3) return end;
  if (last === "USA" || last === "CANADA") return end - 1;
  if (last === "US" && (breaks[end - 1] || isZip(words[end - 2]!))) return end - 1;
  if (last === "STATES" && words[end - 2] === "UNITED") return end - 2;
  if (words.slice(-4).join(" ") === "UNITED STATES OF AMERICA") return end - 4;
  return last === "A" && words[end - 2] === "S" && words[end - 3] === "U" ? end - 3 : end;
}

function isZip(word: string): boolean {
  return fiveDigits.test(word) || nineDigits.test(word);
}

type Zip = {state: string | null; zip: string | null; zipPlusFour: string | null; end: number};

function zipBefore({words, breaks}: LineWords, end: number): Zip {
  const none: Zip = {state: null, zip: null, zipPlusFour: null, end};
  const last = words[end - 1];
  if (last === undefined) return none;
  const glued = gluedZip.exec(last);
  if (glued !== null && stateCodes.has(glued[1]!)) {
    return {state: glued[1]!, zip: glued[2]!, zipPlusFour: glued[3] ?? null, end: end - 1};
  }
  if (end < 2) return none;
  const before = words[end - 2]!;
  if (postalCode.test(before) && /^\d[A-Z]\d$/.test(last)) return {...none, end: end - 2};
  if (/^\d{4}$/.test(last) && fiveDigits.test(before) && end > 2) {
    return {...none, zip: before, zipPlusFour: last, end: end - 2};
  }
  if (!breaks[end - 1] && isNumbered(words, end - 1)) return none;
  if (fiveDigits.test(last)) return {...none, zip: last, end: end - 1};
  const nine = nineDigits.exec(last);
  if (nine === null) return none;
  return {...none, zip: nine[1]!, zipPlusFour: nine[2] === "0000" ? null : nine[2]!, end: end - 1};
}

/**
 * True for the number of a road, a unit or a box, which is not a ZIP. FL, CO and PR are states when a ZIP of
 * theirs follows.
 */
function isNumbered(words: readonly string[], at: number): boolean {
  const before = words[at - 1]!;
  if (stateOfZip(words[at]!) === before) return false;
  if (before === "FL" && at > 2 && isFloorNumber(words[at - 2]!)) return false;
  const isBox = before === "BOX" || before === "#" || before === "DRAWER";
  return isBox || isBeforeRoadNumber(words, at) || unitDesignators.has(before);
}

/**
 * Parses `MA 1241`, a ZIP that lost its leading zero in a spreadsheet, in a state whose ZIPs begin with zero.
 */
function withShortZip(line: LineWords, end: number): Omit<LocalityEnd, "hasPostalCode"> {
  const none = {state: null, zip: null, zipPlusFour: null, end};
  const last = line.words[end - 1];
  if (last === undefined || !/^\d{4}$/.test(last) || end < 3) return none;
  const zip = `0${last}`;
  const state = line.words[end - 2]!;
  return stateOfZip(zip) === state ? {state, zip, zipPlusFour: null, end: end - 2} : none;
}

type Known = {
  readonly zip: string | null;
  readonly lineState: string | null;
  readonly isKnownPlace: AddressContext["isKnownPlace"];
};

function stateBefore(line: LineWords, end: number, known: Known): {state: string; end: number} | null {
  if (end < 1) return null;
  const code = line.words[end - 1]!;
  if (code.length === 2 && stateCodes.has(code)) {
    return isStateCode(line, end - 1, known) ? {state: code, end: end - 1} : null;
  }
  for (let length = Math.min(3, end); length > 0; length--) {
    const from = end - length;
    if (line.breaks.slice(from + 1, end).includes(true)) continue;
    const name = length === 1 ? code : line.words.slice(from, end).join(" ");
    const state = stateNames.get(name);
    if (state !== undefined && isStateName(line, from, {name, state, ...known})) return {state, end: from};
  }
  const initials = end > 2 ? line.words[end - 2]! + code : "";
  const isInitials = initials.length === 2 && stateCodes.has(initials) && line.breaks[end - 2] === true;
  return isInitials ? {state: initials, end: end - 2} : null;
}

function isStateCode(line: LineWords, at: number, {zip, lineState, isKnownPlace}: Known): boolean {
  const code = line.words[at]!;
  if (at === 0) return line.breaks[0] === true || zip !== null;
  if (zip !== null && stateOfZip(zip) === code) return true;
  if (code === "FL" && at > 2 && isFloorNumber(line.words[at - 1]!)) return false;
  if (!line.breaks[at] && isBeforeRoadLetter(line.words[at - 1]!)) return false;
  if (zip !== null) return !streetCodes.has(code);
  const start = segmentStart(line, at);
  if (start === 0 && lineState !== null && lineState !== code) return false;
  if (streetCodes.has(code) && isTownBefore(line, at, isKnownPlace)) return true;
  if (streetCodes.has(code))
    return start > 0 && !hasDigit(line.words[start]!) && isAfterPlace(line, at, start);
  if (code === lineState && at > 2) return true;
  if (!wordCodes.has(code)) return at > 1 || start > 0 || line.breaks[0] === true;
  return (
    start > 0 ||
    line.breaks[0] === true ||
    hasTypeBefore(line, at - 1) ||
    endsWithPlace(line, {from: 2, at, isKnownPlace})
  );
}

/**
 * True for NE in `FREMONT NE` and `…, FREMONT, NE`, but not in `1180 PEACHTREE ST, NE`, where it is a
 * directional.
 */
function isAfterPlace(line: LineWords, at: number, start: number): boolean {
  if (start < at) return true;
  const before = segmentStart(line, at - 1);
  return before > 0 && !hasDigit(line.words[before]!);
}

function isStateName(
  line: LineWords,
  from: number,
  {name, state, zip, lineState, isKnownPlace}: Known & {name: string; state: string},
): boolean {
  if (from === 0) return line.breaks[0] === true || zip !== null;
  const start = segmentStart(line, from);
  if (isTownOfOtherState(line, from, {name, state, zip, lineState, isKnownPlace})) return false;
  // In another state, WASHINGTON in `202 BEECH ST TO WASHINGTON` ends the street.
  if (start === 0 && zip === null && lineState !== null && lineState !== state) return false;
  if (start === from && cityStates.has(name)) {
    const isOfState = zip !== null && stateOfZip(zip) === state && !newYorkCityZip.test(zip);
    return isOfState || segmentStart(line, from - 1) > 0;
  }
  if (start > 0) return true;
  if (zip !== null) return stateOfZip(zip) === state;
  return from > 2 && !streetTypes.has(line.words[from - 1]!);
}

/**
 * True when the name of a state is the line's town, like DELAWARE of `82 WILLIAM ST, DELAWARE` in Ohio: the
 * context or the ZIP gives another state, and no other town precedes the name.
 */
function isTownOfOtherState(
  line: LineWords,
  from: number,
  {name, state, zip, lineState, isKnownPlace}: Known & {name: string; state: string},
): boolean {
  const ofZip = zip === null ? null : stateOfZip(zip);
  const own = lineState ?? ofZip;
  if (own === null || own === state || ofZip === state) return false;
  if (line.breaks[from] && segmentStart(line, from - 1) > 0) return false;
  return isKnownPlace === undefined ? ofZip === own : isKnownPlace(name, own);
}

/** Index of the first word of the segment that contains `at`. */
function segmentStart(line: LineWords, at: number): number {
  let start = at;
  while (start > 0 && !line.breaks[start]) start--;
  return start;
}

/**
 * True when a town stands between the last certain type and the code (`LANE CHESHIRE CT`); with a list of
 * places, one of them must end there (`AVE N BILLINGS MT`).
 */
function isTownBefore(line: LineWords, at: number, isKnownPlace: AddressContext["isKnownPlace"]): boolean {
  let type = at - 1;
  while (type > 1 && !isSureType(line.words[type]!)) type--;
  if (type < 2 || type === at - 1) return false;
  return isKnownPlace === undefined || endsWithPlace(line, {from: type + 1, at, isKnownPlace});
}

/** True when the words from `from` up to the code at `at` end with a known place of that state. */
function endsWithPlace(
  {words}: LineWords,
  {from, at, isKnownPlace}: {from: number; at: number; isKnownPlace: AddressContext["isKnownPlace"]},
): boolean {
  if (isKnownPlace === undefined) return false;
  for (let first = Math.max(from, at - longestTown); first < at; first++)
    if (isKnownPlace(words.slice(first, at).join(" "), words[at]!)) return true;
  return false;
}

function hasTypeBefore(line: LineWords, before: number): boolean {
  for (let at = 2; at < before; at++) {
    if (isSureType(line.words[at]!)) return true;
  }
  return false;
}

function isSureType(word: string): boolean {
  const strength = streetTypes.get(word)?.strength;
  return strength === "hard" || strength === "strong";
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
