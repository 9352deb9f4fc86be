import {expect, test} from "vitest";
import {
  dateFrom,
  instantFrom,
  instantOf,
  monthNumber,
  publishedTime,
  rangeBeforeDate,
} from "../src/published-date.ts";

test.each<[written: unknown, date: string | null]>([
  ["2025-09-30", "2025-09-30"],
  ["2025-9-3", "2025-09-03"],
  ["20250930", "2025-09-30"],
  [20250930, "2025-09-30"],
  ["09/30/2025", "2025-09-30"],
  ["9/30/25", "2025-09-30"],
  [" 9/30/25 10:15", "2025-09-30"],
  ["2025-09-30T00:00:00", "2025-09-30"],
  ["Sep 30, 2025", "2025-09-30"],
  ["Sept. 30 2025", "2025-09-30"],
  ["Febuary 3, 2026", "2026-02-03"],
  ["30-Sep-25", "2025-09-30"],
  ["30-dec-2025", "2025-12-30"],
  ["Sep 31, 2025", null],
  ["13/01/2025", null],
  ["Foo 3, 2026", null],
  ["2025-09", null],
  ["week of 2025-09-30", null],
  // A list with one date reads like the date when it becomes a text.
  [["2025-09-30"], null],
  [new Date("2025-09-30"), null],
  [null, null],
])("the date of %j is %s", (written, date) => {
  expect(dateFrom(written)).toBe(date);
});

test.each([
  ["09/27/2023 09:55:03", "2023-09-27 09:55:03"],
  ["09/27/2023 4:12:44 PM", "2023-09-27 16:12:44"],
  ["09/27/2023 12:05 AM", "2023-09-27 00:05:00"],
  ["09/27/2023 12:05 PM", "2023-09-27 12:05:00"],
  ["09/27/2023 23:59", "2023-09-27 23:59:00"],
  ["09/27/2023 24:00", "2023-09-27 00:00:00"],
  ["09/27/2023 13:05 PM", "2023-09-27 00:00:00"],
  ["Wed Aug 5, 2026", "2026-08-05 00:00:00"],
  ["Wed Aug 5, 2026 7:30 am", "2026-08-05 07:30:00"],
  ["soon", null],
  [null, null],
])("the published time %j is %s", (written, time) => {
  expect(publishedTime(written)).toBe(time);
});

test.each([
  ["2-Jan", "1-2"],
  ["12-Nov", "11-12"],
  ["2026-01-02", "1-2"],
  ["1-2", "1-2"],
  ["2-Jxx", "2-Jxx"],
])("the range that a spreadsheet wrote as %j is %j", (written, range) => {
  expect(rangeBeforeDate(written)).toBe(range);
});

test.each<[written: unknown, instant: string | null]>([
  ["2026-08-05T10:15:30Z", "2026-08-05T10:15:30Z"],
  ["2026-08-05T10:15:30.999-05:00", "2026-08-05T15:15:30Z"],
  ["2026-08-05T10:15+0530", "2026-08-05T04:45:00Z"],
  ["2026-08-05T10:15:30", null],
  ["2026-08-05T25:15:30Z", null],
  [Date.UTC(2026, 7, 5), null],
])("the instant of %j is %s", (written, instant) => {
  expect(instantFrom(written)).toBe(instant);
});

test.each([
  [Date.UTC(1900, 0, 1), "1900-01-01T00:00:00Z"],
  [Date.UTC(1900, 0, 1) - 1, null],
  [Date.UTC(2199, 11, 31, 23, 59, 59), "2199-12-31T23:59:59Z"],
  [Date.UTC(2200, 0, 1), null],
  [8.64e15, null],
  [NaN, null],
])("%d milliseconds are %s", (ms, instant) => {
  expect(instantOf(ms)).toBe(instant);
});

test.each([
  ["January", 1],
  [" dec", 12],
  ["Febuary", 2],
  ["Ja", null],
])("the month %j has the number %s", (name, number) => {
  expect(monthNumber(name)).toBe(number);
});
