/** Terms of A to Z and 0 to 9, sorted, each once, whose letters are compared where they lie. */
export type SortedTerms = {
  readonly terms: number;
  /** Code of a letter of a term; -1 behind its end. */
  letterAt(number: number, at: number): number;
  /** Negative, 0 or positive as a term from `skip` on is before, equal to or after `key` from `from` on. */
  compare(number: number, skip: number, key: Uint8Array, from: number): number;
};

/** Neighbouring terms by number: `from` is the first, `to` the one behind the last. */
export type Stretch = {readonly from: number; readonly to: number};

/** The terms that begin with two letters (codes). */
export type PairStretch = (first: number, second: number) => Stretch;

/** Codes of the letters of terms. */
export const termLetters: Uint8Array = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** So few terms are read faster than edits are looked for among them. */
const fewTerms = 12;
/** Tokens whose edits at the first two letters can be looked for by pairs. */
const paired = /^[0-9A-Z]{4,}$/;

/**
 * Numbers of the terms that are one edit away from a token: a letter dropped, added, replaced, or two neighbours swapped.
 *
 * Terms that share the letters before the edit are a stretch of the sorted terms. For each letter that one of them has at the place of
 * the edit the rest is looked for by halving, until the stretch is short enough to be read through. `pairs` gives the stretches of the
 * first two letters, where else most of the halving would be done.
 */
export function nearTerms(terms: SortedTerms, token: string, pairs: PairStretch | null = null): number[] {
  const key = Buffer.from(token, "utf8");
  const search = termSearch(terms, key);
  const [at, {from, to}] =
    pairs !== null && paired.test(token)
      ? [2, editFirstLetters(search, key, pairs)]
      : [0, {from: 0, to: terms.terms}];
  editFrom(search, key, {at, from, to});
  return search.found;
}

/** What is looked for in a stretch of terms (from, to): numbers of what was found are kept, each once. */
type TermSearch = {
  readonly terms: SortedTerms;
  readonly found: number[];
  keep(number: number): void;
  /** Keeps the term that is, from `skip` on, what the key is from `rest` on. */
  keepRest(from: number, to: number, skip: number, rest: number): void;
  /** End of the terms that have this letter or one before it at a place. */
  behind(from: number, to: number, at: number, letter: number): number;
};

function termSearch(terms: SortedTerms, key: Uint8Array): TermSearch {
  const found: number[] = [];
  const keep = (number: number): void => {
    if (!found.includes(number)) found.push(number);
  };
  return {
    terms,
    found,
    keep,
    keepRest(from, to, skip, rest) {
      let low = from;
      let high = to;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const order = terms.compare(middle, skip, key, rest);
        if (order === 0) {
          keep(middle);
          return;
        }
        if (order < 0) low = middle + 1;
        else high = middle;
      }
    },
    behind(from, to, at, letter) {
      let low = from;
      let high = to;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (terms.letterAt(middle, at) <= letter) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** Keeps the terms with an edit at the first or the second letter; gives the stretch of those that have both. */
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

type Place = Stretch & {readonly at: number};

/** Keeps the terms of a stretch, all with the first `at` letters of the key, that have an edit at that place or behind it. */
function editFrom(search: TermSearch, key: Uint8Array, {at: first, ...stretch}: Place): void {
  let {from, to} = stretch;
  let at = first;
  for (; to - from > fewTerms && at < key.length; at++) {
    editAt(search, key, {from, to, at});
    from = search.behind(from, to, at, key[at]! - 1);
    to = search.behind(from, to, at, key[at]!);
  }
  if (to - from > fewTerms) editAt(search, key, {from, to, at});
  else for (; from < to; from++) if (isNear(search.terms, from, {key, at})) search.keep(from);
}

/** Keeps the terms of a stretch with an edit at a place, letter by letter of those that stand there. */
function editAt(search: TermSearch, key: Uint8Array, {from: first, to, at}: Place): void {
  let from = first;
  if (search.terms.letterAt(from, at) < 0) {
    if (at === key.length - 1) search.keep(from);
    from += 1;
  }
  while (from < to) {
    const letter = search.terms.letterAt(from, at);
    const end = search.behind(from, to, at, letter);
    if (letter !== key[at]) editTo(search, key, {from, to: end, at, letter});
    from = end;
  }
}

/** Keeps the terms of a stretch that all have `letter`, which is not the key's, at the place of the edit. */
function editTo(
  search: TermSearch,
  key: Uint8Array,
  {from, to, at, letter}: Place & {readonly letter: number},
): void {
  if (at < key.length) search.keepRest(from, to, at + 1, at + 1);
  search.keepRest(from, to, at + 1, at);
  if (letter !== key[at + 1]) return;
  search.keepRest(from, to, at + 1, at + 2);
  const turned = search.behind(from, to, at + 1, key[at]! - 1);
  search.keepRest(turned, search.behind(turned, to, at + 1, key[at]!), at + 2, at + 2);
}

/** True for a term one edit away, of which it is known that it begins like the key up to `at`. */
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
