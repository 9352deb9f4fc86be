import {addressWords} from "./address-words.ts";
import {directionals} from "./directionals.ts";
import {cardinalWords} from "./number-words.ts";
import {isHighway, roadSuffixes} from "./road-names.ts";
import {isProvince, stateCodes} from "./state-names.ts";
import {streetTypes} from "./street-types.ts";

/**
 * A numbered road: its normalised name (`FM 1826`), a directional attached to its number, and the index of
 * the next word.
 */
export type NumberedRoad = {readonly name: string; readonly post: string | null; readonly next: number};

// Normalised class names by spelling (docs/design/parcels.md section 5.2, "Numbered roads").
const classes = new Map<string, string>();
const firstWords = new Set<string>();
for (const [key, spellings] of Object.entries(addressWords.roadClasses)) {
  for (const spelling of spellings) {
    classes.set(spelling, key);
    firstWords.add(spelling.split(" ")[0]!);
  }
}

// Classes whose roads have letters in some states: Wisconsin's county roads, Missouri's routes.
const lettered: ReadonlySet<string> = new Set([
  "COUNTY ROAD",
  "COUNTY HIGHWAY",
  "STATE HIGHWAY",
  "STATE ROUTE",
  "HIGHWAY",
  "ROUTE",
]);
const letteredEnds = new Set(
  [...classes]
    .filter(([, key]) => lettered.has(key))
    .map(([spelling]) => spelling.split(" ").at(-1)!)
    .filter((word) => word !== "RD" && word !== "ROAD"),
);
// Classes whose number may be spelled out: ROUTE ONE.
const wordNumbered: ReadonlySet<string> = new Set([
  "US HIGHWAY",
  "STATE HIGHWAY",
  "STATE ROUTE",
  "HIGHWAY",
  "ROUTE",
]);
const oneWord = [...classes.keys()].filter((spelling) => /^[A-Z]+$/.test(spelling));
const glued = new RegExp(`^(${oneWord.join("|")})-?(\\d{1,5}(?:\\.\\d{1,3})?[A-Z]?|\\d{1,4}[-/]\\d{1,4})$`);
const gluedLetters = new RegExp(
  `^(${oneWord.filter((spelling) => lettered.has(classes.get(spelling)!)).join("|")})-([A-Z]{1,2}|([A-Z])\\3\\3)$`,
);
const roadNumber = /^(?:\d{1,5}(?:\.\d{1,3})?(?:-?[A-Z]{1,2}|[-/]\d{1,4})?|A1A)$/;
/** What stands behind a road's number and belongs to it: another number, or a letter that is no directional. */
const secondNumber = /^(?:\d{1,4}[A-Z]?|[A-DF-MO-RT-VX-Z])$/;
const roadLetters = /^(?:[A-Z]{1,2}|([A-Z])\1\1)$/;
/** Classes of several words that may follow a name. */
const afterName = /^(?:COUNTY|STATE) /;
const modifiers: ReadonlySet<string> = new Set(["OLD", "NEW"]);
const longestClass = 4;
const highwayWords: ReadonlySet<string> = new Set(["HWY", "HIGHWAY"]);
const fraction = /^\d\/\d$/;
const stateRoad = /^([A-Z]{2})-(\d{1,4}[A-Z]?)$/;

/** True when the word may start the class of a numbered road. */
export function isRoadWord(word: string): boolean {
  return firstWords.has(word);
}

/**
 * True when the word ends a class whose roads may have letters, except RD, which also ends streets before a
 * state.
 */
export function isBeforeRoadLetter(word: string): boolean {
  return letteredEnds.has(word);
}

/**
 * True when the words before `at` end with a road class, so that five digits may be its number: `12 COUNTY
 * ROAD`, `12 QUILL COUNTY ROAD`, `12 N HWY`. Other classes after a name are street types (`12 DIXIE HWY`, `12
 * QUILL FARM RD`).
 */
export function isBeforeRoadNumber(words: readonly string[], at: number): boolean {
  const isFirst = (word: string, i: number) => i === 0 || directionals.has(word) || modifiers.has(word);
  for (let length = Math.min(longestClass, at); length > 1; length--) {
    const key = classes.get(words.slice(at - length, at).join(" "));
    if (key !== undefined) return afterName.test(key) || words.slice(0, at - length).every(isFirst);
  }
  const own = classes.get(words[at - 1] ?? "");
  if (own === undefined || own === "AVENUE" || own === "ROAD") return false;
  return words.slice(0, at - 1).every(isFirst);
}

