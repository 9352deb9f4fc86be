import fc from "fast-check";
import {expect, test} from "vitest";
import {nearTerms, type PairRanges, type SortedTerms} from "../src/near-terms.ts";
import {oneEditAway} from "./one-edit.ts";

/** Sorted terms in memory, with a count of the terms that were compared. */
function termsOf(words: readonly string[]) {
  const sorted = [...new Set(words)].sort();
  let compared = 0;
  const terms: SortedTerms = {
    terms: sorted.length,
    letterAt(number, at) {
      if (sorted[number] === undefined) throw new RangeError(`no term ${number} of ${sorted.length}`);
      return at < sorted[number].length ? sorted[number].charCodeAt(at) : -1;
    },
    compare(number, skip, key, from) {
      compared += 1;
      return Buffer.compare(Buffer.from(sorted[number]!.slice(skip)), key.subarray(from));
    },
  };
  const pairs: PairRanges = (first, second) => {
    const begin = String.fromCharCode(first, second);
    const from = sorted.findIndex((word) => word.startsWith(begin));
    return from < 0
      ? {from: 0, to: 0}
      : {from, to: sorted.findLastIndex((word) => word.startsWith(begin)) + 1};
  };
  return {sorted, terms, pairs, compared: () => compared};
}

const word = fc.string({unit: fc.constantFrom("A", "B", "9"), minLength: 1, maxLength: 6});
/** All words of so many letters. */
const allWords = (length: number): string[] =>
  length === 0
    ? [""]
    : allWords(length - 1).flatMap((begin) => ["A", "B", "9"].map((letter) => begin + letter));

test("gives each term that is one edit away once, with the terms of two letters at hand and without", () => {
  const many = [1, 2, 3, 4, 5].flatMap(allWords);
  const property = fc.property(
    fc.array(word, {maxLength: 40}),
    fc.boolean(),
    fc.array(word),
    (few, isFew, asked) => {
      const {sorted, terms, pairs} = termsOf(isFew ? few : many);
      for (const token of [...asked, ...sorted.slice(0, 20)]) {
        const expected = sorted.filter(oneEditAway(token));
        for (const known of [null, pairs]) {
          const found = nearTerms(terms, token, known).map((number) => sorted[number]!);
          expect([token, ...found.sort()]).toEqual([token, ...expected]);
        }
      }
    },
  );
  fc.assert(property, {numRuns: 100});
});

test.each([
  ["AAAA", ["AAA", "AAAAA", "AAAB", "BAAA"]],
  ["AABB", ["AAB", "AABBB", "ABAB", "ABB", "BABB"]],
])("finds an edit of equal neighbours once: %s", (token, expected) => {
  const {sorted, terms, pairs} = termsOf([
    ...expected,
    token,
    "99",
    ...allWords(3).map((each) => `9${each}9`),
  ]);
  for (const known of [null, pairs])
    expect(
      nearTerms(terms, token, known)
        .map((number) => sorted[number]!)
        .sort(),
    ).toEqual(expected);
});

test("compares few of many terms", () => {
  const {terms, compared, pairs} = termsOf(allWords(7));
  nearTerms(terms, "AB9AB9A", pairs);
  nearTerms(terms, "AB9AB9A");
  expect(compared()).toBeLessThan(600);
});
