import type {ArrowTable} from "@open-cattle/mapped-index";
import {expect, test} from "vitest";
import {withHistory} from "../../../server/market/place-context.ts";
import {historyReader} from "../../../server/tables/side-tables.ts";

const week = (end: string) => JSON.stringify({week_end_date: end, price_avg: 300});
const ends = ["2026-10-31", "2026-11-07", "2026-11-14", "2026-11-21"];
const history: Record<string, string[]> = {
  key: ["a|cell", "b|cell"],
  weeks: [ends.map(week).join("\n"), week("2026-11-21")],
};
const table = {
  rows: 2,
  string: (name: string) => ({at: (row: number) => history[name]![row]!}),
} as unknown as ArrowTable;

test.each([
  ["a|cell", 2, "2026-11-18", ["2026-11-14", "2026-11-21"]],
  ["a|cell", 2, "2026-11-15", ["2026-11-14", "2026-11-21"]],
  ["a|cell", 2, "2026-11-14", ["2026-11-07", "2026-11-14"]],
  ["a|cell", 156, "2026-11-21", ends],
  ["b|cell", 1, "2026-11-22", []],
  ["b|cell", 2, "2026-11-22", ["2026-11-21"]],
  ["c|cell", 2, "2026-11-18", []],
  ["a|cell", 2, null, []],
])("the history of %s over %i weeks up to that of %s has the weeks to %j", (key, weeks, last, expected) => {
  expect(historyReader(table)(key, weeks, last)).toEqual(expected.map(week));
});

test("a build without the file has no history, and a record says so with an empty list", () => {
  expect(historyReader(null)("a|cell", 2, "2026-11-18")).toEqual([]);
  expect(withHistory('{"a":1}', [])).toBe('{"a":1,"history":[]}');
  expect(JSON.parse(withHistory('{"a":1}', ends.map(week))).history).toHaveLength(4);
});
