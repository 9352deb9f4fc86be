import {wordSet} from "./address-words.ts";
import {isBlank} from "./blank-text.ts";
import {boxAt} from "./box-part.ts";
import {directionals} from "./directionals.ts";
import {longestLine, upperPlain} from "./fold-text.ts";
import {type HouseNumber, readHouseNumber} from "./house-number.ts";
import {isLegalLine} from "./legal-line.ts";
import {type LineWords, splitLine} from "./line-words.ts";
import {type LocalityEnd, readLocalityEnd} from "./locality-end.ts";
import {numberFirst} from "./number-print.ts";
import {
  type AddressContext,
  type AddressStatus,
  emptyAddress,
  leaveOut,
  type ParsedAddress,
} from "./parsed-address.ts";
import {readRest, takeUnit} from "./rest-of-line.ts";
import {isProvince} from "./state-names.ts";
import {readStreet} from "./street-part.ts";
import {type StreetPart, zoneEnd} from "./street-scope.ts";
import {hasStreet, streetStart} from "./street-start.ts";
import {streetTypes} from "./street-types.ts";
import {knownTownFrom} from "./town-names.ts";
import {unitAt, unitOf} from "./unit-part.ts";
import {wordAccount} from "./word-account.ts";

/** A fraction in a road's number, as in `AVENUE 18-1/2`. */
const hyphenFraction = /([A-Z] \d{1,5})-(\d\/\d)(?=[ ,]|$)/;

const newYorkCity = wordSet("BRONX KINGS QUEENS RICHMOND 36005 36047 36061 36081 36085");

/**
 * Parses an address line: [number [fraction]] [pre] name [type] [post] [unit] [, city] [state] [ZIP]
 * (docs/design/parcels.md section 5.2). Never throws; only the first 300 characters count. Takes time linear
 * in the length.
 */
export function parseAddress(line: string, context: AddressContext = {}): ParsedAddress {
  const upper = upperPlain(line).trim();
  if (isBlank(upper)) return emptyAddress("blank");
  if (isLegalLine(upper)) return emptyAddress("legal_only");
  const [first = ""] = addressesIn(upper);
  const isHyphenated = hasHyphenNumbers(context, null);
  const front = numberFirst(first, isHyphenated);
  const words = splitLine(front.line.replace(hyphenFraction, "$1 $2"));
  const address = emptyAddress("blank");
  if (words.words.length === 0) return address;
  const place = readLocalityEnd(words, context);
  const others = wordCount(upper.slice(first.length));
  if (others > 0) leaveOut(address, "second address left out", others);
  if (front.secondLeftOut) leaveOut(address, "second number left out", 1);
  if (line.trim().length > longestLine) leaveOut(address, "text after 300 characters left out", 1);
  if (place.hasPostalCode) address.notes.push("postal code left out");
  address.state = place.state;
  address.zip = place.zip;
  address.zipPlusFour = place.zipPlusFour;
  if (front.unit !== null) Object.assign(address, unitOf(front.unit));
  const hyphensOnly = context.state == null ? hasHyphenNumbers(context, place) : isHyphenated;
  readBeforePlace(address, {words, place, context, hyphensOnly});
  if (address.dropped > 0 && context.listsLeftOver !== true) return address;
  const printed = front.line === first ? words : splitLine(first);
  const beforePlace = printed.words.slice(0, printed.words.length + place.end - words.words.length);
  if (address.dropped === 0 && isWhole(beforePlace, address)) return address;
  address.leftOver = wordAccount(beforePlace, address).leftOver;
  const unread = address.status === "numbered" ? address.leftOver.length : 0;
  if (address.dropped === 0 && unread > 0) leaveOut(address, "words left out", unread);
  return address;
}

/** The addresses in a line (`12 ELM ST; 14 ELM ST`); any other line is one. */
export function addressesIn(line: string): string[] {
  return line.includes(";") ? line.split(/;(?=\s*\d\S*\s+\S*[A-Z])/i) : [line];
}

