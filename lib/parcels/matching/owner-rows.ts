import type {TermIndex} from "../../search/term-index.ts";
import type {ParcelSet} from "../artifacts.ts";
import {type AskedRoles, misspeltMarks, ownerRolesScorer} from "../owner/owner-score.ts";
import {askedTokens} from "../owner/owner-tokens.ts";
import type {OwnerReader} from "./owner-reader.ts";
import {commonRows, markedRows, unitedRows, withoutRows} from "./row-lists.ts";
import type {Steps} from "./turns.ts";

/** Gives the score of a row in hundredths; 0 for a row that is no hit. */
export type RowScore = (row: number) => number;

/** Number of owners whose score is remembered during one query. */
const mostRemembered = 5_000;

const partedName = /^(MC|O)(.+)$/;
/** MC and ALDER before MCALDER, as the index has them of a parted name. */
const storedParts = /(^|\n)(MC|O)\n([A-Z0-9]+)\n\2\3(?=\n|$)/g;

/** Rows of a set that hold the tokens of a query, ascending; no row is in two of the lists. */
type WordRows = {
  /** Every token. */
  readonly whole: Uint32Array;
  /** The last token as the beginning of a longer one. */
  readonly begun: Uint32Array;
  /** One longer token with one letter wrong. */
  readonly misspelt: Uint32Array;
};

const shortestPrefix = 3;
const shortestMisspelt = 5;
const noRows = new Uint32Array(0);
/** Texts that are searched in a step. */
const stepTexts = 1_024;

/** Finds all rows whose owner fits the tokens of a query (`docs/design/parcels.md` section 7), by the term lists alone. */
export function* rowsOfWords(set: ParcelSet, tokens: readonly string[]): Steps<WordRows> {
  const index = set.owners;
  const lists = tokens.map((token) => index.find(token));
  const whole = yield* commonRows(lists);
  const last = tokens.at(-1) ?? "";
  const longer =
    last.length < shortestPrefix
      ? noRows
      : yield* rowsOfBegun({set, index, prefix: last, isWhole: false}, lists.slice(0, -1));
  const begun = withoutRows(longer, whole);
  const near = yield* rowsOfMisspelt({set, index}, tokens, lists);
  return {whole, begun, misspelt: withoutRows(withoutRows(near, whole), begun)};
}

/** Finds the rows with every token, of which the last may be the beginning of a longer one. */
export function* rowsOfBeginnings(set: ParcelSet, tokens: readonly string[]): Steps<Uint32Array> {
  const index = set.owners;
  const last = tokens.at(-1);
  if (last === undefined) return noRows;
  const others = tokens.slice(0, -1).map((token) => index.find(token));
  return yield* rowsOfBegun({set, index, prefix: last, isWhole: true}, others);
}

type OwnerIndex = {readonly set: ParcelSet; readonly index: TermIndex};
type Begun = OwnerIndex & {
  readonly prefix: string;
  /** True when the prefix itself counts as a term. */
  readonly isWhole: boolean;
};

/**
 * Finds the rows of any term that begins with a prefix, if they are in all other lists too. It takes the cheapest of three
 * ways, by nanoseconds measured with 14 million rows: the list of each term against the others; a bit map of the terms'
 * rows; the texts of the others' rows.
 */
function* rowsOfBegun(begun: Begun, others: readonly Uint32Array[]): Steps<Uint32Array> {
  const {set, index, prefix, isWhole} = begun;
  const {from, to} = index.withPrefix(prefix);
  const first = !isWhole && from < to && index.termAt(from) === prefix ? from + 1 : from;
  const least = Math.min(...others.map(({length}) => length));
  if (first === to || least === 0) return noRows;
  const lists = index.rowsOf({from: first, to});
  if (others.length === 0) return yield* unitedRows(lists, set.parcels.rows);
  const postings = lists.reduce((sum, {length}) => sum + length, 0);
  const [terms, rows] = [to - first, set.parcels.rows];
  const byTerm = 200 * terms + 50 * Math.min(postings, terms * least);
  const byMarks = rows / 70 + 4 * postings + 3 * least;
  const byText = 350 * least;
  if (byTerm <= Math.min(byMarks, byText)) {
    const ofTerms = Array.from({length: terms}, (_, i) => index.rowsAt(first + i));
    return yield* rowsOfAny(set, ofTerms, others);
  }
  const common = yield* commonRows(others);
  return byText < byMarks
    ? yield* withBegunText(set, common, prefix)
    : markedOf(common, yield* markedRows(lists, rows));
}

/** Finds the rows of any of some ascending lists that are in all of the others too. */
function* rowsOfAny(
  set: ParcelSet,
  lists: readonly Uint32Array[],
  others: readonly Uint32Array[],
): Steps<Uint32Array> {
  const found: Uint32Array[] = [];
  for (const list of lists) {
    const common = yield* commonRows([list, ...others]);
    if (common.length > 0) found.push(common);
  }
  return found.length === 1 ? found[0]! : yield* unitedRows(found, set.parcels.rows);
}

