import type {Data} from "apache-arrow";
import {openBatches} from "./arrow-table/batches.ts";
import {lowerBound} from "./arrow-table/search.ts";
import {textColumn} from "./arrow-table/text-column.ts";
import {UserError} from "./errors.ts";

export {type TermIndexRequest, type TermIndexSize, writeTermIndex} from "./arrow-file/write-terms.ts";

/** A term and the rows that have it, ascending. */
export type TermRows = {readonly term: string; readonly rows: Uint32Array};

/**
 * Sorted terms ─▶ rows, read in place. The row lists are views of the mapped file: to be read at once, never kept, written or
 * handed to an answer.
 */
export type TermIndex = {
  /** How many terms there are; they are numbered in the order of their bytes. */
  readonly terms: number;
  /** Rows of exactly this term, ascending; empty when no row has it. */
  find(term: string): Uint32Array;
  /** The first terms that begin with `prefix`, in order. */
  prefix(prefix: string, limitTerms: number): TermRows[];
  /** Number of the first term that is not before `term`. */
  firstFrom(term: string): number;
  /** Term by number. Throws RangeError beyond `terms`. */
  termAt(number: number): string;
  rowsAt(number: number): Uint32Array;
};

type Lists = {readonly start: number; readonly offsets: Int32Array; readonly rows: Uint32Array};

/** Opens a term index in place; `name` stands in messages. Throws `UserError` when the bytes are not one. */
export function openTermIndex(buffer: ArrayBuffer, name = "term index"): TermIndex {
  const batches = openBatches(buffer, name);
  const {locator, rows: terms} = batches;
  const text = textColumn(batches.column("term"), locator, terms);
  const lists = batches.column("rows").map((data, i) => listsOf(data, locator.starts[i] ?? 0, name));
  const rowsAt = (number: number): Uint32Array => {
    const list = lists[locator.batchOf(number)];
    if (list === undefined || number >>> 0 !== number || number >= terms)
      throw new RangeError(`no term ${number} of ${terms}`);
    const index = number - list.start;
    return list.rows.subarray(list.offsets[index], list.offsets[index + 1]);
  };
  const termAt = (number: number): string => text.at(number) ?? "";
  return {
    terms,
    termAt,
    rowsAt,
    firstFrom: (term) => lowerBound(text, Buffer.from(term, "utf8")),
    find(term) {
      const bytes = Buffer.from(term, "utf8");
      const number = lowerBound(text, bytes);
      return number < terms && text.compare(number, bytes) === 0 ? rowsAt(number) : new Uint32Array(0);
    },
    prefix(prefix, limitTerms) {
      const bytes = Buffer.from(prefix, "utf8");
      const found: TermRows[] = [];
      for (let i = lowerBound(text, bytes); i < terms && found.length < limitTerms; i++) {
        if (!text.startsWith(i, bytes)) break;
        found.push({term: termAt(i), rows: rowsAt(i)});
      }
      return found;
    },
  };
}

/**
 * Rows that are in every list, ascending, at most `limit`. The shortest list leads and the others are searched by galloping:
 * the cost follows the shortest list, or `limit` (in full, half a million and a million rows take 15 ms: pass a limit).
 */
export function intersect(lists: readonly Uint32Array[], limit: number): number[] {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const common: number[] = [];
  if (shortest === undefined) return common;
  const at = others.map(() => 0);
  for (let i = 0; i < shortest.length && common.length < limit; i++) {
    const row = shortest[i]!;
    const isCommon = others.every((list, k) => {
      at[k] = gallop(list, at[k]!, row);
      return list[at[k]!] === row;
    });
    if (isCommon) common.push(row);
  }
  return common;
}

/** Rows that are in any of the lists, ascending, each once, at most `limit`. */
export function unite(lists: readonly Uint32Array[], limit: number): number[] {
  const at = lists.map(() => 0);
  const rows: number[] = [];
  while (rows.length < limit) {
    const next = Math.min(...lists.map((list, k) => list[at[k]!] ?? Number.POSITIVE_INFINITY));
    if (next === Number.POSITIVE_INFINITY) break;
    rows.push(next);
    lists.forEach((list, k) => {
      if (list[at[k]!] === next) at[k]! += 1;
    });
  }
  return rows;
}

/** First index from `from` on whose value is at least `row`: steps that double, then halving. */
function gallop(list: Uint32Array, from: number, row: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < list.length && list[high]! < row) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listsOf(data: Data, start: number, name: string): Lists {
  const rows = data.children[0]?.values;
  if (!(rows instanceof Uint32Array)) throw new UserError(`${name}: column "rows" is not list<uint32>.`);
  return {start, offsets: data.valueOffsets as Int32Array, rows};
}
