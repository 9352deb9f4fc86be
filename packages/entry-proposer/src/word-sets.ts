/** Words that may stand in any order in a name, each as its spellings; the first `needed` ones have to be there. */
export type WordSet = {readonly words: readonly (readonly string[])[]; readonly needed: number};

/** Reads a set of the table: names of word lists, of which one with a question mark may be absent (`land? street name`). */
export function wordSet(text: string, spellings: ReadonlyMap<string, readonly string[]>): WordSet {
  const names = text.split(" ");
  const needed = names.filter((name) => !name.endsWith("?"));
  const optional = names.filter((name) => name.endsWith("?")).map((name) => name.slice(0, -1));
  return {
    words: [...needed, ...optional].map((name) => spellings.get(name) ?? []),
    needed: needed.length,
  };
}

/** True when a folded name is made of words of the set, each at most once and all that are needed. */
export function fitsSet(set: WordSet, name: string): boolean {
  return reads(set, name, {from: 0, used: 0, lacks: "nothing"});
}

/**
 * True when a name that was cut off is the beginning of one that is made of words of the set: of one that lacks nothing but the
 * end of its last word, or with `words` of one that lacks more words.
 */
export function beginsSet(set: WordSet, name: string, lacks: "end" | "words"): boolean {
  return reads(set, name, {from: 0, used: 0, lacks});
}

type Reading = {readonly from: number; readonly used: number; readonly lacks: "nothing" | "end" | "words"};

function reads(set: WordSet, name: string, {from, used, lacks}: Reading): boolean {
  if (from === name.length) return lacks === "words" || isComplete(set, used);
  return set.words.some((spellings, i) => {
    if (used & (1 << i)) return false;
    const next = used | (1 << i);
    return spellings.some((word) => {
      if (name.startsWith(word, from)) return reads(set, name, {from: from + word.length, used: next, lacks});
      const isBegun = lacks !== "nothing" && from > 0 && word.startsWith(name.slice(from));
      return isBegun && (lacks === "words" || isComplete(set, next));
    });
  });
}

function isComplete({needed}: WordSet, used: number): boolean {
  const all = (1 << needed) - 1;
  return (used & all) === all;
}
