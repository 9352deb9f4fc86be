import {FileFault} from "@open-cattle/safe-files";
import type {Data, Utf8} from "apache-arrow";
import {openBatches} from "./batches.ts";
import {type BlockGuard, guardOf} from "./block-guard.ts";
import {nearTerms, type PairRanges, type SortedTerms, type TermRange, termLetters} from "./near-terms.ts";
import {type FileTextColumn, type TextColumn, textColumn} from "./text-column.ts";

/**
 * Sorted terms ─▶ rows, read in place. Row lists are views of the mapped file: read them soon, and never keep
 * them, write to them or put them into an answer. Readers check the entries with `checkEntries`.
 */
export type TermIndex = {
  /** The number of terms; terms are numbered in byte order. */
  readonly terms: number;
  /** The rows of exactly this term, ascending; empty when no row has it. */
  find(term: string): Uint32Array;
  /** The terms that begin with `prefix`, including `prefix` itself. */
  withPrefix(prefix: string): TermRange;
  /**
   * The numbers of the terms at edit distance one: a letter dropped, added or replaced, or two neighbours
   * swapped.
   */
  near(token: string): number[];
  /** The term with a number. Throws a RangeError beyond `terms`. */
  termAt(number: number): string;
  /** The rows of a term, ascending. Throws a RangeError beyond `terms`. */
  rowsAt(number: number): Uint32Array;
  /** The rows of a range of terms, term after term; a row may repeat. */
  rowsOf(range: TermRange): Uint32Array[];
};

type Lists = {
  readonly guard: BlockGuard | null;
  readonly start: number;
  readonly terms: number;
  readonly offsets: Int32Array;
  readonly rows: Uint32Array;
};

/** Smaller indexes are searched without the table of letter pairs. */
const minTermsForPairs = 1_000;

/**
 * Opens a term index in place: an Arrow file with the columns `term` (utf8, sorted by bytes, unique) and
 * `rows` (list<uint32>, ascending). Throws a `FileFault` that begins with `name` when the bytes are not one.
 */
export function openTermIndex(buffer: ArrayBuffer, name = "term index"): TermIndex {
  const batches = openBatches(buffer, name);
  const {locator, rows: terms} = batches;
  const text = textColumn(batches.column("term"), locator, terms);
  const lists = batches.column("rows").map((data, i) => listsOf(data, locator.starts[i] ?? 0, name));
  let pairs: PairRanges | null = null;
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
    rowsOf: (range) => lists.flatMap((list) => rowsOfRange(list, range)),
    find(term) {
      const bytes = Buffer.from(term, "utf8");
      const number = text.lowerBound(bytes);
      return number < terms && text.equals(number, bytes) ? rowsAt(number) : new Uint32Array(0);
    },
    withPrefix(prefix) {
      const bytes = Buffer.from(prefix, "utf8");
      const from = text.lowerBound(bytes);
      return {from, to: endOfPrefix(text, bytes, from)};
    },
    near(token) {
      if (terms >= minTermsForPairs) pairs ??= pairRanges(text);
      copied ??= sortedTerms(batches.column("term"), terms);
      return nearTerms(copied, token, pairs);
    },
  };
}

/**
 * Copies the terms, without their rows. A search for edits reads them in a thousand places, and checking each
 * read would double its cost; some hundred thousand terms of about 12 bytes are few megabytes.
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

/**
 * The end of the terms from `from` on that begin with a prefix. Usually there are few, so galloping search
 * finds it fast.
 */
function endOfPrefix(text: TextColumn, prefix: Uint8Array, from: number): number {
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

/** The ranges of terms by their first two letters: two numbers for each of 1,296 pairs. */
function pairRanges(text: FileTextColumn): PairRanges {
  const placeOf = new Uint8Array(256);
  const ranges = [...termLetters].map((first, place) => {
    placeOf[first] = place;
    return [...termLetters].map((second) => ({
      from: text.lowerBound(Uint8Array.of(first, second)),
      to: text.lowerBound(Uint8Array.of(first, second + 1)),
    }));
  });
  return (first, second) => ranges[placeOf[first]!]![placeOf[second]!]!;
}

function rowsOfRange(list: Lists, {from, to}: TermRange): Uint32Array[] {
  const {start, terms, offsets, rows} = list;
  const first = Math.max(from - start, 0);
  const last = Math.min(to - start, terms);
  if (first >= last) return [];
  checkOffsets(list, first, last);
  return [rows.subarray(offsets[first], offsets[last])];
}

function listsOf(data: Data, start: number, name: string): Lists {
  const rows = data.children[0]?.values;
  if (!(rows instanceof Uint32Array)) throw new FileFault(`${name}: column "rows" is not list<uint32>.`);
  const offsets = data.valueOffsets as Int32Array;
  return {guard: guardOf(offsets.buffer), start, terms: data.length, offsets, rows};
}
