import {afterEach, expect, test, vi} from "vitest";
import {runClock, textTable, today} from "../../../pipeline/commands/command-line.ts";

afterEach(() => vi.unstubAllEnvs());

test("a table has columns as wide as their widest cell, numbers flush right, and no blanks at the end of a line", () => {
  const rows = [
    ["us-mt", 1_234_567, "-", ""],
    ["x", 5, 7, "why"],
  ];
  expect(textTable(["source", "rows", "size", "reason"], rows).split("\n")).toEqual([
    "source       rows  size  reason",
    "us-mt   1,234,567  -",
    "x               5  7     why",
  ]);
  expect(textTable(["a", "longer"], [])).toBe("a  longer");
  expect(textTable(["a", "b"], [["1"], [2, 3]])).toBe("a  b\n1\n2  3");
});

test("today is the day in UTC", () => {
  expect(today(new Date("2026-11-20T23:59:59-01:00"))).toBe("2026-11-21");
  expect(today()).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("a run uses the system clock, or the fixed time of SOURCE_DATE_EPOCH", () => {
  for (const unset of [undefined, ""]) {
    vi.stubEnv("SOURCE_DATE_EPOCH", unset);
    expect(Math.abs(runClock()().getTime() - Date.now())).toBeLessThan(60_000);
  }
  vi.stubEnv("SOURCE_DATE_EPOCH", "1795000000");
  expect(runClock()().toISOString()).toBe("2026-11-18T11:06:40.000Z");
  for (const wrong of ["soon", "-1", "1.5", "123456789012"]) {
    vi.stubEnv("SOURCE_DATE_EPOCH", wrong);
    expect(() => runClock()).toThrow("is not a number of seconds");
  }
});
