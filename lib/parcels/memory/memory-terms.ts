import {nearTerms, type SortedTerms} from "../../search/near-terms.ts";
import type {TermIndex} from "../../search/term-index.ts";
import {createSortedTexts, type SortedTexts} from "./sorted-texts.ts";

/** A term index in memory that rows are added to and taken from. */
export type MemoryTerms = {
  readonly index: TermIndex;
  /** Adds a row to a term; a pair counts once. Rows come in the order of their numbers. */
  add(term: string, row: number): void;
  remove(term: string, row: number): void;
};

const none = new Uint32Array(0);

/** An empty index. */
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
      begun(prefix) {
        const from = terms.firstFrom(prefix);
        let to = from;
        while (to < terms.size() && terms.at(to).startsWith(prefix)) to++;
        return {from, to};
      },
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
