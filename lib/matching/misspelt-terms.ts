import {editDistance} from "../address/edit-distance.ts";
import {misspeltMarks} from "../owner/owner-score.ts";
import type {TermIndex} from "../term-index.ts";

const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Comes after every letter and digit of a term. */
const afterLetters = "~";
/** So many terms are read faster than the edits of the rest of a token are looked for. */
const fewTerms = 40;

/**
 * Row lists of the terms that are one edit away from a token: a letter dropped, added, replaced, or two neighbours swapped; `CO` too where
 * the token is one away from COMPANY. Terms that
 * share the letters before the edit are a stretch of the sorted terms, which soon is short enough to be read through.
 */
export function misspeltRows(index: TermIndex, token: string): Uint32Array[] {
  const found = new Set<string>();
  for (let at = 0; at <= token.length; at++) {
    const before = token.slice(0, at);
    const from = index.firstFrom(before);
    const to = index.firstFrom(before + afterLetters);
    if (to - from > fewTerms) {
      for (const term of editsAt(token, at)) found.add(term);
      continue;
    }
    for (let number = from; number < to; number++) {
      const term = index.termAt(number);
      if (editDistance(token, term, 1) === 1) found.add(term);
    }
    break;
  }
  for (const mark of misspeltMarks(token)) found.add(mark);
  found.delete(token);
  return [...found].map((term) => index.find(term)).filter((rows) => rows.length > 0);
}

/** The texts that differ from a token by one edit at a place. */
function* editsAt(token: string, at: number): Iterable<string> {
  const [before, after] = [token.slice(0, at), token.slice(at)];
  if (after !== "") yield before + after.slice(1);
  if (after.length > 1) yield before + after[1]! + after[0]! + after.slice(2);
  for (const letter of letters) {
    yield before + letter + after;
    if (after !== "") yield before + letter + after.slice(1);
  }
}
