import {scoreOwner} from "../owner/owner-score.ts";
import {ownerTokens} from "../owner/owner-tokens.ts";
import type {ParcelSet} from "../parcel-artifacts.ts";
import {intersect} from "../term-index.ts";
import {misspeltRows} from "./misspelt-terms.ts";
import type {OwnerReader} from "./owner-names.ts";
import {unitedRows, withoutRows} from "./row-lists.ts";

/** Rows of one score, ascending; hundredths from 100 (equal) down to 60 (one letter off). */
export type OwnerTiers = ReadonlyMap<number, ArrayLike<number>>;

const shortestPrefix = 3;
const shortestMisspelt = 5;
/** Terms that begin with the last token; more would be no name. */
const mostTerms = 100_000;

/**
 * All rows whose owner fits the tokens of a query, by score (`parcels.md` section 7, "Owner"). What is only begun or misspelt follows
 * from the term lists; rows that have every token are scored one by one.
 */
export function ownerTiers(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): OwnerTiers {
  const lists = tokens.map((token) => set.owners.find(token));
  const [only, second] = lists;
  const whole =
    only !== undefined && second === undefined ? only : intersect(lists, Number.POSITIVE_INFINITY);
  const begun = withoutRows(begunRows(set, tokens, lists), whole);
  const misspelt = withoutRows(withoutRows(misspeltUnion(set, tokens, lists), whole), begun);
  return new Map([...wholeTiers(whole, wholeScore(set, tokens, reader)), [70, begun], [60, misspelt]]);
}

/** Rows by the score of each. */
function wholeTiers(rows: ArrayLike<number>, scoreOf: (row: number) => number): Map<number, number[]> {
  const tiers = new Map<number, number[]>();
  let last = {score: -1, rows: [] as number[]};
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const score = scoreOf(row);
    if (score !== last.score) {
      last = {score, rows: tiers.get(score) ?? []};
      tiers.set(score, last.rows);
    }
    last.rows.push(row);
  }
  return tiers;
}

function begunRows(
  set: ParcelSet,
  tokens: readonly string[],
  lists: readonly Uint32Array[],
): Iterable<number> {
  const last = tokens.at(-1) ?? "";
  if (last.length < shortestPrefix) return [];
  const terms = set.owners.prefix(last, mostTerms).filter(({term}) => term !== last);
  return rowsWithOthers(
    set,
    lists.slice(0, -1),
    terms.map(({rows}) => rows),
  );
}

function misspeltUnion(
  set: ParcelSet,
  tokens: readonly string[],
  lists: readonly Uint32Array[],
): Iterable<number> {
  const found = tokens.flatMap((token, at) => {
    const others = lists.filter((_, other) => other !== at);
    if (token.length < shortestMisspelt || others.some((list) => list.length === 0)) return [];
    return [Uint32Array.from(rowsWithOthers(set, others, misspeltRows(set.owners, token)))];
  });
  return unitedRows(found, set.parcels.rows);
}

/** Rows of any of the lists that are also in each of the others. */
function rowsWithOthers(
  set: ParcelSet,
  others: readonly Uint32Array[],
  lists: readonly Uint32Array[],
): Iterable<number> {
  const united = unitedRows(lists, set.parcels.rows);
  return others.length === 0 ? united : intersect([united, ...others], Number.POSITIVE_INFINITY);
}

/** Score, in hundredths, of a row that has all tokens. Where the row's tokens are its one name, nothing is parsed. */
function wholeScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): (row: number) => number {
  const [only = "", second] = tokens;
  if (second === undefined) return loneScore(set, only, reader);
  const column = set.parcels.text("owner_tokens");
  return (row) => {
    const persons = reader.hasPersons(row) ? reader.names(row).map(({text}) => text) : [];
    const names = reader.isOneName(row) ? [] : [...reader.lines(row), ...persons];
    const match = scoreOwner(tokens, {tokens: (column.at(row) ?? "").split("\n"), names});
    return Math.round((match?.score ?? 0.8) * 100);
  };
}

/** A single token is a whole name, or one word of a name: contiguous, and nothing between. */
function loneScore(set: ParcelSet, token: string, reader: OwnerReader): (row: number) => number {
  const column = set.parcels.text("owner_tokens");
  const bytes = Buffer.from(token);
  return (row) => {
    if (column.compare(row, bytes) === 0) return 100;
    if (reader.isOneName(row) || !reader.mayStandAlone(row, token)) return 90;
    if (reader.hasPersons(row) && reader.names(row).some(({text}) => text === token)) return 100;
    const lines = reader.lines(row);
    return lines.length > 1 && lines.some((line) => ownerTokens(line).join(" ") === token) ? 100 : 90;
  };
}
