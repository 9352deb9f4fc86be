import {describe, expect, test} from "vitest";
import {
  isBeforeRoadLetter,
  isBeforeRoadNumber,
  isRoadWord,
  isSameHighway,
  numberedRoadAt,
  otherHighways,
} from "../src/numbered-road.ts";

/** The road that begins a text as `NAME|post|words after it`; null without one. */
function roadOf(text: string, afterNumber = true): string | null {
  const words = text.split(" ");
  const road = numberedRoadAt(words, 0, {end: words.length, afterNumber});
  return road === null ? null : [road.name, road.post ?? "-", words.slice(road.next).join(" ")].join("|");
}

describe("a numbered road", () => {
  test.each<[text: string, road: string | null]>([
    ["HWY 16 SALEM", "HIGHWAY 16|-|SALEM"],
    ["US HWY 83", "US HIGHWAY 83|-|"],
    ["FARM TO MARKET RD 1826", "FM 1826|-|"],
    ["COUNTY RD NO 7 N", "COUNTY ROAD 7|-|N"],
    ["HIGHWAY # 12", "HIGHWAY 12|-|"],
    ["HIGHWAY NO ELM", null],
    ["COUNTY ROAD 12A", "COUNTY ROAD 12A|-|"],
    ["COUNTY ROAD 12-4", "COUNTY ROAD 12-4|-|"],
    ["COUNTY ROAD 400N SALEM", "COUNTY ROAD 400|N|SALEM"],
    ["HWY 400N", "HIGHWAY 400N|-|"],
    ["HIGHWAY A1A", "HIGHWAY A1A|-|"],
    ["STATE ROUTE ONE", "STATE ROUTE 1|-|"],
    ["COUNTY ROAD ONE", null],
    ["COUNTY ROAD D", "COUNTY ROAD D|-|"],
    ["COUNTY ROAD AA", "COUNTY ROAD AA|-|"],
    ["COUNTY HWY CCC", "COUNTY HIGHWAY CCC|-|"],
    ["COUNTY HWY ABC", null],
    ["CR N", "COUNTY ROAD N|-|"],
    ["CR N SALEM", null],
    ["CR NW", null],
    ["CR D ST", null],
    ["CR DR", null],
    ["I-35 N", "INTERSTATE 35|-|N"],
    ["IH35", "INTERSTATE 35|-|"],
    ["SR-20B", "STATE ROUTE 20B|-|"],
    ["US2 ALT W", "US HIGHWAY 2 ALT|-|W"],
    ["HWY 50 BUS", "HIGHWAY 50 BUS|-|"],
    ["FM 1826 RD", "FM 1826|-|"],
    ["HWY 50 HIGHWAY SALEM", "HIGHWAY 50|-|SALEM"],
    ["HWY 50 RD 12", "HIGHWAY 50|-|RD 12"],
    ["OLD HWY 7", "OLD HIGHWAY 7|-|"],
    ["NEW COUNTY ROAD 3", "NEW COUNTY ROAD 3|-|"],
    ["OLD MILL", null],
    ["MAIN 7", null],
    ["7", null],
    ["HWY", null],
  ])("of %j is %j", (text, road) => {
    expect(roadOf(text)).toBe(road);
  });

  test("is read to the end of its words alone", () => {
    const words = ["12", "HWY", "16", "ALT"];
    const at = (from: number, end: number) => numberedRoadAt(words, from, {end, afterNumber: true});
    expect(at(1, 3)).toMatchObject({name: "HIGHWAY 16", next: 3});
    expect(at(1, 4)).toMatchObject({name: "HIGHWAY 16 ALT", next: 4});
    expect([at(1, 2), at(1, 1), at(0, 4)]).toEqual([null, null, null]);
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

test.each([
  ["STATE ROAD 83", "STATE HIGHWAY 83", true],
  ["STATE ROUTE 83", "STATE ROAD 83", true],
  ["COUNTY ROAD T", "COUNTY HIGHWAY T", true],
  ["COUNTY ROUTE 12", "COUNTY ROAD 12", true],
  ["ROUTE 4", "US HIGHWAY 4", true],
  ["ROUTE 4", "HIGHWAY 4", true],
  ["US HIGHWAY 83", "STATE HIGHWAY 83", false],
  ["COUNTY ROAD 83", "HIGHWAY 83", false],
  ["STATE ROAD 83", "STATE ROAD 84", false],
])("%s and %s are one highway: %s", (a, b, are) => {
  expect([isSameHighway(a, b), isSameHighway(b, a)]).toEqual([are, are]);
});

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

test.each([
  ["12 HWY", true],
  ["12 N HWY", true],
  ["12 OLD HWY", true],
  ["12 COUNTY ROAD", true],
  ["12 QUILL COUNTY ROAD", true],
  ["12 QUILL HWY", false],
  ["12 ROAD", false],
  ["12 QUILL AVE", false],
  ["12 E 1700 S", false],
])("five digits behind %s are the number of a road: %s", (text, are) => {
  const words = text.split(" ");
  expect(isBeforeRoadNumber(words, words.length)).toBe(are);
});
