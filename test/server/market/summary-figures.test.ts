import {expect, test} from "vitest";
import type {ArrowTable} from "../../../lib/storage/arrow-table/open.ts";
import {withHistory} from "../../../server/market/place-context.ts";
import {chosenPens, figuresOf, type Pen} from "../../../server/market/summary-figures.ts";
import {historyReader} from "../../../server/tables/side-tables.ts";

const none = {terms: null, weight: null, cells: null, pens: null};

function pen({head, pens, terms}: {head: number; pens: number; terms: number}): Pen {
  const week = {terms, weight: 1000, cells: 1, pens};
  return {
    record: {
      ...{commodity: "feeder_cattle", frame: "medium_and_large", muscle_grade: "1", price_unit: "per_cwt"},
      ...{county_fips: "20057", price_low: 300, price_high: 340, head_count: head},
      ...{first_sale_date: "2026-08-12", last_sale_date: "2026-08-12"},
    } as Pen["record"],
    sums: {weight: 1000, cents: 32_000_000, week, year: none},
    miles: null,
    evidence: {text: "{}", sources: [], limitations: [], sourceDate: null},
  };
}

test.each([
  [
    "two pens and ten head tell the market's change",
    [
      {head: 5, pens: 1, terms: 4000},
      {head: 5, pens: 1, terms: 2000},
    ],
    3,
    2,
  ],
  ["a single pen tells of these cattle alone", [{head: 40, pens: 1, terms: -143_560}], null, 0],
  ["fewer than ten head do, too", [{head: 9, pens: 3, terms: 4000}], null, 0],
])("%s", (_, pens, change_week, matched_cells) => {
  const made = pens.map(pen);
  expect(figuresOf(made, made, 1)).toMatchObject({change_week, change_year: null, matched_cells});
});

type Changes = {record?: object; sums?: object; miles?: number | null};
const changed = ({record = {}, sums = {}, miles = null}: Changes): Pen => {
  const plain = pen({head: 10, pens: 2, terms: 0});
  return {...plain, record: {...plain.record, ...record}, sums: {...plain.sums, ...sums}, miles} as Pen;
};
const graded = (frame: string, muscle_grade: string, head_count: number, more: object = {}) =>
  changed({record: {frame, muscle_grade, head_count, ...more}});

test("the figures are those of all pens: weighted mean, extremes, counties and days", () => {
  const week = {terms: 3000, weight: 1000, cells: 2, pens: 2};
  const pens = [
    changed({record: {head_count: 10, price_low: 310, last_sale_date: "2026-08-19"}, miles: 40.5}),
    changed({
      record: {head_count: 30, price_high: 360, county_fips: "20055", first_sale_date: "2026-08-05"},
      sums: {weight: 3000, cents: 3000 * 36_001, week, year: week},
      miles: 9.2,
    }),
    changed({record: {county_fips: "20055"}}),
  ];
  // (320.00 x 2000 lb + 360.01 x 3000 lb) / 5000 lb
  expect(figuresOf(pens, pens, 7)).toMatchObject({
    ...{price_avg: 344.01, price_low: 300, price_high: 360, head_count: 50, venues: 7, counties: 2},
    ...{nearest_mi: 9.2, farthest_mi: 40.5, first_sale_date: "2026-08-05", last_sale_date: "2026-08-19"},
    ...{change_week: 1, change_year: 3, matched_cells: 4},
  });
  expect(figuresOf([pens[2]!], pens, 1)).toMatchObject({nearest_mi: null, farthest_mi: null});
});

test("the cells that matched are those of the year where none of the week did", () => {
  const made = [changed({sums: {week: none, year: {terms: 500, weight: 1000, cells: 3, pens: 3}}})];
  expect(figuresOf(made, made, 1)).toMatchObject({change_week: null, change_year: 0.5, matched_cells: 3});
  const both = [changed({sums: {year: {terms: 500, weight: 1000, cells: 3, pens: 3}}})];
  expect(figuresOf(both, both, 1)).toMatchObject({change_week: 0, matched_cells: 1});
});

test("each grade of the kind stands apart: those of the price first, then by head", () => {
  const all = [
    graded("small", "1", 15),
    graded("medium_and_large", "2", 20),
    graded("medium_and_large", "1-2", 8),
    graded("medium_and_large", "1", 12),
    graded("medium_and_large", "1", 5),
    graded("large", "1", 90, {price_unit: "per_head"}),
  ];
  const pooled = chosenPens(all);
  const {by_grade} = figuresOf(pooled, all, 1);
  expect(
    by_grade.map(({frame, muscle_grade, head_count, pooled: isPooled}) =>
      [frame, muscle_grade, head_count, isPooled].join(" "),
    ),
  ).toEqual([
    "medium_and_large 1 17 true",
    "medium_and_large 1-2 8 true",
    "medium_and_large 2 20 false",
    "small 1 15 false",
  ]);
});

test("the pens of a price are those of the reference grades, else of the grade with the most head", () => {
  const headsOf = (pens: readonly Pen[]) => chosenPens(pens).map(({record}) => record.head_count);
  const others = [
    graded("small", "1", 30),
    graded("large", "1-2", 70),
    graded("small", "1", 45),
    graded("medium_and_large", "2", 60),
  ];
  expect(headsOf(others)).toEqual([30, 45]);
  expect(headsOf([...others, graded("medium_and_large", "1", 4)])).toEqual([4]);
  expect(
    headsOf([graded("medium_and_large", "1-2", 3), ...others, graded("medium_and_large", "1", 4)]),
  ).toEqual([3, 4]);
  const units = [4, 5].map((head, i) => graded("medium_and_large", "1", head, {price_unit: `unit ${i}`}));
  expect(headsOf(units)).toEqual([5]);
  expect(chosenPens([])).toEqual([]);
});

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
