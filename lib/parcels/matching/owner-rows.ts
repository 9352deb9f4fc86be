import type {TermIndex} from "@open-cattle/mapped-index";
import {
  misspeltMarks,
  ownerRolesScorer,
  type RoleQuery,
  shortestMisspelt,
  shortestPrefix,
} from "../owner/owner-score.ts";
import {searchTokens} from "../owner/owner-tokens.ts";
import type {ParcelSet} from "../parcel-set.ts";
import type {OwnerReader} from "./owner-reader.ts";
import {commonRows, rowBitmap, unionOfRows, withoutRows} from "./row-lists.ts";
import type {Steps} from "./yield-to-loop.ts";

/** The score of a row in hundredths; 0 when it is not a hit. */
export type RowScore = (row: number) => number;

/** Number of owners whose score is cached during a query. */
const maxCachedScores = 5_000;

const splitName = /^(MC|O)(.+)$/;
/** MC and ALDER before MCALDER, as the index stores a name written in two parts. */
const storedParts = /(^|\n)(MC|O)\n([A-Z0-9]+)\n\2\3(?=\n|$)/g;

/** Rows of a set that match the tokens of a query, ascending; the lists are disjoint. */
type WordRows = {
  /** Every token. */
  readonly whole: Uint32Array;
  /** The last token as a prefix of a longer one. */
  readonly byPrefix: Uint32Array;
  /** One token with one wrong letter. */
  readonly misspelt: Uint32Array;
};

const noRows = new Uint32Array(0);
/** Texts searched between two yields. */
const stepTexts = 1_024;

/**
 * Finds all rows whose owner matches the tokens of a query (`docs/design/parcels.md` section 7), using only
 * the term lists.
 */
export function* rowsOfWords(set: ParcelSet, tokens: readonly string[]): Steps<WordRows> {
  const index = set.owners;
  const lists = tokens.map((token) => index.find(token));
  const whole = yield* commonRows(lists);
  const last = tokens.at(-1) ?? "";
  const longer =
    last.length < shortestPrefix
      ? noRows
      : yield* rowsWithPrefix({set, index, prefix: last, isWhole: false}, lists.slice(0, -1));
  const byPrefix = withoutRows(longer, whole);
  const near = yield* rowsOfMisspelt({set, index}, tokens, lists);
  return {whole, byPrefix, misspelt: withoutRows(withoutRows(near, whole), byPrefix)};
}

/** Finds the rows with every token; the last one may be a prefix of a longer token. */
export function* rowsOfTokens(set: ParcelSet, tokens: readonly string[]): Steps<Uint32Array> {
  const index = set.owners;
  const last = tokens.at(-1);
  if (last === undefined) return noRows;
  const others = tokens.slice(0, -1).map((token) => index.find(token));
  return yield* rowsWithPrefix({set, index, prefix: last, isWhole: true}, others);
}

type OwnerIndex = {readonly set: ParcelSet; readonly index: TermIndex};
type PrefixSearch = OwnerIndex & {
  readonly prefix: string;
  /** True when the prefix itself counts as a term. */
  readonly isWhole: boolean;
};

/**
 * Finds the rows that have any term with a prefix and are in all other lists too. Picks the cheapest of three
 * strategies by their cost in nanoseconds, measured with 14 million rows: intersect each term's list with the
 * others, mark the terms' rows in a bitmap, or scan the texts of the others' rows.
 */
function* rowsWithPrefix(search: PrefixSearch, others: readonly Uint32Array[]): Steps<Uint32Array> {
  const {set, index, prefix, isWhole} = search;
  const {from, to} = index.withPrefix(prefix);
  const first = !isWhole && from < to && index.termAt(from) === prefix ? from + 1 : from;
  const shortest = Math.min(...others.map(({length}) => length));
  if (first === to || shortest === 0) return noRows;
  const lists = index.rowsOf({from: first, to});
  if (others.length === 0) return yield* unionOfRows(lists, set.parcels.rows);
  const postings = lists.reduce((sum, {length}) => sum + length, 0);
  const [terms, rows] = [to - first, set.parcels.rows];
  const byTerm = 200 * terms + 50 * Math.min(postings, terms * shortest);
  const byBitmap = rows / 70 + 4 * postings + 3 * shortest;
  const byText = 350 * shortest;
  if (byTerm <= Math.min(byBitmap, byText)) {
    const ofTerms = Array.from({length: terms}, (_, i) => index.rowsAt(first + i));
    return yield* rowsOfAny(set, ofTerms, others);
  }
  const common = yield* commonRows(others);
  return byText < byBitmap
    ? yield* withPrefixText(set, common, prefix)
    : markedOf(common, yield* rowBitmap(lists, rows));
}

