import {expect, test} from "vitest";
import {readHouseNumber, startsWithNumber} from "../src/house-number.ts";
import {casesOf} from "./cases-of.ts";

/** `number lo..hi fraction`, and the words that are left; `-` for what is not there. */
function read(text: string, {hyphensOnly = false, end}: {hyphensOnly?: boolean; end?: number} = {}): string {
  const words = text.split(" ");
  const {number, lo, hi, fraction, placeholder, next} = readHouseNumber(words, 0, {
    end: end ?? words.length,
    hyphensOnly,
  });
  const shown = placeholder
    ? "placeholder"
    : `${number ?? "-"} ${lo ?? "-"}..${hi ?? "-"} ${fraction ?? "-"}`;
  return `${shown} | ${words.slice(next).join(" ")}`;
}

test.each(casesOf<[string, string]>("house-numbers.txt"))(
  "the number of a house begins %s",
  (text, expected) => {
    expect(read(text)).toBe(expected);
  },
);

test.each([
  ["0 ELM ST", "ELM ST"],
  ["000 ELM ST", "ELM ST"],
  ["XX ELM ST", "ELM ST"],
  ["XXXXXX ELM ST", "ELM ST"],
  ["99999 ELM ST", "ELM ST"],
])("a placeholder stands in its place: %s", (text, rest) => {
  expect(read(text)).toBe(`placeholder | ${rest}`);
});

test.each(["X ELM ST", "XXXXXXX ELM ST"])("no placeholder is %s", (text) => {
  expect(read(text)).toBe(`- -..- - | ${text}`);
});

test.each(casesOf<[string, string]>("house-number-grids.txt"))(
  "a grid has its directional in the number: %s",
  (text, expected) => {
    expect(read(text)).toBe(expected);
  },
);

test.each(casesOf<[string, string]>("house-number-ranges.txt"))(
  "a hyphen is a range of one side of the street, or part of the number: %s",
  (text, expected) => {
    expect(read(text)).toBe(expected);
  },
);

test("a hyphen is never a range where numbers have it", () => {
  expect(read("112-14 QUEENS BLVD", {hyphensOnly: true})).toBe("112-14 112..- - | QUEENS BLVD");
});

test.each([
  ["123 1/2 MAIN ST", "123 123..- 1/2 | MAIN ST"],
  ["123-1/2 MAIN ST", "123 123..- 1/2 | MAIN ST"],
  ["123-1/2 1/4 MAIN ST", "123 123..- 1/2 | 1/4 MAIN ST"],
  ["123 100/200 MAIN ST", "123 123..- - | 100/200 MAIN ST"],
])("a fraction follows the number: %s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each(casesOf<[string, string]>("house-number-letters.txt"))(
  "a letter behind the number is part of it before a street with a name of its own: %s",
  (text, expected) => {
    expect(read(text)).toBe(expected);
  },
);

test("reads no word behind the end", () => {
  expect(read("12 ELM", {end: 0})).toBe("- -..- - | 12 ELM");
  expect(read("0 ELM", {end: 0})).toBe("- -..- - | 0 ELM");
  expect(read("12 1/2 ELM", {end: 1})).toBe("12 12..- - | 1/2 ELM");
  expect(read("12 A MAIN ST", {end: 1})).toBe("12 12..- - | A MAIN ST");
  expect(read("12 A MAIN ST", {end: 2})).toBe("12 12..- - | A MAIN ST");
  expect(read("E 1290 COUNTY ROAD H", {end: 3})).toBe("- -..- - | E 1290 COUNTY ROAD H");
});

test.each(casesOf<[string, boolean]>("house-number-begins.txt"))(
  "a number may begin %s: %s",
  (text, expected) => {
    expect(startsWithNumber(text === "" ? [] : text.split(" "), 0)).toBe(expected);
  },
);
