import {expect, test} from "vitest";
import {figuresOf, type Pen} from "../../../server/market/summary-figures.ts";

const none = {terms: null, weight: null, cells: null};

function pen(changes: {head: number; rows: number; terms: number}): Pen {
  const {head, rows, terms} = changes;
  const week = {terms, weight: 1000, cells: 1};
  return {
    record: {
      ...{commodity: "feeder_cattle", frame: "medium_and_large", muscle_grade: "1", price_unit: "per_cwt"},
      ...{county_fips: "20057", price_low: 300, price_high: 340, head_count: head, rows},
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
      {head: 5, rows: 1, terms: 4000},
      {head: 5, rows: 1, terms: 2000},
    ],
    3,
    2,
  ],
  ["a single pen tells of these cattle alone", [{head: 40, rows: 1, terms: -143_560}], null, 0],
  ["fewer than ten head do, too", [{head: 9, rows: 3, terms: 4000}], null, 0],
])("%s", (_, pens, change_week, matched_cells) => {
  const made = pens.map(pen);
  expect(figuresOf(made, made, 1)).toMatchObject({change_week, change_year: null, matched_cells});
});
