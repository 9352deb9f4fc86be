import {addressWords, wordSet} from "./address-words.ts";
import {directionals} from "./directionals.ts";
import {cardinalWords, ordinal, ordinalWords, tensWords} from "./number-words.ts";
import {type ParsedAddress, recipientNote} from "./parsed-address.ts";
import {roadSuffixes} from "./road-names.ts";
import {stateCodes, stateNames} from "./state-names.ts";
import {countyTypes, firstWords, streetTypes} from "./street-types.ts";
import {standaloneUnits, unitDesignators} from "./unit-part.ts";

/**
 * What became of each word before the place of a line: kept in a part, excused by a rule that has a name, or
 * left over.
 */
export type WordAccount = {
  readonly kept: readonly string[];
  readonly excused: readonly {readonly word: string; readonly rule: string}[];
  readonly leftOver: readonly string[];
};

const classWords = new Set(
  Object.values(addressWords.roadClasses).flatMap((spellings) =>
    spellings.flatMap((each) => each.split(/[ -]/)),
  ),
);
const stateWords = new Set([...stateNames.keys()].flatMap((name) => name.split(" ")));
const boxWords = wordSet("P O PO BOX POST OFFICE POB RR HC RURAL ROUTE RT LOCKBOX DRAWER");
const placeWords = wordSet("CITY TOWN VILLAGE TOWNSHIP BOROUGH OF COUNTY PARISH CO");
const joinWords = wordSet("& AND AT TO THRU THROUGH");
const unitWords = wordSet("NO NUMBER FLOOR LEVEL LVL FLR");
/** Designators that say no more than that a unit follows. */
const oneKind = wordSet("UNIT APT STE");
const articles = wordSet("THE OF TO");

/** The account of the words that stand before the place of a line. */
export function wordAccount(words: readonly string[], address: ParsedAddress): WordAccount {
  const parts = new PartWords(address);
  const recipient = address.notes.includes(recipientNote) ? words.findIndex((word) => /^\d/.test(word)) : 0;
  const excused: {word: string; rule: string}[] = [];
  const [kept, left]: [string[], string[]] = [[], []];
  words.forEach((word, at) => {
    const isKept = at >= recipient && parts.take(word, words[at + 1]);
    const rule = isKept ? null : at < recipient ? recipientNote : ruleFor(words, at, address);
    if (rule !== null) excused.push({word, rule});
    else (isKept ? kept : left).push(word);
  });
  return {kept, excused, leftOver: left};
}

/** The words of an address's parts, each of which a printed word takes once. */
class PartWords {
  private readonly counts = new Map<string, number>();
  /** Letters and digits of the parts without blanks, which hold words that were joined. */
  private readonly joined: string;
  private before = "";

  constructor(address: ParsedAddress) {
    const {number, numberHi, fraction, pre, name, type, post, unitType, unit, secondStreet, city, county} =
      address;
    const parts = [
      number,
      numberHi,
      fraction,
      pre,
      name,
      type,
      post,
      unitType,
      unit,
      secondStreet,
      city,
      county,
    ].flatMap((text) => (text === null ? [] : [piecesOf(String(text))]));
    for (const pieces of parts) this.count(pieces);
    // A letter of the house number may be printed apart from it.
    if (/^(?:\d+[A-Z]|[A-Z]\d+)$/.test(number ?? "")) this.count(number!.match(/\d+|[A-Z]/g)!);
    this.joined = ` ${parts.map((pieces) => pieces.join("")).join(" ")} `;
  }

  private count(pieces: readonly string[]): void {
    for (const piece of pieces) this.counts.set(piece, (this.counts.get(piece) ?? 0) + 1);
  }

  /** Takes a printed word from the parts; false when none holds it. */
  take(word: string, next: string | undefined): boolean {
    const {before} = this;
    this.before = word;
    if (this.takeOne(word)) return true;
    const pieces = piecesOf(word);
    return (
      (pieces.length > 0 && pieces.every((piece) => this.takeOne(piece))) ||
      this.isCounted(pieces) ||
      this.isJoined(before, word) ||
      (next !== undefined && this.isJoined(word, next)) ||
      (/\d/.test(word) && this.joined.includes(pieces.join(""))) ||
      this.isRange(word)
    );
  }

  private takeOne(word: string): boolean {
    // Most words are in the parts as they are printed.
    return this.takeForm(word) || formsOf(word).some((form) => this.takeForm(form));
  }

  private takeForm(form: string): boolean {
    const count = this.counts.get(form) ?? 0;
    if (count > 0) this.counts.set(form, count - 1);
    return count > 0;
  }

