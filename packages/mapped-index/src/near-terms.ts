/** Sorted, unique terms of A to Z and 0 to 9, read in place. */
export type SortedTerms = {
  readonly terms: number;
  /** The character code at a position of a term; -1 past its end. */
  letterAt(number: number, at: number): number;
  /**
   * Compares a term from letter `skip` on with `key` from letter `from` on: negative when before, 0 when
   * equal, positive when after.
   */
  compare(number: number, skip: number, key: Uint8Array, from: number): number;
};

/** A range of term numbers, `to` excluded. */
export type TermRange = {readonly from: number; readonly to: number};

/** The terms that begin with two letters, given as character codes. */
export type PairRanges = (first: number, second: number) => TermRange;

/** The character codes that terms consist of. */
export const termLetters: Uint8Array = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Ranges up to this size are scanned, which is faster than searching them for edits. */
const fewTerms = 12;
/** Tokens whose edits at the first two letters can be found through the letter pairs. */
const paired = /^[0-9A-Z]{4,}$/;

/**
 * Numbers of the terms at edit distance one from a token: a letter dropped, added or replaced, or two
 * neighbours swapped.
 *
 * Terms that share the letters before the edit are adjacent. At each position the search tries every letter
 * that the terms have there and finds the rest of the key by binary search, until the range is small enough
 * to scan. `pairs` gives the range of each letter pair, which saves most of the binary searches.
 */
export function nearTerms(terms: SortedTerms, token: string, pairs: PairRanges | null = null): number[] {
  const key = Buffer.from(token, "utf8");
  const search = new TermSearch(terms, key);
  const [at, {from, to}] =
    pairs !== null && paired.test(token)
      ? [2, editFirstLetters(search, key, pairs)]
      : [0, {from: 0, to: terms.terms}];
  editFrom(search, key, {at, from, to});
  return search.found;
}

/** Searches ranges of the sorted terms for edits of one key, and collects the numbers of the terms found. */
class TermSearch {
  readonly terms: SortedTerms;
  readonly found: number[] = [];
  readonly #key: Uint8Array;

  constructor(terms: SortedTerms, key: Uint8Array) {
    this.terms = terms;
    this.#key = key;
  }

  /** Collects a term once. */
  keep(number: number): void {
    if (!this.found.includes(number)) this.found.push(number);
  }

  /** Collects the term of a range whose letters from `skip` on equal those of the key from `rest` on. */
  keepRest(from: number, to: number, skip: number, rest: number): void {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.terms.compare(middle, skip, this.#key, rest);
      if (order === 0) {
        this.keep(middle);
        return;
      }
      if (order < 0) low = middle + 1;
      else high = middle;
    }
  }

  /** The number after the last term of a range whose letter at position `at` is at most `letter`. */
  after(from: number, to: number, at: number, letter: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.terms.letterAt(middle, at) <= letter) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Collects the terms with an edit at the first or second letter, and returns the range of terms that share
 * both.
 */
function editFirstLetters(search: TermSearch, key: Uint8Array, pairs: PairRanges): TermRange {
  const [first, second, third] = [key[0]!, key[1]!, key[2]!];
  const keep = ({from, to}: TermRange, rest: number) => search.keepRest(from, to, 2, rest);
  for (const letter of termLetters) {
    if (letter !== first) {
      keep(pairs(letter, second), 2);
      keep(pairs(letter, first), 1);
    }
    const {from, to} = pairs(first, letter);
    if (letter !== second && from < to) editTo(search, key, {from, to, at: 1, letter});
  }
  if (first !== second) {
    keep(pairs(second, third), 3);
    keep(pairs(second, first), 2);
  }
  return pairs(first, second);
}

type EditRange = TermRange & {readonly at: number};

/**
 * Collects the terms with an edit at position `at` or later, from a range whose terms all begin with the
 * key's first `at` letters.
 */
function editFrom(search: TermSearch, key: Uint8Array, first: EditRange): void {
  let {at, from, to} = first;
  for (; to - from > fewTerms && at < key.length; at++) {
    editAt(search, key, {from, to, at});
    from = search.after(from, to, at, key[at]! - 1);
    to = search.after(from, to, at, key[at]!);
  }
  if (to - from > fewTerms) editAt(search, key, {from, to, at});
  else for (; from < to; from++) if (isNear(search.terms, from, {key, at})) search.keep(from);
}

/** Collects the terms of a range with an edit at position `at`, one letter of the terms at a time. */
function editAt(search: TermSearch, key: Uint8Array, {from: first, to, at}: EditRange): void {
  let from = first;
  if (search.terms.letterAt(from, at) < 0) {
    if (at === key.length - 1) search.keep(from);
    from += 1;
  }
  while (from < to) {
    const letter = search.terms.letterAt(from, at);
    const end = search.after(from, to, at, letter);
    if (letter !== key[at]) editTo(search, key, {from, to: end, at, letter});
    from = end;
  }
}

/**
 * Collects the terms with an edit at position `at`, from a range whose terms all have there a `letter` other
 * than the key's.
 */
function editTo(
  search: TermSearch,
  key: Uint8Array,
  {from, to, at, letter}: EditRange & {readonly letter: number},
): void {
  // The key's letter is replaced.
  if (at < key.length) search.keepRest(from, to, at + 1, at + 1);
  // A letter is added before the key's.
  search.keepRest(from, to, at + 1, at);
  if (letter !== key[at + 1]) return;
  // The key's letter is dropped.
  search.keepRest(from, to, at + 1, at + 2);
  // The two neighbours are swapped.
  const swapped = search.after(from, to, at + 1, key[at]! - 1);
  search.keepRest(swapped, search.after(swapped, to, at + 1, key[at]!), at + 2, at + 2);
}

/** True for a term at edit distance one; it must begin with the key's first `at` letters. */
function isNear(terms: SortedTerms, number: number, {key, at}: {key: Uint8Array; at: number}): boolean {
  let i = at;
  while (i < key.length && terms.letterAt(number, i) === key[i]) i++;
  const letter = terms.letterAt(number, i);
  if (i < key.length && terms.compare(number, i, key, i + 1) === 0) return true;
  if (letter < 0) return false;
  if (terms.compare(number, i + 1, key, i) === 0) return true;
  if (i === key.length) return false;
  if (terms.compare(number, i + 1, key, i + 1) === 0) return true;
  const isSwapped = letter === key[i + 1] && terms.letterAt(number, i + 1) === key[i];
  return isSwapped && terms.compare(number, i + 2, key, i + 2) === 0;
}
