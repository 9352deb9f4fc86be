import {directionals} from "./directionals.ts";
import {rangeEnd} from "./number-print.ts";
import {cardinalWords, countedWords} from "./number-words.ts";
import {isRoadWord} from "./numbered-road.ts";
import {streetTypes} from "./street-types.ts";

/** A house number at the start of a street part, with the index of the word after it. */
export type HouseNumber = {
  readonly number: string | null;
  readonly lo: number | null;
  readonly hi: number | null;
  readonly fraction: string | null;
  /** True when a placeholder such as `0` or `XXX` stands in place of the number. */
  readonly placeholder: boolean;
  readonly next: number;
  /** A unit printed before the number with a hyphen, as in Canada. */
  readonly unit?: string;
};

const plain = /^\d{1,9}[A-Z]?$/;
const ordinalNumber = /^\d+(?:ST|ND|RD|TH)$/;
const grid = /^[NSEW]\d{1,6}(?:[NSEW]{1,2}\d{1,6})?[A-Z]?$/;
const gridHyphen = /^[NSEW]-\d{3,6}$/;
const midGrid = /^\d{1,2}[NSEW]\d{1,4}[A-Z]?$/;
const hyphenGrid = /^[NSEW]\d{1,6}-[NSEW]\d{1,6}$/;
const gridHalf = /^[NSEW]\d{1,6}[NSEW]?$/;
const hyphenated = /^(\d{1,7})-(\d{1,7})([A-Z]?)$/;
const lettered = /^(\d{1,7}[A-Z])-(?:\d{1,7})?[A-Z]$/;
const hyphenLetter = /^(\d{1,7})-([A-Z])$/;
const hyphenFraction = /^(\d{1,7})-(\d{1,2}\/\d{1,2})$/;
const slashed = /^(\d{2,7})\/(\d{1,7})$/;
/** A fraction glued to its number: `2181/2` is 218 1/2. */
const gluedFraction = /^(\d{1,6})(1\/[234]|3\/4|2\/3)$/;
const beginsWithDigit = /^\d/;
const letteredRange = /^(\d{1,7}[A-Z])-(\d{1,7})$/;
/** A letter in front of the number: `G-4225`, `G4225`; I-35 and A1A are roads. */
const letterFirst = /^(?!I-?\d{1,3}$)([A-Z])-?(\d{2,6}[A-Z]?)$/;
const fraction = /^\d{1,2}\/\d{1,2}$/;
const placeholderText = /^(?:0+|X{2,6}|99999)$/;
const suffixLetters: ReadonlySet<string> = new Set("ABCDFGHJKR".split(""));

