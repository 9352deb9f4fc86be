import {addressWords, wordSet} from "./address-words.ts";
import {directionals} from "./directionals.ts";
import {cardinalWords} from "./number-words.ts";
import {stateCodes} from "./state-names.ts";
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
const glued =
  /^(I|IH|US|SH|SR|CR|FM|RM|RR|HWY|PTH|CTH|STH|RT|RTE)-?(\d{1,5}(?:\.\d{1,3})?[A-Z]?|\d{1,4}[-/]\d{1,4})$/;
const roadNumber = /^(?:\d{1,5}(?:\.\d{1,3})?(?:-?[A-Z]{1,2}|[-/]\d{1,4})?|A1A)$/;
/** What stands behind a road's number and belongs to it: another number, or a letter that is no directional. */
const secondNumber = /^(?:\d{1,4}[A-Z]?|[A-DF-MO-RT-VX-Z])$/;
const roadLetters = /^(?:[A-Z]{1,2}|([A-Z])\1\1)$/;
const suffixes = wordSet("ALT BUS BUSINESS BYP BYPASS SPUR LOOP TRUCK BSNSS");
/** Classes of several words that may follow a name. */
const afterName = /^(?:COUNTY|STATE) /;
const modifiers: ReadonlySet<string> = new Set(["OLD", "NEW"]);
const longestClass = 4;
const fraction = /^\d\/\d$/;
const stateRoad = /^([A-Z]{2})-(\d{1,4}[A-Z]?)$/;

/** Highway classes for which HIGHWAY may be printed (docs/design/parcels.md section 7, name component). */
const highwayClasses =
  "INTERSTATE|US HIGHWAY|STATE HIGHWAY|STATE ROUTE|STATE ROAD|COUNTY HIGHWAY|ROUTE|PTH|FM|RANCH ROAD".split(
    "|",
  );
/** Words that may replace the class of any highway. */
const anyClass: readonly string[] = ["HIGHWAY", "ROUTE"];
/** Classes that are often confused: state roads, and county roads. */
const mixedUp: readonly (readonly string[])[] = [
  ["STATE HIGHWAY", "STATE ROUTE", "STATE ROAD"],
  ["COUNTY ROAD", "COUNTY HIGHWAY", "COUNTY ROUTE"],
];
const classed = new RegExp(
  `^(${[...new Set([...anyClass, ...highwayClasses, ...mixedUp.flat()])].join("|")}) (\\S+)$`,
);

/**
 * Other names under which a highway may be printed: HIGHWAY and ROUTE for any class, and any class for these.
 */
export function otherHighways(name: string): string[] {
  const [, own = "", number = ""] = classed.exec(name) ?? [];
  if (own === "") return [];
  // Highway C is a county road: roads with letters are the county's in Wisconsin.
  const highways = /^[A-Z]+$/.test(number) ? [...highwayClasses, "COUNTY ROAD"] : highwayClasses;
  const others = anyClass.includes(own) ? highways : highways.includes(own) ? anyClass : [];
  const alike = mixedUp.find((each) => each.includes(own)) ?? [];
  const names = new Set([...(anyClass.includes(own) ? anyClass : []), ...others, ...alike]);
  names.delete(own);
  return [...names].map((each) => `${each} ${number}`);
}

/** The other name of a farm or ranch road, which Texas numbers in one series; null for another road. */
export function otherFarmRoad(name: string): string | null {
  const [, own = "", number = ""] = /^(FM|RANCH ROAD) (.+)$/.exec(name) ?? [];
  return own === "" ? null : `${own === "FM" ? "RANCH ROAD" : "FM"} ${number}`;
}

/** True for two names of one highway. */
export function isSameHighway(a: string, b: string): boolean {
  return otherHighways(a).includes(b);
}

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
  const ownStateRoad = afterNumber ? stateRoadAt(words, at, end) : null;
  if (ownStateRoad !== null) return ownStateRoad;
  const isKnown = firstWords.has(words[at]!);
  // The general pattern is slow, and only a word with a digit can contain a number.
  const joined = !isKnown && /\d/.test(words[at]!) ? glued.exec(words[at]!) : null;
  if (joined !== null) {
    const key = classes.get(joined[1]!)!;
    return withSuffix(words, {key, number: joined[2]!, next: at + 1, end});
  }
  return isKnown ? spelledRoadAt(words, at, {end, afterNumber}) : null;
}

/** Parses a road named by a state code (`TX-123`, `LA 308`, `TX LOOP 82`); its class stays open. */
function stateRoadAt(words: readonly string[], at: number, end: number): NumberedRoad | null {
  const word = words[at]!;
  const joined = stateRoad.exec(word);
  if (joined !== null && stateCodes.has(joined[1]!) && !classes.has(joined[1]!))
    return withSuffix(words, {key: "HIGHWAY", number: joined[2]!, next: at + 1, end});
  const isOther = firstWords.has(word) || directionals.has(word);
  if (!stateCodes.has(word) || isOther || at + 1 >= end) return null;
  if (/^(?:LOOP|SPUR)$/.test(words[at + 1]!)) return spelledRoadAt(words, at + 1, {end, afterNumber: true});
  const isAlone = !words.slice(at + 2, end).some((each) => streetTypes.get(each)?.strength === "hard");
  if (!/^\d{1,4}[A-Z]?$/.test(words[at + 1]!) || !isAlone) return null;
  return withSuffix(words, {key: "HIGHWAY", number: words[at + 1]!, next: at + 2, end});
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
  {key, number, next, end}: {key: string; number: string; next: number; end: number},
): NumberedRoad {
  const direction = key === "COUNTY ROAD" ? /^([\d.]+)([NSEW])$/.exec(number) : null;
  // County road 55-A is also printed 55A.
  const printed =
    direction?.[1] ?? number.replace(/^(\d+)-(?=[A-Z])/, "$1").replace(/^(\d+)\/(\d+)$/, "$1-$2");
  const second =
    direction === null && next < end && isSecondNumber(words, {key, next, end}) ? words[next]! : "";
  const name = `${key} ${printed}${/^\d/.test(second) ? "-" : ""}${second}`;
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
  if (suffixes.has(follower)) return {name: `${name} ${follower}`, post, next: next + 1};
  // In `FM 1826 RD` the RD repeats the class.
  const isRoad = follower === "RD" || follower === "ROAD" || follower === "HWY" || follower === "HIGHWAY";
  const repeated = isRoad && !(next + 1 < end && /^\d/.test(words[next + 1]!));
  return {name, post, next: repeated ? next + 1 : next};
}
