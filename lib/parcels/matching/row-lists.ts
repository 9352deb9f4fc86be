import {type BlockGuard, checkEntries, guardOf} from "@open-cattle/mapped-index";
import type {Steps} from "./yield-to-loop.ts";

/**
 * Lists whose total length is below this fraction of all rows are sorted; longer ones are marked in a bitmap.
 */
const sparseShare = 64;
/** Rows read between two yields. */
const stepRows = 16_384;
const noRows = new Uint32Array(0);

/**
 * Intersects ascending lists; without lists the result is empty. The shortest list drives a galloping search
 * in the others, so the cost follows the shortest.
 */
export function* commonRows(lists: readonly Uint32Array[]): Steps<Uint32Array> {
  const [shortest = noRows, ...others] = [...lists].sort((a, b) => a.length - b.length);
  if (others.length === 0) checkEntries(shortest);
  let common = shortest;
  for (const list of others) common = yield* rowsAlsoIn(common, list);
  return common;
}

/** The rows of an ascending list that are in another one too. */
function* rowsAlsoIn(rows: Uint32Array, others: Uint32Array): Steps<Uint32Array> {
  // Short lists share one buffer, because allocating an array for each would take most of the time.
  const isShort = rows.length <= stepRows;
  const commonRows = isShort ? shortList : new Uint32Array(rows.length);
  const isSparse = rows.length * sparseLists < others.length;
  const guard = guardOf(others.buffer);
  let count = 0;
  let at = 0;
  for (let start = 0; start < rows.length; start += stepRows) {
    if (start > 0) yield;
    const end = Math.min(rows.length, start + stepRows);
    checkEntries(rows, start, end);
    if (isSparse) guessPlaces(rows, {from: start, to: end}, others);
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      at = isSparse ? placeNear(others, guessed[i - start]!, row) : placeNear(others, at, row);
      if (guard !== null) checkPlace(guard, others, at);
      if (others[at] === row) commonRows[count++] = row;
    }
  }
  return isShort ? commonRows.slice(0, count) : commonRows.subarray(0, count);
}

/**
 * In a list this many times as long, each row's position is interpolated; otherwise the search starts at the
 * previous row's.
 */
const sparseLists = 16;
const guessed = new Uint32Array(stepRows);
const shortList = new Uint32Array(stepRows);

/**
 * Estimates the positions of rows in a list by interpolation. A word's rows are spread over a state, so their
 * density gives a close guess, and a second guess from there is nearly exact. Each pass does all its reads at
 * once, which the CPU overlaps, because a long list is not in the cache.
 */
function guessPlaces(rows: Uint32Array, {from, to}: {from: number; to: number}, list: Uint32Array): void {
  const last = list.length - 1;
  const first = list[0]!;
  const density = last / Math.max(list[last]! - first, 1);
  for (let i = from; i < to; i++) {
    const place = Math.trunc((rows[i]! - first) * density);
    guessed[i - from] = Math.min(Math.max(place, 0), last);
  }
  for (let i = from; i < to; i++) {
    const guess = guessed[i - from]!;
    const place = Math.trunc(guess + (rows[i]! - list[guess]!) * density);
    guessed[i - from] = Math.min(Math.max(place, 0), last);
  }
}

/** Verifies the two neighbours of a search result: they decide it, because the list is sorted. */
function checkPlace(guard: BlockGuard, {byteOffset, length}: Uint32Array, at: number): void {
  guard.range(byteOffset + Math.max(at - 1, 0) * 4, byteOffset + Math.min(at + 1, length) * 4);
}

/** The first position whose row is at least `row`, by galloping search from a nearby position. */
function placeNear(list: Uint32Array, at: number, row: number): number {
  return at < list.length && list[at]! < row ? placeAfter(list, at, row) : placeBefore(list, at, row);
}

/** Searches after `at`, whose row is less than `row`. */
function placeAfter(list: Uint32Array, at: number, row: number): number {
  let low = at + 1;
  let high = low;
  for (let step = 1; high < list.length && list[high]! < row; step *= 2) {
    low = high + 1;
    high += step;
  }
  return binarySearch(list, low, Math.min(high, list.length), row);
}

/** Searches at `at`, whose row is at least `row`, and before it. */
function placeBefore(list: Uint32Array, at: number, row: number): number {
  let high = at;
  let low = at - 1;
  for (let step = 1; low >= 0 && list[low]! >= row; step *= 2) {
    high = low;
    low -= step;
  }
  return binarySearch(list, Math.max(low + 1, 0), high, row);
}

function binarySearch(list: Uint32Array, from: number, to: number, row: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The union of lists, ascending and unique; `rows` is the number of all rows. The lists may be unsorted. The
 * cost depends on their total length, not on their number.
 */
export function* unionOfRows(lists: readonly Uint32Array[], rows: number): Steps<Uint32Array> {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  if (length === 0) return noRows;
  if (length * sparseShare < rows) return sortedUnion(lists, length);
  const marks = yield* rowBitmap(lists, rows);
  return yield* rowsOfBitmap(marks);
}

/** Removes the rows of one ascending list from another. */
export function withoutRows(rows: Uint32Array, others: Uint32Array): Uint32Array {
  if (rows.length === 0 || others.length === 0) return rows;
  const isShort = rows.length <= stepRows;
  const remainingRows = isShort ? shortList : new Uint32Array(rows.length);
  let count = 0;
  let at = 0;
  checkEntries(rows);
  checkEntries(others);
  for (const row of rows) {
    at = placeNear(others, at, row);
    if (others[at] !== row) remainingRows[count++] = row;
  }
  return isShort ? remainingRows.slice(0, count) : remainingRows.subarray(0, count);
}

function sortedUnion(lists: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const list of lists) {
    checkEntries(list);
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  let kept = 0;
  for (const row of all) if (kept === 0 || all[kept - 1] !== row) all[kept++] = row;
  return all.subarray(0, kept);
}

/** A bitmap of the rows in the lists: bit `row & 31` of word `row >>> 5`. */
export function* rowBitmap(lists: readonly Uint32Array[], rows: number): Steps<Uint32Array> {
  const marks = new Uint32Array((rows + 31) >>> 5);
  for (const list of lists) {
    for (let start = 0; start < list.length; start += stepRows) {
      const end = Math.min(list.length, start + stepRows);
      checkEntries(list, start, end);
      for (let i = start; i < end; i++) marks[list[i]! >>> 5]! |= 1 << (list[i]! & 31);
      if (end - start === stepRows) yield;
    }
  }
  return marks;
}

function* rowsOfBitmap(marks: Uint32Array): Steps<Uint32Array> {
  let count = 0;
  for (const word of marks) count += bitsOf(word);
  yield;
  const rows = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < marks.length; word++) {
    if (word % stepRows === stepRows - 1) yield;
    for (let bits = marks[word]!; bits !== 0; bits &= bits - 1)
      rows[at++] = word * 32 + 31 - Math.clz32(bits & -bits);
  }
  return rows;
}

/** Number of set bits in a 32-bit word. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
