import {expect, test} from "vitest";
import {lineWords} from "../src/line-words.ts";
import {casesOf} from "./cases-of.ts";

/** The words of a line; one after a break has `,` before it, one after a wide gap `_`. */
function shown(line: string): string {
  const {words, breaks, gaps} = lineWords(line);
  expect([breaks.length, gaps.length]).toEqual([words.length, words.length]);
  return words.map((word, at) => `${breaks[at] ? "," : ""}${gaps[at] ? "_" : ""}${word}`).join(" ");
}

test.each(casesOf<[string, string]>("line-words.txt"))("%j has the words %j", (line, words) => {
  expect(shown(line)).toBe(words);
});
