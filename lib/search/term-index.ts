import type {Data, Utf8} from "apache-arrow";
import {UserError} from "../errors.ts";
import {openBatches} from "../storage/arrow-table/batches.ts";
import {type FileTextColumn, type TextColumn, textColumn} from "../storage/arrow-table/text-column.ts";
import {type BlockGuard, guardOf} from "../storage/block-guard.ts";
import {nearTerms, type PairStretch, type SortedTerms, type Stretch, termLetters} from "./near-terms.ts";

export {writeTermIndex} from "../storage/arrow-file/write-terms.ts";

/**
 * Sorted terms ─▶ rows, read in place. Row lists are views of the mapped file, which must be read soon and never kept,
 * written or given to an answer; who reads their entries checks them by `checkEntries`.
 */
export type TermIndex = {
  /** The number of terms; they are numbered in the order of their bytes. */
  readonly terms: number;
  /** The rows of exactly this term, ascending; empty when no row has it. */
  find(term: string): Uint32Array;
  /** The terms that begin with `prefix`, that one included. */
  begun(prefix: string): Stretch;
  /** The numbers of the terms one edit away from a token: a letter dropped, added or replaced, or two neighbours swapped. */
  near(token: string): number[];
  /** The term of a number. Throws a RangeError beyond `terms`. */
  termAt(number: number): string;
  /** The rows of a term, ascending. Throws a RangeError beyond `terms`. */
  rowsAt(number: number): Uint32Array;
  /** The rows of all terms of a stretch, term after term, so that a row may come more than once. */
  rowsOf(stretch: Stretch): Uint32Array[];
};

type Lists = {
  readonly guard: BlockGuard | null;
  readonly start: number;
  readonly terms: number;
  readonly offsets: Int32Array;
  readonly rows: Uint32Array;
};

/** Indexes with fewer terms are searched without pairs of letters. */
const fewestPaired = 1_000;

/** Opens a term index in place. Throws a `UserError` that begins with `name` when the bytes are not one. */
export function openTermIndex(buffer: ArrayBuffer, name = "term index"): TermIndex {
  const batches = openBatches(buffer, name);
  const {locator, rows: terms} = batches;
  const text = textColumn(batches.column("term"), locator, terms);
  const lists = batches.column("rows").map((data, i) => listsOf(data, locator.starts[i] ?? 0, name));
  let pairs: PairStretch | null = null;
  let copied: SortedTerms | null = null;
  const rowsAt = (number: number): Uint32Array => {
    const list = lists[locator.batchOf(number)];
    if (list === undefined || number >>> 0 !== number || number >= terms)
      throw new RangeError(`no term ${number} of ${terms}`);
    const index = number - list.start;
    checkOffsets(list, index);
    return list.rows.subarray(list.offsets[index], list.offsets[index + 1]);
  };
  return {
    terms,
    termAt: (number) => text.at(number) ?? "",
    rowsAt,
    rowsOf: (stretch) => lists.flatMap((list) => rowsOfStretch(list, stretch)),
    find(term) {
      const bytes = Buffer.from(term, "utf8");
      const number = text.firstFrom(bytes);
      return number < terms && text.equals(number, bytes) ? rowsAt(number) : new Uint32Array(0);
    },
    begun(prefix) {
      const bytes = Buffer.from(prefix, "utf8");
      const from = text.firstFrom(bytes);
      return {from, to: endOfBegun(text, bytes, from)};
    },
    near(token) {
      if (terms >= fewestPaired) pairs ??= pairStretches(text);
      copied ??= sortedTerms(batches.column("term"), terms);
      return nearTerms(copied, token, pairs);
    },
  };
}

/**
 * A copy of the terms, without their rows. A search for edits reads most of them in a thousand places: to check these each time would
 * double its cost, and a state has about 12 bytes for each of some hundred thousand terms.
 */
function sortedTerms(batches: readonly Data[], terms: number): SortedTerms {
  const offsets = new Int32Array(terms + 1);
  const texts: Uint8Array[] = [];
  let [term, end] = [0, 0];
  for (const {length, valueOffsets, values} of batches as readonly Data<Utf8>[]) {
    for (const {buffer, byteOffset, byteLength} of [valueOffsets, values])
      guardOf(buffer)?.range(byteOffset, byteOffset + byteLength);
    const [from, to] = [valueOffsets[0]!, valueOffsets[length]!];
    for (let i = 0; i < length; i++) offsets[term++] = end + valueOffsets[i]! - from;
    texts.push(values.subarray(from, to));
    end += to - from;
  }
  offsets[term] = end;
  const bytes = Buffer.concat(texts, end);
  return {
    terms,
    letterAt(number, at) {
      const place = offsets[number]! + at;
      return place < offsets[number + 1]! ? bytes[place]! : -1;
    },
    compare(number, skip, key, from) {
      const end = offsets[number + 1]!;
      let place = offsets[number]! + skip;
      let i = from;
      for (; place < end && i < key.length; place++, i++) {
        const difference = bytes[place]! - key[i]!;
        if (difference !== 0) return difference;
      }
      return Number(place < end) - Number(i < key.length);
    },
  };
}

function checkOffsets({guard, offsets}: Lists, from: number, to = from + 1): void {
  guard?.range(offsets.byteOffset + from * 4, offsets.byteOffset + from * 4 + 4);
  guard?.range(offsets.byteOffset + to * 4, offsets.byteOffset + to * 4 + 4);
}

/** The end of the terms from `from` on that begin with a prefix. Mostly they are few, so doubling steps find it soon. */
function endOfBegun(text: TextColumn, prefix: Uint8Array, from: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < text.rows && text.startsWith(high, prefix); step *= 2) {
    low = high + 1;
    high = Math.min(text.rows, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (text.startsWith(middle, prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The stretches of terms by their first two letters: two numbers for each of 1,296 pairs. */
function pairStretches(text: FileTextColumn): PairStretch {
  const placeOf = new Uint8Array(256);
  const stretches = [...termLetters].map((first, place) => {
    placeOf[first] = place;
    return [...termLetters].map((second) => ({
      from: text.firstFrom(Uint8Array.of(first, second)),
      to: text.firstFrom(Uint8Array.of(first, second + 1)),
    }));
  });
  return (first, second) => stretches[placeOf[first]!]![placeOf[second]!]!;
}

function rowsOfStretch(list: Lists, {from, to}: Stretch): Uint32Array[] {
  const {start, terms, offsets, rows} = list;
  const first = Math.max(from - start, 0);
  const last = Math.min(to - start, terms);
  if (first >= last) return [];
  checkOffsets(list, first, last);
  return [rows.subarray(offsets[first], offsets[last])];
}

function listsOf(data: Data, start: number, name: string): Lists {
  const rows = data.children[0]?.values;
  if (!(rows instanceof Uint32Array)) throw new UserError(`${name}: column "rows" is not list<uint32>.`);
  const offsets = data.valueOffsets as Int32Array;
  return {guard: guardOf(offsets.buffer), start, terms: data.length, offsets, rows};
}