/**
 * Parses a numbered road that starts at `at` and ends before `end`; null when there is none. `afterNumber`
 * tells that a house number precedes it; only then is `RR n` a ranch road.
 */
export function numberedRoadAt(
  words: readonly string[],
  at: number,
  {end, afterNumber}: {end: number; afterNumber: boolean},
): NumberedRoad | null {
  if (at >= end) return null;
  if (modifiers.has(words[at]!)) {
    const road = numberedRoadAt(words, at + 1, {end, afterNumber});
    return road === null || road.name.startsWith("AVENUE")
      ? null
      : {...road, name: `${words[at]} ${road.name}`};
  }
  const ownRoad = afterNumber
    ? (stateRoadAt(words, at, end) ?? businessRoadAt(words, at, end) ?? roadBeforeClass(words, at, end))
    : null;
  if (ownRoad !== null) return ownRoad;
  const isKnown = firstWords.has(words[at]!);
  // The general pattern is slow, and only a word with a digit can contain a number.
  const joined = !isKnown && /\d/.test(words[at]!) ? glued.exec(words[at]!) : null;
  if (joined !== null) {
    const key = classes.get(joined[1]!)!;
    return withSuffix(words, {key, number: joined[2]!, next: at + 1, end});
  }
  if (isKnown)
    return spelledRoadAt(words, at, {end, afterNumber}) ?? hyphenedRoadAt(words, at, {end, afterNumber});
  const letters = words[at]!.includes("-") ? gluedLetters.exec(words[at]!) : null;
  return letters === null
    ? null
    : withWord(words, {name: `${classes.get(letters[1]!)} ${letters[2]}`, post: null, next: at + 1, end});
}

/** Parses a class of several words, the last of which has the number behind a hyphen: `CO RD-12`. */
function hyphenedRoadAt(
  words: readonly string[],
  at: number,
  {end, afterNumber}: {end: number; afterNumber: boolean},
): NumberedRoad | null {
  for (let last = at + 1; last < Math.min(end, at + longestClass); last++) {
    const [, word, number] = /^([A-Z]+)-(\d\S*)$/.exec(words[last]!) ?? [];
    if (word === undefined || !classes.has([...words.slice(at, last), word].join(" "))) continue;
    const road = spelledRoadAt(words.toSpliced(last, 1, word, number!), at, {end: end + 1, afterNumber});
    return road === null ? null : {...road, next: road.next - 1};
  }
  return null;
}

/** Parses the business route of a road that has its own class: `BUS US 83` is US HIGHWAY 83 BUS. */
function businessRoadAt(words: readonly string[], at: number, end: number): NumberedRoad | null {
  if (roadSuffixes.get(words[at]!) !== "BUS" || !isRoadWord(words[at + 1] ?? "")) return null;
  const road = numberedRoadAt(words, at + 1, {end, afterNumber: true});
  return road !== null && isHighway(road.name) ? {...road, name: `${road.name} BUS`} : null;
}

/** Parses a highway whose number or letters stand before its class at the end of the street: `13 HWY`, `BB HWY`. */
function roadBeforeClass(words: readonly string[], at: number, end: number): NumberedRoad | null {
  if (at + 1 >= end || !highwayWords.has(words[at + 1]!)) return null;
  const word = words[at]!;
  const isWord =
    directionals.has(word) || stateCodes.has(word) || firstWords.has(word) || streetTypes.has(word);
  if (!/^\d{1,3}[A-Z]?$/.test(word) && (isWord || !/^[A-Z]{1,2}$/.test(word))) return null;
  if (at + 2 < end && roadNumber.test(words[at + 2]!)) return null;
  return withWord(words, {name: `HIGHWAY ${word}`, post: null, next: at + 2, end});
}

/**
 * Parses a road named by a state code (`TX-123`, `LA 308`, `TX LOOP 82`), which is a highway of the state. The NS of
 * `NS 360 RD` is a side of a survey.
 */
function stateRoadAt(words: readonly string[], at: number, end: number): NumberedRoad | null {
  const word = words[at]!;
  if (isProvince(word.slice(0, 2))) return null;
  const joined = stateRoad.exec(word);
  if (joined !== null && stateCodes.has(joined[1]!) && !classes.has(joined[1]!))
    return withSuffix(words, {key: "STATE HIGHWAY", number: joined[2]!, next: at + 1, end});
  const isOther = firstWords.has(word) || directionals.has(word);
  if (!stateCodes.has(word) || isOther || at + 1 >= end) return null;
  if (/^(?:LOOP|SPUR)$/.test(words[at + 1]!)) return spelledRoadAt(words, at + 1, {end, afterNumber: true});
  // In `NC 96 HWY S` the HWY repeats the class; another type makes the words a street's name.
  const behind = highwayWords.has(words[at + 2] ?? "") ? at + 3 : at + 2;
  const isAlone = !words.slice(behind, end).some((each) => streetTypes.get(each)?.strength === "hard");
  if (!/^\d{1,4}[A-Z]?$/.test(words[at + 1]!) || !isAlone) return null;
  return withSuffix(words, {key: "STATE HIGHWAY", number: words[at + 1]!, next: at + 2, end});
}