function* withBegunText(set: ParcelSet, rows: Uint32Array, prefix: string): Steps<Uint32Array> {
  const column = set.parcels.text("owner_tokens");
  const later = `\n${prefix}`;
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if (i % stepTexts === stepTexts - 1) yield;
    const text = column.at(rows[i]!) ?? "";
    if (text.startsWith(prefix) || text.includes(later)) kept[count++] = rows[i]!;
  }
  return kept.subarray(0, count);
}

function markedOf(rows: Uint32Array, marks: Uint32Array): Uint32Array {
  return rows.filter((row) => (marks[row >>> 5]! & (1 << (row & 31))) !== 0);
}

/**
 * Finds the rows with all tokens but one, and in the place of that one a term one edit away, or `CO` for a token one edit
 * away from COMPANY.
 */
function* rowsOfMisspelt(
  {set, index}: OwnerIndex,
  tokens: readonly string[],
  lists: readonly Uint32Array[],
): Steps<Uint32Array> {
  const found: Uint32Array[] = [];
  for (const [at, token] of tokens.entries()) {
    const others = lists.filter((_, other) => other !== at);
    if (token.length < shortestMisspelt || others.some((list) => list.length === 0)) continue;
    const near = index.near(token).map((number) => index.rowsAt(number));
    const marks = misspeltMarks(token).map((mark) => index.find(mark));
    found.push(yield* rowsOfAny(set, [...near, ...marks], others));
  }
  return found.length === 1 ? found[0]! : yield* unitedRows(found, set.parcels.rows);
}

/** Gives the scores of `scoreOwner` for rows with all of the tokens, and skips columns that cannot affect them. */
export function wordsScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const [only = "", second] = tokens;
  return second === undefined ? loneScore(set, only, reader) : severalScore(set, tokens, reader);
}

/** Gives the scores of rows by the names in their roles. */
export function rolesScore(asked: AskedRoles, reader: OwnerReader): RowScore {
  const scoreOf = ownerRolesScorer(asked);
  return remembered(reader.textOf, (row) => Math.round((scoreOf(reader.names(row))?.score ?? 0) * 100));
}

/** Scores several tokens; a row whose tokens are its only name is not parsed. */
function severalScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const scoreOf = listScore(tokens);
  const ofNames = remembered(reader.textOf, (row) => {
    const persons = reader.hasPersons(row) ? reader.names(row).map(({text}) => text) : [];
    const names = [...reader.lines(row), ...persons];
    return Math.max(0, ...names.map((name) => scoreOf(askedTokens(name).join("\n"))));
  });
  return (row) => {
    const score = scoreOf(column.at(row) ?? "");
    return score === 100 || reader.isOneName(row) ? score : Math.max(score, ofNames(row));
  };
}

/** Gives the score of a list of tokens, separated by line feeds, of a row that has all tokens of the query. */
function listScore(tokens: readonly string[]): (list: string) => number {
  const wanted = tokens.join("\n");
  const sorted = [...tokens].sort().join("\n");
  const within = `\n${wanted}\n`;
  const mayBeParted = tokens.some((token) => partedName.test(token));
  return (stored) => {
    const list = mayBeParted ? stored.replace(storedParts, "$1$2$3") : stored;
    if (list === wanted) return 100;
    if (list.length === wanted.length && list.split("\n").sort().join("\n") === sorted) return 95;
    return `\n${list}\n`.includes(within) ? 90 : 80;
  };
}

/** Scores a single token: it is a whole name, or one word of a name. */
function loneScore(set: ParcelSet, token: string, reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const bytes = Buffer.from(token);
  const parted = partedName.test(token) ? Buffer.from(token.replace(partedName, "$1\n$2\n$&")) : null;
  return (row) => {
    if (column.equals(row, bytes) || (parted !== null && column.equals(row, parted))) return 100;
    if (reader.isOneName(row) || !reader.mayStandAlone(row, token)) return 90;
    if (reader.hasPersons(row) && reader.names(row).some(({text}) => text === token)) return 100;
    const lines = reader.lines(row);
    return lines.length > 1 && lines.some((line) => askedTokens(line).join(" ") === token) ? 100 : 90;
  };
}

/** Remembers scores by text, since owners that are printed alike score alike. */
function remembered(textOf: (row: number) => string, scoreOf: RowScore): RowScore {
  const scores = new Map<string, number>();
  return (row) => {
    const text = textOf(row);
    const known = scores.get(text);
    if (known !== undefined) return known;
    const score = scoreOf(row);
    if (scores.size >= mostRemembered) scores.clear();
    scores.set(text, score);
    return score;
  };
}
