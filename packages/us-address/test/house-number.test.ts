import {expect, test} from "vitest";
import {readHouseNumber, startsWithNumber} from "../src/house-number.ts";

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

test.each([
  ["12 ELM ST", "12 12..- - | ELM ST"],
  ["123456789 ELM ST", "123456789 123456789..- - | ELM ST"],
  ["1234567890 ELM ST", "- -..- - | 1234567890 ELM ST"],
  ["12B ELM ST", "12B 12..- - | ELM ST"],
  ["0012 ELM ST", "12 12..- - | ELM ST"],
  ["00A ELM ST", "0A 0..- - | ELM ST"],
  ["ONE CONGRESS PLAZA", "1 1..- - | CONGRESS PLAZA"],
  ["ELM ST", "- -..- - | ELM ST"],
  ["5TH ST", "- -..- - | 5TH ST"],
])("the number of a house begins %s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

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

test.each([
  ["N5755 8TH AVE", "N5755 -..- - | 8TH AVE"],
  ["N65W21234 MAIN ST", "N65W21234 -..- - | MAIN ST"],
  ["W1175A MAIN ST", "W1175A -..- - | MAIN ST"],
  ["N65 W21234 MAIN ST", "N65W21234 -..- - | MAIN ST"],
  ["N65 W21234", "N65 -..- - | W21234"],
  ["6N340 FOREST AVE", "6N340 -..- - | FOREST AVE"],
  ["E 1290 COUNTY ROAD H", "E1290 -..- - | COUNTY ROAD H"],
  ["E 1290 OLD MILL RD", "E1290 -..- - | OLD MILL RD"],
  ["E 12 OLD MILL RD", "- -..- - | E 12 OLD MILL RD"],
  ["E 129000 OLD MILL RD", "- -..- - | E 129000 OLD MILL RD"],
  ["E 1700 SOUTH ELM RD", "- -..- - | E 1700 SOUTH ELM RD"],
  ["E 1700 ST ELM RD", "- -..- - | E 1700 ST ELM RD"],
  ["E 1700 OLD MILL", "- -..- - | E 1700 OLD MILL"],
  ["E 1700 RD", "- -..- - | E 1700 RD"],
])("a grid has its directional in the number: %s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  ["3700-08 SALINA ST", "3700 3700..3708 - | SALINA ST"],
  ["1820-1824 MARKET ST", "1820 1820..1824 - | MARKET ST"],
  ["0010-0012 MARKET ST", "10 10..12 - | MARKET ST"],
  ["100-200 MARKET ST", "100 100..200 - | MARKET ST"],
  ["100-202 MARKET ST", "100-202 100..- - | MARKET ST"],
  ["100-103 MARKET ST", "100-103 100..- - | MARKET ST"],
  ["100-100 MARKET ST", "100-100 100..- - | MARKET ST"],
  ["102-100 MARKET ST", "102-100 102..- - | MARKET ST"],
  ["100-102A MARKET ST", "100-102A 100..- - | MARKET ST"],
  ["12-A MARKET ST", "12A 12..- - | MARKET ST"],
  ["12/14 MARKET ST", "12 12..14 - | MARKET ST"],
  ["12/15 MARKET ST", "12 12..- - | MARKET ST"],
  ["2181/2 MARKET ST", "218 218..- 1/2 | MARKET ST"],
  ["2019R-39 MARKET ST", "2019R 2019..2039 - | MARKET ST"],
  ["G-4225 MARKET ST", "G4225 4225..- - | MARKET ST"],
  ["1/14 MARKET ST", "- -..- - | 1/14 MARKET ST"],
])("a hyphen is a range of one side of the street, or part of the number: %s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

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

test.each([
  ["123 A MAIN ST", "123A 123..- - | MAIN ST"],
  ["123 A N MAIN ST", "123A 123..- - | N MAIN ST"],
  ["123 N MAIN ST", "123 123..- - | N MAIN ST"],
  ["123 A ST", "123 123..- - | A ST"],
  ["123 A AVE N", "123 123..- - | A AVE N"],
  ["123 A MAIN", "123A 123..- - | MAIN"],
  ["123 A NORTH", "123 123..- - | A NORTH"],
  ["123 A B C", "123 123..- - | A B C"],
  ["123 A AND B ST", "123 123..- - | A AND B ST"],
  ["123 A 5TH ST", "123 123..- - | A 5TH ST"],
  ["123 A", "123 123..- - | A"],
  ["123B A MAIN ST", "123B 123..- - | A MAIN ST"],
  ["100-102 A MAIN ST", "100 100..102 - | A MAIN ST"],
  ["N65W2 A MAIN ST", "N65W2 -..- - | A MAIN ST"],
])(
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

test.each([
  ["12 ELM", true],
  ["5TH ST", false],
  ["22 MILE RD", false],
  ["122 MILE RD", true],
  ["22 MILE", true],
  ["22 ELM RD", true],
  ["N5755 8TH", true],
  ["ONE CONGRESS PLAZA", true],
  ["FIVE MILE RD", false],
  ["ONE ST", false],
  ["ONE COURT ST", true],
  ["ONE CONGRESS", true],
  ["ONE", false],
  ["ELM", false],
  ["", false],
])("a number may begin %s: %s", (text, expected) => {
  expect(startsWithNumber(text === "" ? [] : text.split(" "), 0)).toBe(expected);
});
