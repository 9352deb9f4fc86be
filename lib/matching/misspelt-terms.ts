import type {TermIndex} from "../term-index.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

/** Row lists of the terms that are one edit away from a token: a letter dropped, added, replaced, or two neighbours swapped. */
export function misspeltRows(index: TermIndex, token: string): Uint32Array[] {
  return [...variants(token)].map((term) => index.find(term)).filter((rows) => rows.length > 0);
}

/** Every text one edit away, each once; tokens are upper-case letters and digits. */
function variants(token: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at <= token.length; at++) {
    const [before, after] = [token.slice(0, at), token.slice(at)];
    if (after !== "") found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1]! + after[0]! + after.slice(2));
    for (const letter of letters) {
      found.add(before + letter + after);
      if (after !== "") found.add(before + letter + after.slice(1));
    }
  }
  found.delete(token);
  return found;
}
