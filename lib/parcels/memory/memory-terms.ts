import {nearTerms, type SortedTerms, type TermIndex, type TermRange} from "@open-cattle/mapped-index";

/** Unique texts in byte order, found by binary search. */
type SortedTexts = {
  size(): number;
  at(place: number): string;
  add(text: string): void;
  remove(text: string): void;
  /** The range of the texts that begin with a prefix. */
  withPrefix(prefix: string): TermRange;
};

/** Up to this many new texts are inserted one by one; more are merged in a single pass. */
const fewTexts = 32;

/** Beyond U+D7FF the order of UTF-16 code units differs from that of UTF-8 bytes. */
const beyond = /[\uD800-\uFFFF]/;

/** A mutable term index in memory. */
export type MemoryTerms = {
  readonly index: TermIndex;
  /** Adds a row to a term; duplicates are ignored. Rows must arrive in row order. */
  add(term: string, row: number): void;
  remove(term: string, row: number): void;
};

const none = new Uint32Array(0);

export function createMemoryTerms(): MemoryTerms {
  const lists = new Map<string, number[]>();
  const views = new Map<string, Uint32Array>();
  const terms = createSortedTexts();
  const find = (term: string): Uint32Array => {
    const list = lists.get(term);
    if (list === undefined) return none;
    const view = views.get(term) ?? Uint32Array.from(list);
    views.set(term, view);
    return view;
  };
  return {
    add(term, row) {
      if (term === "") return;
      const list = lists.get(term) ?? [];
      if (list.at(-1) !== row) list.push(row);
      lists.set(term, list);
      views.delete(term);
      terms.add(term);
    },
    remove(term, row) {
      const left = (lists.get(term) ?? []).filter((each) => each !== row);
      views.delete(term);
      if (left.length > 0) lists.set(term, left);
      else {
        lists.delete(term);
        terms.remove(term);
      }
    },
    index: {
      get terms() {
        return terms.size();
      },
      find,
      withPrefix: (prefix) => terms.withPrefix(prefix),
      near: (token) => nearTerms(lettersOf(terms), token),
      termAt,
      rowsAt: (number) => find(termAt(number)),
      rowsOf: ({from, to}) => Array.from({length: to - from}, (_, i) => find(terms.at(from + i))),
    },
  };

  function termAt(number: number): string {
    if (number >>> 0 !== number || number >= terms.size())
      throw new RangeError(`no term ${number} of ${terms.size()}`);
    return terms.at(number);
  }
}

function lettersOf(texts: SortedTexts): SortedTerms {
  const letterAt = (number: number, at: number): number => {
    const text = texts.at(number);
    return at < text.length ? text.charCodeAt(at) : -1;
  };
  return {
    terms: texts.size(),
    letterAt,
    compare(number, skip, key, from) {
      for (let at = 0; ; at++) {
        const [letter, wanted] = [letterAt(number, skip + at), key[from + at] ?? -1];
        if (letter !== wanted || letter < 0) return letter - wanted;
      }
    },
  };
}

/**
 * Creates an empty list. Additions are sorted in at the next read, so that a batch of them costs no more than
 * one.
 */
export function createSortedTexts(): SortedTexts {
  let texts: string[] = [];
  const added = new Set<string>();

  function settle(): void {
    if (added.size === 0) return;
    if (added.size <= fewTexts) for (const text of added) putIn(text);
    else texts = merged(texts, [...added].sort(compare));
    added.clear();
  }

  function putIn(text: string): void {
    const place = firstPlace(texts, text);
    if (texts[place] !== text) texts.splice(place, 0, text);
  }

  return {
    size() {
      settle();
      return texts.length;
    },
    at(place) {
      settle();
      return texts[place]!;
    },
    add: (text) => void added.add(text),
    remove(text) {
      added.delete(text);
      const place = firstPlace(texts, text);
      if (texts[place] === text) texts.splice(place, 1);
    },
    withPrefix(prefix) {
      settle();
      const from = firstPlace(texts, prefix);
      let to = from;
      while (to < texts.length && texts[to]!.startsWith(prefix)) to++;
      return {from, to};
    },
  };
}

function firstPlace(texts: readonly string[], text: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(texts[middle]!, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges two sorted lists without duplicates. */
function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = [];
  let [i, k] = [0, 0];
  while (i < a.length || k < b.length) {
    const order = i === a.length ? 1 : k === b.length ? -1 : compare(a[i]!, b[k]!);
    all.push(order <= 0 ? a[i]! : b[k]!);
    if (order <= 0) i += 1;
    if (order >= 0) k += 1;
  }
  return all;
}

/** Orders by UTF-8 bytes, like the index files; below the surrogates that equals JavaScript's own order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (beyond.test(a) && beyond.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