function wordCount(text: string): number {
  return text === "" ? 0 : splitLine(text).words.length;
}

/** True where the parts have as many words as the line, so that none is missing; a quick test for most lines. */
function isWhole(words: readonly string[], address: ParsedAddress): boolean {
  const {number, pre, name, type, post, unitType, unit, city, county, secondStreet, fraction} = address;
  if (address.status !== "numbered") return true;
  // A numbered road has more words than were printed (CR 12), a street with an ordinal has not.
  const isRoad = name === null || (/\d/.test(name) && name.includes(" "));
  if (county !== null || secondStreet !== null || fraction !== null || isRoad) return false;
  let single = 0;
  for (const part of [number, pre, type, post, unitType, unit]) if (part !== null) single++;
  const signs = words.includes("#") ? words.filter((word) => word === "#").length : 0;
  return single + wordsIn(name) + (city === null ? 0 : wordsIn(city)) + signs === words.length;
}

function wordsIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count++;
  return count;
}

type Line = {
  readonly words: LineWords;
  readonly place: LocalityEnd;
  readonly context: AddressContext;
  readonly hyphensOnly: boolean;
};

function readBeforePlace(address: ParsedAddress, line: Line): void {
  const {words, place, context, hyphensOnly} = line;
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
    hyphensOnly,
    unitFirst: isProvince(context.state ?? place.state),
  });
  readNumbered(address, {...line, number, start, context});
}

/** True for New York City and Hawaii, where a hyphenated number is a single number. */
function hasHyphenNumbers({county, state}: AddressContext, place: LocalityEnd | null): boolean {
  if ((state ?? place?.state)?.toUpperCase() === "HI") return true;
  if (county === null || county === undefined) return false;
  const name = county.toUpperCase();
  if (!newYorkCity.has(name) && name !== "NEW YORK") return false;
  return /^\d/.test(name) || (state ?? place?.state ?? "NY").toUpperCase() === "NY";
}

function readNumbered(address: ParsedAddress, line: Line & {number: HouseNumber; start: number}): void {
  const {words, place, context, start} = line;
  let number = line.number;
  if (number.placeholder && isBlank(words.words.slice(number.next, place.end).join(" "))) return;
  // `22 ST`: a number before nothing but a type is the street's name.
  if (mayNameStreet(number) && isTypeAlone(words, number.next, place.end)) {
    number = {...number, number: null, lo: null, hi: null, next: start};
  } else if (number.number !== null) {
    number = afterNumberUnit(address, words, {number, end: place.end});
  }
  if (line.number.unit !== undefined) takeUnit(address, {unitType: null, unit: line.number.unit}, 1);
  if (
    number.number !== null &&
    number.fraction === null &&
    number.hi === null &&
    isTwoNumbers(words.words[start]!)
  ) {
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
  const isPlaced = locality || context.isKnownPlace === undefined;
  readRest(address, words, {at: street.next, end: place.end, town, afterStreet: true, isPlaced});
  address.status = statusOf(address, {street, placeholder: number.placeholder});
}

/** True for two numbers of which only the first is used: `12/14`, `12A-12C`. */
function isTwoNumbers(word: string): boolean {
  return word.includes("/") || /[A-Z]-\d*[A-Z]$/.test(word);
}

/**
 * Parses a unit between number and street (`6910 # G MARY CAROLINE CIR`, `410 UNIT 100 EMMETT ST`), where a
 * street with a certain type or a numbered road remains behind it.
 */
function afterNumberUnit(
  address: ParsedAddress,
  {words, breaks}: LineWords,
  {number, end}: {number: HouseNumber; end: number},
): HouseNumber {
  const at = number.next;
  const part = unitAt(words, at, {end, breaks});
  const isValue = part?.unit !== null && (/\d/.test(part?.unit ?? "") || part?.unit?.length === 1);
  if (part === null || !isValue || part.next + 1 >= end) return number;
  if (words[at] !== "#" && !hasStreet(words, part.next - 1, end)) return number;
  takeUnit(address, part, part.next - at);
  return {...number, next: part.next};
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
