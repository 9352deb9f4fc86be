import {isNullText} from "../../text/null-text.ts";
import {wordSet} from "./address-words.ts";
import {boxAt} from "./box-part.ts";
import {directionals} from "./directionals.ts";
import {longestLine, upperPlain} from "./fold-text.ts";
import {type HouseNumber, readHouseNumber} from "./house-number.ts";
import {type LineWords, lineWords} from "./line-words.ts";
import {type LocalityEnd, readLocalityEnd} from "./locality-end.ts";
import {ordinal} from "./number-words.ts";
import {
  type AddressContext,
  type AddressStatus,
  emptyAddress,
  leaveOut,
  type ParsedAddress,
} from "./parsed-address.ts";
import {readRest} from "./rest-of-line.ts";
import {readStreet} from "./street-part.ts";
import {type StreetPart, zoneEnd} from "./street-scope.ts";
import {streetStart} from "./street-start.ts";
import {streetTypes} from "./street-types.ts";
import {knownTownFrom} from "./town-names.ts";

const quarterSection =
  /^(?:[NSEW]{1,2}|E1\/2|W1\/2|N1\/2|S1\/2)\s?\d{1,2}-\d{1,3}-\d{1,2}(?:[EW]|WPM|EPM)?[A-Z]?\b/;
const lotBlockPlan = /^[A-Z0-9]{0,6}-[A-Z0-9]{0,6}-[A-Z0-9]{1,8}(?:\b|$)/;
const township =
  /\b(?:T\s?\d{1,3}\s?[NS]\b.{0,12}\bR\s?\d{1,3}\s?[EW]|SEC(?:TION)?\s\d{1,2}\b.{0,12}\b(?:T|TWP|TOWNSHIP)\s?\d)/;
const quarterWords = /^(?:(?:[NSEW]{1,2})\s?(?:1\/4|1\/2)\s?){1,4}(?:OF\b|SEC|\d{1,2}\b)/;
const lotWords =
  /^(?:LOTS?|LT|BLK|BLOCK|PLAN|PARCEL|TRACT|SEC|SECTION)\s#?[A-Z0-9-]{1,8}\b.{0,40}\b(?:BLK|BLOCK|PLAN|SEC|SECTION|TRACT|ADDN?|SUBD?|LOT|TWP|RL)\b/;
/** A fraction in a road's number, as in `AVENUE 18-1/2`. */
const hyphenFraction = /([A-Z] \d{1,5})-(\d\/\d)(?=[ ,]|$)/;
const riverLot = /^(?:RL|OTL|PARISH LOT|WHL)\s?\d/;
const hasDigit = /\d/;

const newYorkCity = wordSet("BRONX KINGS QUEENS RICHMOND 36005 36047 36061 36081 36085");

/**
 * Parses an address line: [number [fraction]] [pre] name [type] [post] [unit] [, city] [state] [ZIP]
 * (docs/design/parcels.md section 5.2). Never throws; only the first 300 characters count. Takes time linear
 * in the length.
 */
export function parseAddress(line: string, context: AddressContext = {}): ParsedAddress {
  const upper = upperPlain(line).trim();
  if (isNullText(upper)) return emptyAddress("blank");
  if (isLegalSitus(upper)) return emptyAddress("legal_only");
  const first = firstAddress(upper);
  const ranged = spacedRange(first);
  const single = withoutSecondNumber(ranged);
  const words = lineWords(spacedOrdinal(single.replace(hyphenFraction, "$1 $2")));
  const address = emptyAddress("blank");
  if (words.words.length === 0) return address;
  const place = readLocalityEnd(words, context);
  const others = wordCount(upper.slice(first.length));
  if (others > 0) leaveOut(address, "second address left out", others);
  if (single !== ranged) leaveOut(address, "second number left out", 1);
  if (line.trim().length > longestLine) leaveOut(address, "text after 300 characters left out", 1);
  if (place.hasPostalCode) address.notes.push("postal code left out");
  address.state = place.state;
  address.zip = place.zip;
  address.zipPlusFour = place.zipPlusFour;
  readBeforePlace(address, {words, place, context});
  return address;
}

