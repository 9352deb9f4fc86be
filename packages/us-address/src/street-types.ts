import {addressWords, bySpelling, wordSet} from "./address-words.ts";
import {directionals} from "./directionals.ts";
import {cardinalWords, ordinal, ordinalWords, tensWords} from "./number-words.ts";

/** A street type found in a street part, with its index. */
export type TypeChoice = {readonly type: StreetType; readonly at: number};

const saints = wordSet(addressWords.saintTowns);

export const firstWords: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["STE", "SAINTE"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);
const bareNumber = /^\d{1,5}$/;
const gridNumber = /^(\d{1,5}(?:ST|ND|RD|TH)?)([NSEW]?)$/;
/** A road that has letters and a number, like the highways of Michigan and Kansas: `M-59`, `OLD K 7`. */
const letteredRoad = /^((?:OLD |NEW )?[A-Z]{1,2})[- ](\d{1,4}[A-Z]?)$/;
const ordinalWord = /^\d+(?:ST|ND|RD|TH)$/;
const zeroOrdinal = /^0+(\d+(?:ST|ND|RD|TH))$/;

/**
 * How certainly a word is a street type: `hard` nearly always, `strong` mostly, `weak` for words that also
 * end many town names.
 */
type TypeStrength = "hard" | "strong" | "weak";

/** A street type: its standard abbreviation, its full word, and how certainly such a word is a type. */
export type StreetType = {readonly short: string; readonly full: string; readonly strength: TypeStrength};

/** Street types of USPS Publication 28, appendix C1, and of tax rolls, by every accepted spelling. */
export const streetTypes: ReadonlyMap<string, StreetType> = readTable();

function readTable(): Map<string, StreetType> {
  const {hard, strong, spellings} = addressWords.streetTypes;
  const [hardTypes, strongTypes] = [wordSet(hard), wordSet(strong)];
  const types = new Map<string, StreetType>();
  for (const line of spellings) {
    const [short, full, ...others] = line.split(" ") as [string, string, ...string[]];
    const strength = hardTypes.has(short) ? "hard" : strongTypes.has(short) ? "strong" : "weak";
    for (const spelling of [short, full, ...others])
      if (!types.has(spelling)) types.set(spelling, {short, full, strength});
  }
  return types;
}

/**
 * Normalises the words of a street name: ordinals as digits, a leading ST as SAINT, type words inside the
 * name spelled out. `beforeType` means that a street type follows, `afterNumber` that a house number
 * precedes; with both, a bare number is an ordinal (`600 22 ST`). A road of letters and a number has nothing between
 * them (`M59`), and the direction of a grid road is a letter apart (`1500 E`).
 */
export function streetName(
  printed: readonly string[],
  options: {beforeType: boolean; afterNumber: boolean},
): string {
  const grid = options.beforeType ? gridName(printed) : null;
  return grid ?? nameOfWords(printed, options).replace(letteredRoad, "$1$2");
}

/** The name of a grid road before its type: `1500 EAST`, `1500 E` and `1500E` are `1500 E`; null for another name. */
function gridName([first = "", second, ...others]: readonly string[]): string | null {
  const [, number, glued = ""] = gridNumber.exec(first) ?? [];
  const apart = second === undefined ? "" : (directionals.get(second) ?? "");
  if (number === undefined || others.length > 0 || (glued === "") === (apart === "")) return null;
  return second !== undefined && apart === "" ? null : `${number} ${glued}${apart}`;
}

function nameOfWords(
  printed: readonly string[],
  {beforeType, afterNumber}: {beforeType: boolean; afterNumber: boolean},
): string {
  const words = withMiles(printed);
  const last = words.length - 1;
  if (last === 0) return singleWord(words[0]!, beforeType && afterNumber);
  const [tens, one] = words.slice(-2) as [string, string];
  const joined = tensWords.has(tens) ? ordinalWords.get(`${tens} ${one}`) : undefined;
  if (joined !== undefined) return [...words.slice(0, -2).map(innerWord), joined].join(" ");
  return words
    .map((word, at) =>
      at < last
        ? innerWord(word, at)
        : beforeType
          ? wordBeforeType(word, ordinalWord.test(words[at - 1]!))
          : lastWord(word),
    )
    .join(" ");
}

export const countyTypes = bySpelling(addressWords.countyTypes);

/**
 * The type of two letters that a county prints behind a name (`FAIR BV`, `HEATHER GLEN CR`), where the street
 * ends, a direction or a unit's number follows; null for other words, and behind a certain type, where AL and LA
 * are states.
 */
export function countyType(
  words: readonly string[],
  from: number,
  {end, chosen}: {end: number; chosen: TypeChoice | null},
): TypeChoice | null {
  const isDirection = directionals.has(words[end - 1] ?? "");
  const isUnit = /^\d+[A-Z]?$/.test(words[end - 1] ?? "") && words[end - 2] !== "CR";
  const at = isDirection || isUnit ? end - 2 : end - 1;
  const short = at > from ? countyTypes.get(words[at]!) : undefined;
  if (short === undefined) return null;
  const isTaken =
    chosen !== null &&
    (chosen.type.strength === "hard" || (chosen.type.strength === "strong" && chosen.at === at - 1));
  return isTaken ? null : {type: streetTypes.get(short)!, at};
}

