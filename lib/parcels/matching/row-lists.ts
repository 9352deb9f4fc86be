import {type BlockGuard, checkEntries, guardOf} from "../../storage/block-guard.ts";
import type {Steps} from "./turns.ts";

/** Divisor of the number of all rows: lists that together have fewer rows are sorted, longer ones marked in a bit map. */
const sparseShare = 64;
/** Rows that are read in a step. */
const stepRows = 16_384;
const noRows = new Uint32Array(0);

/**
 * Gives the rows that are in every one of the ascending lists, ascending; without lists it gives no rows. The shortest
 * list leads, and the others are searched by steps that double and then halve, so the cost follows the shortest.
 */
export function* commonRows(lists: readonly Uint32Array[]): Steps<Uint32Array> {
  const [shortest = noRows, ...others] = [...lists].sort((a, b) => a.length - b.length);
  if (others.length === 0) checkEntries(shortest);
  let common = shortest;
  for (const list of others) common = yield* rowsAlsoIn(common, list);
  return common;
}

/** Gives the rows of an ascending list that are in another one too. */
function* rowsAlsoIn(rows: Uint32Array, others: Uint32Array): Steps<Uint32Array> {
  // A single step shares one array, because allocating an array for every short list would take most of the time.
  const isShort = rows.length <= stepRows;
  const kept = isShort ? shortList : new Uint32Array(rows.length);
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
      if (others[at] === row) kept[count++] = row;
    }
  }
  return isShort ? kept.slice(0, count) : kept.subarray(0, count);
}

/** In a list so many times as long, each row is searched by a guess of its place; else from the place of the row before. */
const sparseLists = 16;
const guessed = new Uint32Array(stepRows);
const shortList = new Uint32Array(stepRows);

/**
 * Guesses the places of rows in a list. The rows of a word are spread over a state, so their density gives a near guess,
 * and a second guess from there is nearly exact. Each pass reads all its places at once, which a processor does in
 * parallel, because a long list is in no cache.
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

/** Checks the two neighbours between which a search ended: they decide it, because the list is sorted. */
function checkPlace(guard: BlockGuard, {byteOffset, length}: Uint32Array, at: number): void {
  guard.range(byteOffset + Math.max(at - 1, 0) * 4, byteOffset + Math.min(at + 1, length) * 4);
}

/** Gives the first place whose row is at least `row`, found from a near place by steps that double. */
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
  return halved(list, low, Math.min(high, list.length), row);
}

/** Searches at `at`, whose row is at least `row`, and before it. */
function placeBefore(list: Uint32Array, at: number, row: number): number {
  let high = at;
  let low = at - 1;
  for (let step = 1; low >= 0 && list[low]! >= row; step *= 2) {
    high = low;
    low -= step;
  }
  return halved(list, Math.max(low + 1, 0), high, row);
}

function halved(list: Uint32Array, from: number, to: number, row: number): number {
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
 * Gives the rows that are in any of the lists, ascending and unique; `rows` is the number of all rows. The lists need no
 * order. The cost follows their length, however many there are.
 */
export function* unitedRows(lists: readonly Uint32Array[], rows: number): Steps<Uint32Array> {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  if (length === 0) return noRows;
  if (length * sparseShare < rows) return sortedUnion(lists, length);
  const marks = yield* markedRows(lists, rows);
  return yield* rowsOfMarks(marks);
}

/** Gives ascending rows without those of another ascending list. */
export function withoutRows(rows: Uint32Array, others: Uint32Array): Uint32Array {
  if (rows.length === 0 || others.length === 0) return rows;
  const isShort = rows.length <= stepRows;
  const left = isShort ? shortList : new Uint32Array(rows.length);
  let count = 0;
  let at = 0;
  checkEntries(rows);
  checkEntries(others);
  for (const row of rows) {
    at = placeNear(others, at, row);
    if (others[at] !== row) left[count++] = row;
  }
  return isShort ? left.slice(0, count) : left.subarray(0, count);
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

/** Gives one bit for each row, set for those of the lists: bit `row & 31` of word `row >>> 5`. */
export function* markedRows(lists: readonly Uint32Array[], rows: number): Steps<Uint32Array> {
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

function* rowsOfMarks(marks: Uint32Array): Steps<Uint32Array> {
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

/** Gives the number of set bits in a word of 32. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
