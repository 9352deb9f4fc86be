import type {ParcelSet} from "../artifacts.ts";
import type {OwnerName, OwnerOrder} from "../owner/owner-names.ts";
import {ownerPhrases} from "../owner/owner-vocabulary.ts";
import {ownerNames} from "../owner/parse-owner.ts";
import type {SourceRegistry} from "../record/source-facts.ts";
import {ownerOrder} from "../record/source-facts.ts";

/** The recorded names of owners, read from the lines that a row prints. */
export type OwnerReader = {
  /** All that `lines` and `names` of a row are read from: rows with the same text have the same names. */
  textOf(row: number): string;
  /** Recorded lines, as published. */
  lines(row: number): string[];
  /** Names with their roles, as the order of the source tells them. */
  names(row: number): readonly OwnerName[];
  /** True where the row's tokens are its one name, in order: there is nothing to read. */
  isOneName(row: number): boolean;
  /** True where the lines have to be taken apart into persons. */
  hasPersons(row: number): boolean;
  /** False where no recorded name can be this one token alone. */
  mayStandAlone(row: number, token: string): boolean;
};

/** Kinds of owner whose lines are taken apart into persons. */
const personalKinds: ReadonlySet<string> = new Set(["persons", "trust", "estate"]);

/** Orders in which the first person of a line has a last name that the later ones share. */
const lastFirst: ReadonlySet<OwnerOrder> = new Set(["last_first", "last_comma_first"]);

/** Words that belong to no name: after or before a name they leave it alone. */
const markWords: ReadonlySet<string> = new Set([
  ...ownerPhrases.flatMap(({words}) => words),
  ..."AND OF EST ESTATE TRUST INT INTEREST UND UNDIVIDED JR SR II III IV".split(" "),
]);

/** A word that is not one of those. */
const nameWord = `(?!(?:${[...markWords].filter((word) => /^[A-Z]+$/.test(word)).join("|")})(?![A-Z0-9]))[A-Z]+(?![A-Z0-9])`;
/** One line of one last name with given names, and of those who have it too: none of them is recorded by one word. */
const sharedLastName = new RegExp(`^${nameWord},? ${nameWord}[A-Z0-9 &/+]*$`);

/** Reads owner names of a set's rows; the order of their words is that of the source in the registry. */
export function ownerReader(set: ParcelSet, sources: SourceRegistry): OwnerReader {
  const {parcels} = set;
  const printed = parcels.text("owner_name");
  const kinds = parcels.dictionary("owner_kind");
  const isPersonal = kinds.values.map((kind) => personalKinds.has(kind));
  const person = kinds.values.indexOf("person");
  let [lastRow, lastText] = [-1, ""];
  // A row is asked for several things, one after the other.
  const textAt = (row: number): string => {
    if (row !== lastRow) [lastRow, lastText] = [row, printed.at(row) ?? ""];
    return lastText;
  };
  const lines = (row: number): string[] => {
    const text = textAt(row);
    return text.includes(";") ? text.split("; ").filter((line) => line !== "") : text === "" ? [] : [text];
  };
  const orderOf = orderByProvenance(set, sources);
  return {
    textOf: (row) => `${kinds.codeAt(row)} ${orderOf(row)} ${textAt(row)}`,
    lines,
    names: (row) => ownerNames(lines(row), orderOf(row)),
    isOneName: (row) => kinds.codeAt(row) === person && orderOf(row) !== "first_last",
    hasPersons(row) {
      const code = kinds.codeAt(row);
      return isPersonal[code] === true || (code === person && orderOf(row) === "first_last");
    },
    mayStandAlone: (row, token) =>
      mayStandAlone(textAt(row), {token, isLastFirst: lastFirst.has(orderOf(row))}),
  };
}

function orderByProvenance(set: ParcelSet, sources: SourceRegistry): (row: number) => OwnerOrder {
  const own = set.parcels.number("prov_owner");
  const usual = set.parcels.number("prov_default");
  const orders = new Map<number, OwnerOrder>();
  const orderOf = (row: number) => ownerOrder(sources(set.row(row).provenance("owner").sourceId));
  return (row) => {
    const id = (own.isEmpty === true ? null : own.at(row)) ?? usual.at(row);
    // Rows in memory have no numbers of their provenance.
    if (id === null) return orderOf(row);
    const known = orders.get(id) ?? orderOf(row);
    orders.set(id, known);
    return known;
  };
}

/**
 * A necessary condition, cheap to test, for one of the printed names to be the token alone: next to the token stands no word that belongs
 * to its name. Text with accents, apostrophes and the like is let through.
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

/** True for what stands before JUNE in `HARLOW DALE & JUNE`: she has the last name of the first person. */
function sharesLastName(before: string): boolean {
  const end = before.search(/[&/+]/);
  if (end < 0) return false;
  const words = before.slice(0, end).match(/[A-Z0-9]+/g) ?? [];
  return words.filter((word) => !isMark(word)).length > 1;
}

/** The word that ends before `at`, with blanks between left out; empty at a sign and at the start. */
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

/** True for a letter or digit of an upper-case text. */
function isWordAt(line: string, at: number): boolean {
  const code = at < 0 ? Number.NaN : line.charCodeAt(at);
  return (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isMark(word: string): boolean {
  return word === "" || /^\d/.test(word) || markWords.has(word);
}
