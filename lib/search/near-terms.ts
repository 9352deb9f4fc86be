/** Sorted, unique terms of A to Z and 0 to 9, whose letters are read in place. */
export type SortedTerms = {
  readonly terms: number;
  /** The code of a letter of a term; -1 after its end. */
  letterAt(number: number, at: number): number;
  /**
   * Compares a term from letter `skip` on with `key` from letter `from` on: negative when before, 0 when equal, positive
   * when after.
   */
  compare(number: number, skip: number, key: Uint8Array, from: number): number;
};

/** Neighbouring terms by number, from `from` up to but without `to`. */
export type Stretch = {readonly from: number; readonly to: number};

/** Gives the terms that begin with two letters, by their codes. */
export type PairStretch = (first: number, second: number) => Stretch;

/** The codes of all letters that terms have. */
export const termLetters: Uint8Array = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Up to this many terms are compared one by one, which is faster than a search for edits among them. */
const fewTerms = 12;
/** Tokens whose edits at the first two letters can be found by pairs of letters. */
const paired = /^[0-9A-Z]{4,}$/;

/**
 * Numbers of the terms that are one edit away from a token: a letter dropped, added, replaced, or two neighbours swapped.
 *
 * Terms that share the letters before the edit are neighbours. Place by place, each letter that such terms have at the place
 * of the edit is tried and the rest of the key is found by halving, until so few terms are left that they are compared one
 * by one. `pairs` gives the terms of the first two letters, on which most of the halving would be spent.
 */
export function nearTerms(terms: SortedTerms, token: string, pairs: PairStretch | null = null): number[] {
  const key = Buffer.from(token, "utf8");
  const search = new TermSearch(terms, key);
  const [at, {from, to}] =
    pairs !== null && paired.test(token)
      ? [2, editFirstLetters(search, key, pairs)]
      : [0, {from: 0, to: terms.terms}];
  editFrom(search, key, {at, from, to});
  return search.found;
}

/** Searches stretches of the sorted terms for edits of one key, and keeps the numbers of the terms that it finds. */
class TermSearch {
  readonly terms: SortedTerms;
  readonly found: number[] = [];
  readonly #key: Uint8Array;

  constructor(terms: SortedTerms, key: Uint8Array) {
    this.terms = terms;
    this.#key = key;
  }

  /** Keeps a term, unless it was kept before. */
  keep(number: number): void {
    if (!this.found.includes(number)) this.found.push(number);
  }

  /** Keeps the term of a stretch whose letters from `skip` on are those of the key from `rest` on. */
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

  /** The number after the last term of a stretch whose letter at place `at` is at most `letter`. */
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

/** Keeps the terms with an edit at the first or the second letter and gives the stretch of terms that share both. */
function editFirstLetters(search: TermSearch, key: Uint8Array, pairs: PairStretch): Stretch {
  const [first, second, third] = [key[0]!, key[1]!, key[2]!];
  const keep = ({from, to}: Stretch, rest: number) => search.keepRest(from, to, 2, rest);
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

type EditPlace = Stretch & {readonly at: number};

/**
 * Keeps the terms with an edit at place `at` or after it, from a stretch of terms that all begin with the key's first `at`
 * letters.
 */
function editFrom(search: TermSearch, key: Uint8Array, first: EditPlace): void {
  let {at, from, to} = first;
  for (; to - from > fewTerms && at < key.length; at++) {
    editAt(search, key, {from, to, at});
    from = search.after(from, to, at, key[at]! - 1);
    to = search.after(from, to, at, key[at]!);
  }
  if (to - from > fewTerms) editAt(search, key, {from, to, at});
  else for (; from < to; from++) if (isNear(search.terms, from, {key, at})) search.keep(from);
}

/** Keeps the terms of a stretch with an edit at place `at`, letter by letter of those that its terms have there. */
function editAt(search: TermSearch, key: Uint8Array, {from: first, to, at}: EditPlace): void {
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
 * Keeps the terms with an edit at place `at`, from a stretch of terms that all have `letter` there, which is not the key's.
 */
function editTo(
  search: TermSearch,
  key: Uint8Array,
  {from, to, at, letter}: EditPlace & {readonly letter: number},
): void {
  // The key's letter is replaced.
  if (at < key.length) search.keepRest(from, to, at + 1, at + 1);
  // The key has one letter more before it.
  search.keepRest(from, to, at + 1, at);
  if (letter !== key[at + 1]) return;
  // The key's letter is dropped, so that its neighbour follows.
  search.keepRest(from, to, at + 1, at + 2);
  // The two neighbours are swapped.
  const turned = search.after(from, to, at + 1, key[at]! - 1);
  search.keepRest(turned, search.after(turned, to, at + 1, key[at]!), at + 2, at + 2);
}

/** True for a term one edit away, which must begin with the key's first `at` letters. */
function isNear(terms: SortedTerms, number: number, {key, at}: {key: Uint8Array; at: number}): boolean {
  let i = at;
  while (i < key.length && terms.letterAt(number, i) === key[i]) i++;
  const letter = terms.letterAt(number, i);
  if (i < key.length && terms.compare(number, i, key, i + 1) === 0) return true;
  if (letter < 0) return false;
  if (terms.compare(number, i + 1, key, i) === 0) return true;
  if (i === key.length) return false;
  if (terms.compare(number, i + 1, key, i + 1) === 0) return true;
  const isTurned = letter === key[i + 1] && terms.letterAt(number, i + 1) === key[i];
  return isTurned && terms.compare(number, i + 2, key, i + 2) === 0;
}