const milesInWords = /^([A-Z]+)(?:[ -]([A-Z]+))? MILE\b/;

/**
 * Writes the miles in a road's name as digits: FIVE MILE and 5-MILE become 5 MILE, TWENTY-TWO MILE becomes 22
 * MILE.
 */
function withMiles(words: readonly string[]): readonly string[] {
  if (!words.some((word) => word.endsWith("MILE"))) return words;
  const text = words.join(" ").replace(/^(\d{1,2})-MILE\b/, "$1 MILE");
  return text
    .replace(milesInWords, (miles, first: string, second?: string) => {
      const [tens, ones] = [cardinalWords.get(first), cardinalWords.get(second ?? "")];
      if (tens === undefined || (second !== undefined && ones === undefined)) return miles;
      return `${Number(tens) + Number(ones ?? 0)} MILE`;
    })
    .split(" ");
}

/**
 * Spells out a type that is not the street's own: the name of `23RD ST TER` is 23RD STREET. Less certain words
 * become short behind an ordinal: `154TH PLACE RD` is 154TH PL.
 */
function wordBeforeType(word: string, isAfterOrdinal: boolean): string {
  const type = streetTypes.get(word);
  if (type?.strength === "hard") return word === "DR" ? word : type.full;
  return type !== undefined && isAfterOrdinal ? type.short : lastWord(word);
}

function singleWord(word: string, isOrdinal: boolean): string {
  if (isOrdinal && bareNumber.test(word) && Number(word) > 0) return ordinal(Number(word));
  if (isOrdinal && cardinalWords.has(word)) return word;
  return lastWord(word);
}

function lastWord(word: string): string {
  return ordinalWords.get(word) ?? zeroOrdinal.exec(word)?.[1] ?? word;
}

function innerWord(word: string, at: number): string {
  if (at === 0) return firstWords.get(word) ?? word;
  if (word === "ST") return "SAINT";
  const type = streetTypes.get(word);
  // Inside a name, DR is often Doctor and CT Count, so only certain types are spelled out.
  return type !== undefined && type.strength === "hard" && word !== "DR" ? type.full : word;
}

/**
 * Chooses the type from the words `from` (first word of the name) to `end`: the last certain type, so that
 * OCEAN LANE DR is a drive; else the last weak one (CANYON CREST), or the first weak one when `townFollows`
 * tells that the words may end with a town. The first word of a name is never its type. Null when no word is
 * a type.
 */
export function chooseType(
  words: readonly string[],
  from: number,
  {end, townFollows}: {end: number; townFollows: boolean},
): TypeChoice | null {
  let sure: TypeChoice | null = null;
  let weak: TypeChoice | null = null;
  for (let at = from + 1; at < end; at++) {
    const type = streetTypes.get(words[at]!);
    if (type === undefined) continue;
    if (type.strength === "weak") {
      if (weak === null || !townFollows || weak.at === at - 1) weak = {type, at};
    } else if (
      !isSaint(words, at, {from, end, townFollows}) &&
      isBetter(words, sure, {type, at, townFollows})
    ) {
      sure = {type, at};
    }
  }
  if (sure === null) return weak;
  // In `WASHINGTON SQUARE VILLAGE` the weak type after the strong one is the type.
  const isLast = weak !== null && weak.at === end - 1 && weak.at === sure.at + 1;
  return isLast && !townFollows && sure.type.strength === "strong" ? weak : sure;
}

/**
 * True when ST means Saint: in a town after the street (`GRAVOIS PARK ST LOUIS`) or in a name (`OLD ST JAMES
 * RD`).
 */
function isSaint(
  words: readonly string[],
  at: number,
  {from, end, townFollows}: {from: number; end: number; townFollows: boolean},
): boolean {
  if (words[at] !== "ST" || at + 1 >= end) return false;
  const next = words[at + 1]!;
  if (streetTypes.has(next) || directionals.has(next) || /\d/.test(next)) return false;
  const before = at > from + 1 ? streetTypes.get(words[at - 1]!)?.strength : undefined;
  if (before === "hard" || before === "strong") return true;
  if (saints.has(next) && townFollows) return true;
  for (let after = at + 2; after < end; after++) {
    if (streetTypes.get(words[after]!)?.strength === "hard") return true;
  }
  return false;
}

function isBetter(
  words: readonly string[],
  before: TypeChoice | null,
  {type, at, townFollows}: TypeChoice & {townFollows: boolean},
): boolean {
  if (before === null) return true;
  if (before.type.strength === "hard" && type.strength === "strong" && townFollows)
    return at === before.at + 1;
  // After a complete street, words that are neither types nor directionals are a town: TER in MAIN ST TEMPLE
  // TER.
  for (let between = before.at + 1; between < at; between++) {
    const word = words[between]!;
    // Another house number starts a second address.
    if (/^\d{2,}$/.test(word)) return false;
    if (!streetTypes.has(word) && !directionals.has(word)) return type.strength === "hard";
  }
  return true;
}