function spelledRoadAt(
  words: readonly string[],
  at: number,
  {end, afterNumber}: {end: number; afterNumber: boolean},
): NumberedRoad | null {
  for (let length = Math.min(4, end - at - 1); length > 0; length--) {
    const phrase = length === 1 ? words[at]! : words.slice(at, at + length).join(" ");
    const key = classes.get(phrase);
    if (key === undefined || (phrase === "RR" && !afterNumber)) continue;
    let next = at + length;
    if (words[next] === "#" || (words[next] === "NO" && roadNumber.test(words[next + 1] ?? ""))) next++;
    const word = next < end ? words[next]! : "";
    const number = (wordNumbered.has(key) ? cardinalWords.get(word) : undefined) ?? word;
    if (roadNumber.test(number) || isRoadLetter(words, {key, next, end})) {
      const part = next + 1 < end && fraction.test(words[next + 1]!) ? words[next + 1] : undefined;
      return part === undefined
        ? withSuffix(words, {key, number, next: next + 1, end})
        : withSuffix(words, {key, number: `${number} ${part}`, next: next + 2, end});
    }
  }
  return null;
}

function isRoadLetter(
  words: readonly string[],
  {key, next, end}: {key: string; next: number; end: number},
): boolean {
  const word = words[next];
  if (word === undefined || next >= end || !lettered.has(key) || !roadLetters.test(word)) return false;
  const follower = next + 1 < end ? words[next + 1]! : "";
  const strength = streetTypes.get(word)?.strength;
  if (strength !== undefined && (strength !== "weak" || follower !== "")) return false;
  if (streetTypes.get(follower)?.strength === "hard") return false;
  return !directionals.has(word) || (follower === "" && word.length === 1);
}

function withSuffix(
  words: readonly string[],
  {key, number: asPrinted, next, end}: {key: string; number: string; next: number; end: number},
): NumberedRoad {
  const direction = key === "COUNTY ROAD" ? /^([\d.]+)([NSEW])$/.exec(asPrinted) : null;
  // County road 55-A is also printed 55A.
  const first =
    direction?.[1] ?? asPrinted.replace(/^(\d+)-(?=[A-Z])/, "$1").replace(/^(\d+)\/(\d+)$/, "$1-$2");
  const second =
    direction === null && next < end && isSecondNumber(words, {key, next, end}) ? words[next]! : "";
  const number = `${first}${/^\d/.test(second) ? "-" : ""}${second}`;
  const name = key === "BUSINESS" ? `HIGHWAY ${number} BUS` : `${key} ${number}`;
  return withWord(words, {name, post: direction?.[2] ?? null, next: second === "" ? next : next + 1, end});
}

/**
 * True for a number or letter behind a road's number: `US 15 501`, `US 70 A`. A unit has its word or `#` before
 * it; an ordinal, and a letter before a type, begin a street.
 */
function isSecondNumber(
  words: readonly string[],
  {key, next, end}: {key: string; next: number; end: number},
): boolean {
  if (key === "AVENUE" || (!/^\d/.test(words[next - 1]!) && !/\d[A-Z]?$/.test(words[next - 1]!)))
    return false;
  if (!secondNumber.test(words[next]!)) return false;
  const follower = next + 1 < end ? words[next + 1]! : "";
  return isRoadWord(follower) || !(streetTypes.get(follower)?.strength === "hard");
}

function withWord(
  words: readonly string[],
  {name, post, next, end}: NumberedRoad & {readonly end: number},
): NumberedRoad {
  const follower = next < end ? words[next]! : "";
  const suffix = roadSuffixes.get(follower);
  if (suffix !== undefined) return {name: `${name} ${suffix}`, post, next: next + 1};
  // In `FM 1826 RD` the RD repeats the class.
  const isRoad = follower === "RD" || follower === "ROAD" || highwayWords.has(follower);
  const repeated = isRoad && !(next + 1 < end && /^\d/.test(words[next + 1]!));
  return {name, post, next: repeated ? next + 1 : next};
}
