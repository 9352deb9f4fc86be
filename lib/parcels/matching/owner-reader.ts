import type {OwnerName, OwnerOrder} from "../owner/owner-names.ts";
import {ownerPhrases} from "../owner/owner-vocabulary.ts";
import {ownerNames} from "../owner/parse-owner.ts";
import type {ParcelSet} from "../parcel-set.ts";
import {ownerOrder, type SourceRegistry} from "../record/source-facts.ts";

/**
 * The column with all that scoring, grouping and summing needs of a hit, packed into one number so that a hit
 * reads one place of the file: acres in ten-thousandths plus one (0 when unknown), plus 2^41 times the owner
 * class, plus 2^43 times the last three digits of the county key.
 */
export const ownerFactsColumn = "owner_facts";

/** Classes of owners by the names that their lines may contain; persons, trusts and estates are `several`. */
export const ownerClasses = {other: 0, person: 1, several: 2} as const;

const severalKinds = ["persons", "trust", "estate"];
const acreUnits = 1e4;
const classUnit = 2 ** 41;
const countyUnit = 2 ** 43;

/** SQL for this number over a row of `parcels`. */
export const ownerFactsSql = `right(county_key, 3)::DOUBLE * ${countyUnit}
  + CASE WHEN owner_kind = 'person' THEN ${ownerClasses.person * classUnit}
      WHEN owner_kind IN (${severalKinds.map((kind) => `'${kind}'`).join(", ")}) THEN ${ownerClasses.several * classUnit} ELSE 0 END
  + CASE WHEN acres IS NULL THEN 0 ELSE least(round(acres * ${acreUnits}) + 1, ${classUnit - 1}) END`;

/** Reads recorded owner names from the printed lines of a row. */
export type OwnerReader = {
  /** The text from which `lines` and `names` of a row are derived; rows with equal text have equal names. */
  textOf(row: number): string;
  /** Recorded lines, as published. */
  lines(row: number): string[];
  /** Names with their roles, in the source's word order. */
  names(row: number): readonly OwnerName[];
  /** True when the tokens of the row are its only name, in order, so no line needs to be parsed. */
  isOneName(row: number): boolean;
  /** True when the lines have to be split into persons. */
  hasPersons(row: number): boolean;
  /** False when no recorded name can consist of this token alone. */
  mayStandAlone(row: number, token: string): boolean;
};

/** Word orders in which later persons of a line share the last name of the first. */
const lastFirst: ReadonlySet<OwnerOrder> = new Set(["last_first", "last_comma_first"]);

/** Words that do not belong to a name beside them. */
const markWords: ReadonlySet<string> = new Set([
  ...ownerPhrases.flatMap(({words}) => words),
  ..."AND OF EST ESTATE TRUST INT INTEREST UND UNDIVIDED JR SR II III IV".split(" "),
]);

/** A word that is not one of `markWords`. */
const nameWord = `(?!(?:${[...markWords].filter((word) => /^[A-Z]+$/.test(word)).join("|")})(?![A-Z0-9]))[A-Z]+(?![A-Z0-9])`;
/**
 * A line with one last name, given names, and further persons who share it; none of its names is a single
 * word.
 */
const sharedLastName = new RegExp(`^${nameWord},? ${nameWord}[A-Z0-9 &/+]*$`);

/** Creates a reader for the owner names of a set; the registry gives the word order of each source. */
export function ownerReader(set: ParcelSet, sources: SourceRegistry): OwnerReader {
  const {parcels} = set;
  const printed = parcels.text("owner_name");
  const factsAt = ownerFactsReader(set);
  const classAt = (row: number) => ownerClassOf(factsAt(row));
  let [lastRow, lastText] = [-1, ""];
  // Several members read the same row in succession.
  const textAt = (row: number): string => {
    if (row !== lastRow) [lastRow, lastText] = [row, printed.at(row) ?? ""];
    return lastText;
  };
  const lines = (row: number): string[] => {
    const text = textAt(row);
    return text.includes(";") ? text.split("; ").filter((line) => line !== "") : text === "" ? [] : [text];
  };
  const orderOf = ordersOfSources(set, sources);
  return {
    textOf: (row) => `${classAt(row)} ${orderOf(row)} ${textAt(row)}`,
    lines,
    names: (row) => ownerNames(lines(row), orderOf(row)),
    isOneName: (row) => classAt(row) === ownerClasses.person && orderOf(row) !== "first_last",
    hasPersons(row) {
      const ownerClass = classAt(row);
      return (
        ownerClass === ownerClasses.several ||
        (ownerClass === ownerClasses.person && orderOf(row) === "first_last")
      );
    },
    mayStandAlone: (row, token) =>
      mayStandAlone(textAt(row), {token, isLastFirst: lastFirst.has(orderOf(row))}),
  };
}

