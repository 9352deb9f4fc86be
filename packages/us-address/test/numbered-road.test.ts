import {describe, expect, test} from "vitest";
import {isBeforeRoadLetter, isBeforeRoadNumber, isRoadWord, numberedRoadAt} from "../src/numbered-road.ts";
import {isSameHighway, otherHighways} from "../src/road-names.ts";
import {casesOf} from "./cases-of.ts";

/** The road that begins a text as `NAME|post|words after it`; null without one. */
function roadOf(text: string, afterNumber = true): string | null {
  const words = text.split(" ");
  const road = numberedRoadAt(words, 0, {end: words.length, afterNumber});
  return road === null ? null : [road.name, road.post ?? "-", words.slice(road.next).join(" ")].join("|");
}

describe("a numbered road", () => {
  test.each(casesOf<[string, string | null]>("numbered-roads.txt"))("of %j is %j", (text, road) => {
    expect(roadOf(text)).toBe(road);
  });

  test("is read to the end of its words alone", () => {
    const words = ["12", "HWY", "16", "ALT"];
    const at = (from: number, end: number) => numberedRoadAt(words, from, {end, afterNumber: true});
    expect(at(1, 3)).toMatchObject({name: "HIGHWAY 16", next: 3});
    expect(at(1, 4)).toMatchObject({name: "HIGHWAY 16 ALT", next: 4});
    expect([at(1, 2), at(1, 1), at(0, 4)]).toEqual([null, null, null]);
  });

  test("has its number before its class only behind a house number", () => {
    expect([roadOf("13 HWY", false), roadOf("NC 9", false)]).toEqual([null, null]);
  });

  test("is a ranch road as RR only behind a house number", () => {
    expect([roadOf("RR 12"), roadOf("RR 12", false)]).toEqual(["RANCH ROAD 12|-|", null]);
  });
});

test("a highway has other names by its number, and other roads have none", () => {
  expect(otherHighways("US HIGHWAY 83")).toEqual(["HIGHWAY 83", "ROUTE 83"]);
  expect(otherHighways("MAIN")).toEqual([]);
  expect(otherHighways("FM 83")).toEqual(["HIGHWAY 83", "ROUTE 83"]);
  expect(otherHighways("HIGHWAY C")).toContain("COUNTY ROAD C");
  expect(otherHighways("COUNTY ROAD C")).toContain("HIGHWAY C");
  expect(otherHighways("HIGHWAY 83")).toEqual([
    "ROUTE 83",
    "INTERSTATE 83",
    "US HIGHWAY 83",
    "STATE HIGHWAY 83",
    "STATE ROUTE 83",
    "STATE ROAD 83",
    "COUNTY HIGHWAY 83",
    "PTH 83",
    "FM 83",
    "RANCH ROAD 83",
  ]);
});

test.each(casesOf<[string, string, boolean]>("same-highways.txt"))(
  "%s and %s are one highway: %s",
  (a, b, are) => {
    expect([isSameHighway(a, b), isSameHighway(b, a)]).toEqual([are, are]);
  },
);

test("the words of classes are told apart by what may follow them", () => {
  const told = (word: string) => [isRoadWord(word), isBeforeRoadLetter(word)];
  expect(["COUNTY", "HWY", "ROAD", "FARM", "ELM"].map(told)).toEqual([
    [true, false],
    [true, true],
    [true, false],
    [true, false],
    [false, false],
  ]);
});

test.each(casesOf<[string, boolean]>("numbered-road-or-zip.txt"))(
  "five digits behind %s are the number of a road: %s",
  (text, are) => {
    const words = text.split(" ");
    expect(isBeforeRoadNumber(words, words.length)).toBe(are);
  },
);
