import {expect, test} from "vitest";
import {cellWords, dateRange, headWords, priceWords, sentenceStart} from "../../../lib/market/cell-words.ts";
import {casesOf} from "../../cases-of.ts";

type Cell = Parameters<typeof cellWords>[0];

const steers: Cell = {
  commodity: "feeder_cattle",
  class: "steers",
  frame: null,
  muscle_grade: null,
  quality_grade: null,
  dressing: null,
  age_class: null,
  pregnancy_stage: null,
  offspring_weight: null,
  weight_bin: null,
  lot_descriptors: [],
};

test.each(casesOf<[Partial<Cell>, string]>("cell-words.txt"))("a cell of %j reads %j", (facts, words) => {
  expect(cellWords({...steers, ...facts})).toBe(words);
});

test("prices have two decimals and their unit", () => {
  expect(priceWords(261.6, "per_cwt")).toBe("261.60 USD per cwt");
  expect(priceWords(1_500, "per_head")).toBe("1,500.00 USD per head");
  expect(priceWords(2_000.005, "per_pair")).toMatch(/^2,000\.0[01] USD per pair$/);
});

test.each([
  [1, "per_cwt", "1 head"],
  [123, "per_head", "123 head"],
  [1, "per_pair", "1 pair"],
  [2, "per_pair", "2 pairs"],
  [0, "per_pair", "0 pairs"],
] as const)("%d animals %s are %s", (head, unit, words) => {
  expect(headWords(head, unit)).toBe(words);
});

test("a range of one day is that day, and a sentence begins with a capital", () => {
  expect(dateRange("2026-08-12", "2026-08-12")).toBe("2026-08-12");
  expect(dateRange("2026-08-05", "2026-08-12")).toBe("2026-08-05 to 2026-08-12");
  expect(["plain steers", ""].map(sentenceStart)).toEqual(["Plain steers", ""]);
});