  /** True for two printed words that a part holds as one: `P 24`, `123 A`, `TWENTY SECOND`. */
  private isJoined(first: string, second: string): boolean {
    if (first === "" || second === "") return false;
    const words = [first + second, ordinalWords.get(`${first} ${second}`)];
    if (tensWords.has(first))
      words.push(String(Number(cardinalWords.get(first)) + Number(cardinalWords.get(second))));
    const directions = `${directionals.get(first)}${directionals.get(second)}`;
    if (/^[NS][EW]$/.test(directions) && this.joined.includes(` ${directions} `)) return true;
    return words.some((each) => each !== undefined && /\d/.test(each) && this.joined.includes(each));
  }

  /** True for a number in two words: TWENTY-TWO. */
  private isCounted([tens = "", ones = "", ...others]: readonly string[]): boolean {
    if (others.length > 0 || !tensWords.has(tens) || !cardinalWords.has(ones)) return false;
    return this.takeOne(String(Number(cardinalWords.get(tens)) + Number(cardinalWords.get(ones))));
  }

  /** True for the high end of a range that the line prints without its leading digits: `3700-08`. */
  private isRange(word: string): boolean {
    const [, high = ""] = /^\d+[A-Z]?[-/](\d+)$/.exec(word) ?? [];
    return high !== "" && new RegExp(` \\d*${high} `).test(this.joined);
  }
}

function piecesOf(text: string): string[] {
  if (plain.test(text)) return [text];
  return text.split(/[^A-Z0-9.]+/).filter((piece) => piece !== "");
}

const plain = /^[A-Z0-9]+$/;

/** The other forms under which the parts may hold a printed word. */
function formsOf(word: string): string[] {
  const type = streetTypes.get(word);
  const forms = [
    type?.short,
    type?.full,
    directionals.get(word),
    ordinalWords.get(word),
    ordinalWords.get(word)?.replace(/\D+$/, ""),
    cardinalWords.get(word),
    firstWords.get(word),
    word === "ST" ? "SAINT" : undefined,
    unitDesignators.get(word),
    standaloneUnits.get(word),
    countyTypes.get(word),
    roadSuffixes.get(word),
    /^\d{1,5}$/.test(word) ? ordinal(Number(word)) : undefined,
    /^0+\d/.test(word) ? word.replace(/^0+/, "") : undefined,
    /^\d+(?:ST|ND|RD|TH)$/.test(word) ? word.replace(/\D+$/, "") : undefined,
  ];
  return forms.filter((form) => form !== undefined);
}

/** The rule that excuses a word which no part holds; null for a word that is left over. */
function ruleFor(words: readonly string[], at: number, address: ParsedAddress): string | null {
  const word = words[at]!;
  if (address.notes.includes("box left out") && isOfBox(words, at)) return "box";
  if (word === "#" || (word === "&" && at === words.length - 1)) return "sign";
  if (isClassOf(word, address)) return "road class";
  if (unitWords.has(word) || oneKind.has(unitDesignators.get(word) ?? "") || isBeforeUnit(words, at, address))
    return address.unit === null ? null : "unit word";
  if (joinWords.has(word) && (address.secondStreet !== null || address.numberHi !== null))
    return "second street";
  if (joinWords.has(word) && /&| TO /.test(address.unit ?? "")) return "further value of a unit";
  if (placeWords.has(word) && (address.city !== null || address.county !== null)) return "place word";
  if (articles.has(word) && address.secondStreet !== null) return "second street";
  return /^(?:0+|X{2,6}|99999)$/.test(word) && address.number === null ? "placeholder" : null;
}

/** True for a word of a numbered road's class or state, alone or glued to the road's number (`SR-9`), and for its number glued to a direction (`400N`). */
function isClassOf(word: string, {name, post}: ParsedAddress): boolean {
  if (name === null || !/\d|\b[A-Z]{1,2}$/.test(name)) return false;
  if (stateCodes.has(word) || piecesOf(word).every((piece) => classWords.has(piece))) return true;
  if (name.startsWith("STATE HIGHWAY ") && stateWords.has(word)) return true;
  const [, roadClass = "", number = ""] = /^([A-Z]*)-?([A-Z0-9./-]+)$/.exec(word) ?? [];
  const printed = number.replace("/", "-");
  const parts = name.split(" ");
  if (post !== null && parts.some((part) => `${part}${post}` === printed))
    return roadClass === "" || classWords.has(roadClass);
  return (classWords.has(roadClass) || stateCodes.has(roadClass)) && parts.includes(printed);
}

/** True for a unit designator (`BLDG`, `UNIT`) that is followed by its value. */
function isBeforeUnit(words: readonly string[], at: number, {unit}: ParsedAddress): boolean {
  return unitDesignators.has(words[at]!) && (unit ?? "").split(" ").includes(words[at + 1] ?? "");
}

function isOfBox(words: readonly string[], at: number): boolean {
  const before = words[at - 1] === "#" ? at - 2 : at - 1;
  return boxWords.has(words[at]!) || boxWords.has(words[before] ?? "");
}