/** Finds the rows that are in any of some ascending lists and in all of the others too. */
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
  return found.length === 1 ? found[0]! : yield* unionOfRows(found, set.parcels.rows);
}

function* withPrefixText(set: ParcelSet, rows: Uint32Array, prefix: string): Steps<Uint32Array> {
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
 * Finds the rows that have all tokens but one, and instead of that one a term at edit distance one, or `CO`
 * for a misspelt COMPANY.
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
  return found.length === 1 ? found[0]! : yield* unionOfRows(found, set.parcels.rows);
}

/**
 * Scores rows with all of the tokens by docs/design/parcels.md section 7, and skips columns that cannot affect the score.
 */
export function wordsScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const [only = "", second] = tokens;
  return second === undefined ? loneScore(set, only, reader) : severalScore(set, tokens, reader);
}

/** Scores rows by last and first name. */
export function rolesScore(asked: RoleQuery, reader: OwnerReader): RowScore {
  const scoreOf = ownerRolesScorer(asked);
  return cachedByText(reader.textOf, (row) => Math.round((scoreOf(reader.names(row))?.score ?? 0) * 100));
}

/** Scores several tokens. A row whose tokens are its only name is not parsed. */
function severalScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const scoreOf = listScore(tokens);
  const ofNames = cachedByText(reader.textOf, (row) => {
    const persons = reader.hasPersons(row) ? reader.names(row).map(({text}) => text) : [];
    const names = [...reader.lines(row), ...persons];
    return Math.max(0, ...names.map((name) => scoreOf(searchTokens(name).join("\n"))));
  });
  return (row) => {
    const score = scoreOf(column.at(row) ?? "");
    return score === 100 || reader.isOneName(row) ? score : Math.max(score, ofNames(row));
  };
}

/** Scores the stored tokens of a row, separated by line feeds, that has all tokens of the query. */
function listScore(tokens: readonly string[]): (list: string) => number {
  const wanted = tokens.join("\n");
  const sorted = [...tokens].sort().join("\n");
  const within = `\n${wanted}\n`;
  const mayBeSplit = tokens.some((token) => splitName.test(token));
  return (stored) => {
    const list = mayBeSplit ? stored.replace(storedParts, "$1$2$3") : stored;
    if (list === wanted) return 100;
    if (list.length === wanted.length && list.split("\n").sort().join("\n") === sorted) return 95;
    return `\n${list}\n`.includes(within) ? 90 : 80;
  };
}

/** Scores a single token: it is a whole name, or one word of a name. */
function loneScore(set: ParcelSet, token: string, reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const bytes = Buffer.from(token);
  const split = splitName.test(token) ? Buffer.from(token.replace(splitName, "$1\n$2\n$&")) : null;
  return (row) => {
    if (column.equals(row, bytes) || (split !== null && column.equals(row, split))) return 100;
    if (reader.isOneName(row) || !reader.mayStandAlone(row, token)) return 90;
    if (reader.hasPersons(row) && reader.names(row).some(({text}) => text === token)) return 100;
    const lines = reader.lines(row);
    return lines.length > 1 && lines.some((line) => searchTokens(line).join(" ") === token) ? 100 : 90;
  };
}

/** Caches scores by text, because owners printed alike score alike. */
function cachedByText(textOf: (row: number) => string, scoreOf: RowScore): RowScore {
  const scores = new Map<string, number>();
  return (row) => {
    const text = textOf(row);
    const known = scores.get(text);
    if (known !== undefined) return known;
    const score = scoreOf(row);
    if (scores.size >= maxCachedScores) scores.clear();
    scores.set(text, score);
    return score;
  };
}