/** The first of two addresses in a line (`12 ELM ST; 14 ELM ST`); any other line is unchanged. */
function firstAddress(line: string): string {
  const at = line.indexOf(";");
  return at > 0 && /^;\s*\d+\S*\s+\S*[A-Z]/.test(line.slice(at)) ? line.slice(0, at) : line;
}

function wordCount(text: string): number {
  return lineWords(text).words.length;
}

/**
 * Joins a range with a spaced separator (`123 - 125 MAIN ST`, `10 & 12 MAIN ST`), so that the separator is
 * not a break.
 */
function spacedRange(line: string): string {
  return line.replace(
    /^(\d{1,7}) (-|&|AND) (\d{1,7}) (?=\D|\d+(?:ST|ND|RD|TH)\b)/,
    (text, low: string, mark: string, high: string) => {
      const [lo, hi] = [Number(low), Number(high)];
      const isRange = mark === "-" || (hi > lo && hi - lo <= 100 && (hi - lo) % 2 === 0);
      return isRange ? `${low}-${high} ` : text;
    },
  );
}

/** Joins an ordinal printed as two words before a type: `12 E 42 ND ST`. */
function spacedOrdinal(line: string): string {
  return line.replace(
    /(?<= )(\d{1,3}) (ST|ND|RD|TH) (?=([A-Z]+))/g,
    (text, number: string, end: string, next: string) => {
      const strength = streetTypes.get(next)?.strength;
      const isOrdinal = ordinal(Number(number)) === number + end;
      return isOrdinal && (strength === "hard" || strength === "strong") ? `${number}${end} ` : text;
    },
  );
}

/** Drops further numbers after the first one or a range (`10 & 13 MAIN ST`, `10 & 12 & 14 MAIN ST`). */
function withoutSecondNumber(line: string): string {
  return line.replace(/^(\d{1,7}(?:-\d{1,7})?)(?: (?:&|AND) \d{1,7})+ (?=[A-Z]{2})/, "$1 ");
}

type Line = {readonly words: LineWords; readonly place: LocalityEnd; readonly context: AddressContext};

function readBeforePlace(address: ParsedAddress, line: Line): void {
  const {words, place, context} = line;
  if (place.end === 0) return;
  // A break before the first word means that the street is empty and the line holds only the town.
  if (words.breaks[0]) {
    readRest(address, words, {at: 0, end: place.end, afterStreet: false});
    return;
  }
  const start = streetStart(address, words, place.end);
  const zone = zoneEnd(words, {at: start, end: place.end, afterNumber: false, townFollows: false});
  const box = boxAt(words.words, start, {end: zone, afterStreet: false});
  if (box !== null) {
    address.status = box.kind;
    address.notes.push("box left out");
    readRest(address, words, {at: box.next, end: place.end, afterStreet: true});
    return;
  }
  const number = readHouseNumber(words.words, start, {
    end: place.end,
    hyphensOnly: hasHyphenNumbers(context, place),
  });
  readNumbered(address, {...line, number, start, context});
}

/** True for New York City and Hawaii, where a hyphenated number is a single number. */
function hasHyphenNumbers({county, state}: AddressContext, place: LocalityEnd): boolean {
  if ((state ?? place.state)?.toUpperCase() === "HI") return true;
  if (county === null || county === undefined) return false;
  const name = county.toUpperCase();
  if (!newYorkCity.has(name) && name !== "NEW YORK") return false;
  return /^\d/.test(name) || (state ?? place.state ?? "NY").toUpperCase() === "NY";
}

function readNumbered(address: ParsedAddress, line: Line & {number: HouseNumber; start: number}): void {
  const {words, place, context, start} = line;
  let number = line.number;
  if (number.placeholder && isNullText(words.words.slice(number.next, place.end).join(" "))) return;
  // `22 ST`: a number before nothing but a type is the street's name.
  if (mayNameStreet(number) && isTypeAlone(words, number.next, place.end)) {
    number = {...number, number: null, lo: null, hi: null, next: start};
  } else if (number.number !== null) {
    number = afterNumberUnit(address, words, {number, end: place.end});
  }
  if (number.number !== null && number.fraction === null && isTwoNumbers(words.words[start]!)) {
    leaveOut(address, "second number left out", 1);
  }
  const afterNumber = line.number.number !== null || number.placeholder;
  const locality = place.state !== null || place.zip !== null;
  const town = knownTownFrom(words, {at: number.next, end: place.end, locality, state: place.state, context});
  const end = town ?? place.end;
  const townFollows = locality && town === null && context.isKnownPlace === undefined;
  const street = readStreet(words, {at: number.next, end, afterNumber, townFollows});
  if (isPlaceOnly(words, {street, afterNumber, locality, end: place.end, at: start})) {
    readRest(address, words, {at: start, end: place.end, afterStreet: false});
    return;
  }
  setNumber(address, number);
  setStreet(address, street);
  readRest(address, words, {at: street.next, end: place.end, town, afterStreet: true});
  address.status = statusOf(address, {street, placeholder: number.placeholder});
}