/** The word order of each row, from the source of its owner. */
function ordersOfSources({parcels}: ParcelSet, sources: SourceRegistry): (row: number) => OwnerOrder {
  const source = parcels.dictionary("owner_source");
  const orders = new Map<number, OwnerOrder>();
  return (row) => {
    const code = source.codeAt(row);
    const known = orders.get(code) ?? ownerOrder(sources(source.values[code] ?? ""));
    orders.set(code, known);
    return known;
  };
}

/**
 * A cheap necessary condition for the token to be a whole printed name: the words beside it do not belong to
 * a name. Text with accents, apostrophes and the like always passes.
 */
function mayStandAlone(
  printed: string,
  {token, isLastFirst}: {token: string; isLastFirst: boolean},
): boolean {
  if (isLastFirst && sharedLastName.test(printed)) return false;
  if (!/^[A-Za-z0-9 &;/,%+-]*$/.test(printed)) return true;
  const text = printed.toUpperCase();
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const end = at + token.length;
    if (isWordAt(text, at - 1) || isWordAt(text, end)) continue;
    if (!isMark(wordBefore(text, at)) || !isMark(wordAfter(text, end))) continue;
    if (!isLastFirst || !sharesLastName(text.slice(text.lastIndexOf(";", at) + 1, at))) return true;
  }
  return false;
}

/** True when a person named after this text shares its last name, like JUNE in `HARLOW DALE & JUNE`. */
function sharesLastName(before: string): boolean {
  const end = before.search(/[&/+]/);
  if (end < 0) return false;
  const words = before.slice(0, end).match(/[A-Z0-9]+/g) ?? [];
  return words.filter((word) => !isMark(word)).length > 1;
}

/** The word that ends before `at`, skipping blanks; empty at punctuation or at the start. */
function wordBefore(line: string, at: number): string {
  let end = at;
  while (line[end - 1] === " ") end--;
  let start = end;
  while (isWordAt(line, start - 1)) start--;
  return line.slice(start, end);
}

function wordAfter(line: string, at: number): string {
  let start = at;
  while (line[start] === " ") start++;
  let end = start;
  while (isWordAt(line, end)) end++;
  return line.slice(start, end);
}

/** True for a letter or digit of upper-case text. */
function isWordAt(line: string, at: number): boolean {
  const code = at < 0 ? Number.NaN : line.charCodeAt(at);
  return (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isMark(word: string): boolean {
  return word === "" || /^\d/.test(word) || markWords.has(word);
}

/**
 * Reads the packed number of a row. Sets in memory lack that column, so it is computed from the others.
 */
export function ownerFactsReader({parcels}: ParcelSet): (row: number) => number {
  if (parcels.has(ownerFactsColumn)) {
    const column = parcels.number(ownerFactsColumn);
    return (row) => column.at(row)!;
  }
  const [counties, kinds] = [parcels.dictionary("county_key"), parcels.dictionary("owner_kind")];
  const column = parcels.number("acres");
  return (row) => {
    const [kind, acres] = [kinds.at(row) ?? "", column.at(row)];
    const {person, several, other} = ownerClasses;
    const ownerClass = kind === "person" ? person : severalKinds.includes(kind) ? several : other;
    const units = acres === null ? 0 : Math.min(Math.round(acres * acreUnits) + 1, classUnit - 1);
    return Number(counties.at(row)!.slice(-3)) * countyUnit + ownerClass * classUnit + units;
  };
}

/** One of `ownerClasses`. */
export function ownerClassOf(facts: number): number {
  return Math.floor(facts / classUnit) % (countyUnit / classUnit);
}

/** The last three digits of the county key. */
export function countyOf(facts: number): number {
  return Math.floor(facts / countyUnit);
}

/** Ten-thousandths of an acre; null when the acres are unknown. */
export function acreUnitsOf(facts: number): number | null {
  const units = facts - Math.floor(facts / classUnit) * classUnit;
  return units === 0 ? null : units - 1;
}

/** Converts a sum of units to acres. */
export function acresOf(units: number): number {
  return units / acreUnits;
}
