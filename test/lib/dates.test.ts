import {expect, test} from "vitest";
import {
  addDays,
  ageDays,
  clockFault,
  dayNumber,
  freshnessOf,
  saturdayOf,
  weekdayOf,
} from "../../lib/dates.ts";

test.each([
  [-1, "fresh"],
  [10, "fresh"],
  [11, "recent"],
  [21, "recent"],
  [22, "aging"],
  [35, "aging"],
  [36, "stale"],
  [60, "stale"],
  [61, "expired"],
])("a report of %d days is %s", (age, freshness) => {
  expect(freshnessOf(age)).toBe(freshness);
});

test.each([
  ["2026-11-21", 6],
  ["2026-11-22", 0],
  ["1970-01-01", 4],
  ["1969-12-28", 0],
  ["1969-12-27", 6],
])("the weekday of %s is %d, and its Saturday ends its week", (date, weekday) => {
  expect(weekdayOf(date)).toBe(weekday);
  expect([weekdayOf(saturdayOf(date)), ageDays(date, saturdayOf(date))]).toEqual([6, 6 - weekday]);
});

test("days are counted over months and leap years", () => {
  expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(ageDays("2026-03-01", "2026-02-27")).toBe(-2);
  expect(dayNumber("1970-01-02")).toBe(1);
  for (const text of ["2026-1-1", "2026-13-01", "", "2026-01-01T00:00:00Z"])
    expect(() => dayNumber(text), text).toThrow(RangeError);
});

test("a clock before the build, or more than 400 days behind it, is not believed", () => {
  const builtAt = "2026-01-01T00:00:00.000Z";
  const faultOf = (now: string) => clockFault(builtAt, new Date(now));
  expect(faultOf("2025-12-31T23:59:59Z")).toContain("the build was made at");
  expect(faultOf(builtAt)).toBeNull();
  expect(faultOf("2027-02-05T23:59:59Z")).toBeNull();
  expect(faultOf("2027-02-06T00:00:00Z")).toContain("401 days after");
});
