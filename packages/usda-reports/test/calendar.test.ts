import {expect, test} from "vitest";
import {calendarDay} from "../src/calendar.ts";

test.each([
  [["2026", "2", "3"], "2026-02-03"],
  [["2024", "02", "29"], "2024-02-29"],
  [["2026", "02", "29"], null],
  [["2026", "13", "01"], null],
  [["1899", "12", "31"], null],
  [["2200", "01", "01"], null],
  [["26", "01", "01"], null],
] as const)("the digits %j are the day %s", ([year, month, day], expected) => {
  expect(calendarDay(year, month, day)).toBe(expected);
});