/** True for two numbers of which only the first is used: `12/14`, `12A-12C`. */
function isTwoNumbers(word: string): boolean {
  return word.includes("/") || /[A-Z]-\d*[A-Z]$/.test(word);
}

/** Parses a unit between number and street (`6910 # G MARY CAROLINE CIR`). */
function afterNumberUnit(
  address: ParsedAddress,
  {words}: LineWords,
  {number, end}: {number: HouseNumber; end: number},
): HouseNumber {
  const at = number.next;
  if (words[at] !== "#" || at + 2 >= end) return number;
  address.unit = words[at + 1]!;
  return {...number, next: at + 2};
}

/** True for a number that may be a street's name: at most three digits, without a hyphen. */
function mayNameStreet({number, hi}: HouseNumber): boolean {
  return number !== null && hi === null && /^\d{1,3}[A-Z]?$/.test(number);
}

function isTypeAlone({words, breaks}: LineWords, at: number, end: number): boolean {
  if (at >= end || streetTypes.get(words[at]!)?.strength !== "hard") return false;
  if (words[at] === "HWY" || words[at] === "HIGHWAY" || words[at] === "LOOP") return false;
  return (
    at + 1 === end ||
    breaks[at + 1] === true ||
    (words[at] === "ST" && at + 2 === end && directionals.has(words[at + 1]!))
  );
}

/**
 * True for a line that is only a place (`HILLSBORO OR 97124`): no number, no type, and a single part before
 * state or ZIP.
 */
function isPlaceOnly(
  {breaks}: LineWords,
  {
    street,
    afterNumber,
    locality,
    end,
    at,
  }: {street: StreetPart; afterNumber: boolean; locality: boolean; end: number; at: number},
): boolean {
  if (afterNumber || !locality || street.isRoad) return false;
  // RIDGE and FALLS end as many town names as street names: CENTER RIDGE AR 72027.
  if (street.type !== null && streetTypes.get(street.type)?.strength !== "weak") return false;
  for (let next = at + 1; next < end; next++) if (breaks[next]) return false;
  return true;
}

function setNumber(address: ParsedAddress, {number, lo, hi, fraction}: HouseNumber): void {
  address.number = number;
  address.numberLo = lo;
  address.numberHi = hi;
  address.fraction = fraction;
}

function setStreet(address: ParsedAddress, {pre, name, type, post}: StreetPart): void {
  address.pre = pre;
  address.name = name;
  address.type = type;
  address.post = post;
}

function statusOf(
  {number, name, type, pre, post}: ParsedAddress,
  {street, placeholder}: {street: StreetPart; placeholder: boolean},
): AddressStatus {
  if (name === null) return number === null && !placeholder ? "blank" : "legal_only";
  if (number !== null) return "numbered";
  const named = placeholder || type !== null || pre !== null || post !== null || street.isRoad;
  return named ? "street_only" : "name_only";
}

/**
 * True when a situs line is a legal description instead of an address: quarter-section (`SE17-19-10W`),
 * lot-block-plan (`1-2-7542`, `A--65576`), `DESC` and survey notation. The line must be upper case and
 * trimmed.
 */
function isLegalSitus(line: string): boolean {
  if (/^DESC\b/.test(line)) return true;
  if (!hasDigit.test(line)) return false;
  if (quarterSection.test(line) || riverLot.test(line)) return true;
  if (lotBlockPlan.test(line) && !/^\S+\s+\S*[A-Z]{3}/.test(line)) return true;
  return lotWords.test(line) || township.test(line) || quarterWords.test(line);
}