/** True when a house number, a number word or a placeholder may start at `at`. */
export function startsWithNumber(words: readonly string[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  const code = word.charCodeAt(0);
  if (code >= 48 && code <= 57) return !ordinalNumber.test(word) && !isMileRoad(words, at);
  return (
    grid.test(word) ||
    hyphenGrid.test(word) ||
    gridHyphen.test(word) ||
    (cardinalWords.has(word) && isCounting(words, at))
  );
}

/** True for `22 MILE RD`, which is a road's name. */
function isMileRoad(words: readonly string[], at: number): boolean {
  return words[at]!.length <= 2 && words[at + 1] === "MILE" && streetTypes.has(words[at + 2] ?? "");
}

function isCounting(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  if (next === undefined || countedWords.has(next)) return false;
  return words[at + 2] !== undefined || !streetTypes.has(next);
}

/**
 * Parses the house number at `at`; when there is none, `number` is null and `next` is `at`. With
 * `hyphensOnly`, a number with a hyphen is never a range (New York City).
 */
export function readHouseNumber(
  words: readonly string[],
  at: number,
  {end, hyphensOnly, unitFirst = false}: {end: number; hyphensOnly: boolean; unitFirst?: boolean},
): HouseNumber {
  const word = at < end ? words[at]! : "";
  const split = splitGrid(words, at, end);
  if (split !== null) return split;
  const none: HouseNumber = {number: null, lo: null, hi: null, fraction: null, placeholder: false, next: at};
  if (placeholderText.test(word)) return {...none, placeholder: true, next: at + 1};
  const letter = letterBefore(words, at, end);
  if (letter !== null) return {...none, ...letter};
  if (!startsWithNumber(words, at) || at >= end) return none;
  const cardinal = cardinalWords.get(word);
  if (cardinal !== undefined) return {...none, number: cardinal, lo: Number(cardinal), next: at + 1};
  const unit = unitFirst ? unitBefore(word) : null;
  if (unit !== null) return {...none, ...plainNumber(unit[2]!, at + 1), unit: unit[1]!};
  const number = wholeNumber(words, at, hyphensOnly);
  return number === null ? none : withFraction(words, {...none, ...number}, end);
}

/**
 * Parses a grid number printed as two words (`E 1290 COUNTY ROAD H`); `E 1700 SOUTH` and `E 10 ST` are
 * streets.
 */
function splitGrid(words: readonly string[], at: number, end: number): HouseNumber | null {
  if (!/^[NSEW]$/.test(words[at] ?? "") || !/^\d{3,5}$/.test(words[at + 1] ?? "") || at + 3 >= end)
    return null;
  const rest = words.slice(at + 2, end);
  if (directionals.has(rest[0]!) || streetTypes.get(rest[0]!)?.strength === "hard") return null;
  const isStreet =
    isRoadWord(rest[0]!) || rest.slice(1).some((word) => streetTypes.get(word)?.strength === "hard");
  if (!isStreet) return null;
  const number = words[at]! + words[at + 1]!;
  return {number, lo: null, hi: null, fraction: null, placeholder: false, next: at + 2};
}

type Whole = Pick<HouseNumber, "number" | "lo" | "hi" | "next"> & {readonly fraction?: string};

function wholeNumber(words: readonly string[], at: number, hyphensOnly: boolean): Whole | null {
  const word = words[at]!;
  if (plain.test(word)) return plainNumber(word, at + 1);
  const glued = gluedFraction.exec(word);
  if (glued !== null) return {...plainNumber(glued[1]!, at + 1), fraction: glued[2]!};
  const range = letteredRange.exec(word);
  const rangeHi = range === null ? null : rangeEnd(range[1]!.slice(0, -1), range[2]!);
  if (range !== null && rangeHi !== null) return {...plainNumber(range[1]!, at + 1), hi: rangeHi};
  if (gridHalf.test(word) && gridHalf.test(words[at + 1] ?? "") && words.length > at + 2) {
    return {number: word + words[at + 1], lo: null, hi: null, next: at + 2};
  }
  if (hyphenGrid.test(word) || gridHyphen.test(word))
    return {number: word.replace("-", ""), lo: null, hi: null, next: at + 1};
  if (grid.test(word) || midGrid.test(word)) return {number: word, lo: null, hi: null, next: at + 1};
  const hyphen = hyphenated.exec(word);
  if (hyphen !== null) return {...hyphenNumber(hyphen, hyphensOnly), next: at + 1};
  const letter = hyphenLetter.exec(word);
  if (letter !== null) return plainNumber(letter[1]! + letter[2]!, at + 1);
  const part = hyphenFraction.exec(word);
  if (part !== null) return {...plainNumber(part[1]!, at + 1), fraction: part[2]!};
  const first = lettered.exec(word);
  if (first !== null) return plainNumber(first[1]!, at + 1);
  const slash = slashed.exec(word);
  return slash === null
    ? null
    : {...plainNumber(slash[1]!, at + 1), hi: rangeEnd(withoutZeros(slash[1]!), slash[2]!)};
}

function plainNumber(word: string, next: number): Whole {
  const number = withoutZeros(word);
  return {number, lo: Number.parseInt(number, 10), hi: null, next};
}

function withoutZeros(digits: string): string {
  let at = 0;
  while (at < digits.length - 1 && digits[at] === "0" && digits[at + 1]! >= "0" && digits[at + 1]! <= "9")
    at++;
  return digits.slice(at);
}

/**
 * Parses `A-B`. It is a range when B, completed with the leading digits of A, is larger by at most 100 and of
 * the same parity.
 */
function hyphenNumber(parts: RegExpExecArray, hyphensOnly: boolean): Omit<Whole, "next"> {
  const [word, first, second, letter] = parts as unknown as [string, string, string, string];
  const low = withoutZeros(first);
  const hi = hyphensOnly || letter !== "" ? null : rangeEnd(first, second);
  return {number: hi === null ? word : low, lo: Number(low), hi};
}

/** The parts of `207-1104`, where no range fits: a unit, and the number behind it. */
function unitBefore(word: string): RegExpExecArray | null {
  const parts = hyphenated.exec(word);
  return parts === null || parts[3] !== "" || rangeEnd(parts[1]!, parts[2]!) !== null ? null : parts;
}

/** True for a house number with a letter in front at `at`. */
export function hasLetterFirst(words: readonly string[], at: number, end: number): boolean {
  return letterBefore(words, at, end) !== null;
}

/**
 * A number with a letter in front (`G-4225`, `G4225`, `G 4225`), where a street follows it; other letters than
 * N, E, S and W also stand apart.
 */
function letterBefore(words: readonly string[], at: number, end: number): Whole | null {
  const word = words[at] ?? "";
  if (beginsWithDigit.test(word)) return null;
  const isApart = /^[A-DF-MO-RT-VX-Z]$/.test(word) && /^\d{3,6}$/.test(words[at + 1] ?? "");
  const parts = isApart ? ["", word, words[at + 1]!] : letterFirst.exec(word);
  const next = at + (isApart ? 2 : 1);
  if (parts === null || /^[NESW]$/.test(parts[1]!) || next >= end) return null;
  const name = words[next]!;
  const isStreet = directionals.has(name) ? next + 1 < end : /[A-Z]{2}|^\d+(?:ST|ND|RD|TH)$/.test(name);
  if (!isStreet || (streetTypes.has(name) && next + 1 >= end)) return null;
  if (isApart && !words.slice(next + 1, end).some((each) => streetTypes.has(each) || isRoadWord(each)))
    return null;
  return {number: parts[1]! + withoutZeros(parts[2]!), lo: Number.parseInt(parts[2]!, 10), hi: null, next};
}

function withFraction(words: readonly string[], read: HouseNumber, end: number): HouseNumber {
  const word = read.next < end ? words[read.next]! : "";
  if (read.fraction === null && fraction.test(word)) return {...read, fraction: word, next: read.next + 1};
  if (!isSuffixLetter(words, read, end)) return read;
  return {...read, number: read.number + word, next: read.next + 1};
}

/** True for the A of `123 A MAIN ST`: a single letter that is not a directional and precedes a name. */
function isSuffixLetter(words: readonly string[], read: HouseNumber, end: number): boolean {
  const letter = read.next < end ? words[read.next]! : "";
  if (!suffixLetters.has(letter) || read.lo === null || read.hi !== null) return false;
  if (!/\d$/.test(read.number ?? "")) return false;
  const name = read.next + 1 < end ? words[read.next + 1]! : "";
  const rest = read.next + 2 < end ? words[read.next + 2]! : "";
  if (name.length < 2 && directionals.get(name) === undefined) return false;
  if (name === "AND" || /^\d/.test(name)) return false;
  const strength = streetTypes.get(name)?.strength;
  if (strength === "hard" || strength === "strong") return false;
  return rest !== "" || (!directionals.has(name) && strength === undefined);
}
