import {expect, test} from "vitest";
import {
  cutoutMeasures,
  mandatoryCells,
  mandatoryProduct,
  mandatoryRecords,
  statedRecords,
} from "../src/mandatory-report.ts";

test("takes the rows of each section of an answer, with its name and the rows that it states", () => {
  const summary = {reportSection: "Summary", stats: {"totalRows:": "2"}, results: [{a: 1}, 5, {a: 2}]};
  const detail = {reportSection: "Detail", stats: {totalRows: 40}, results: [{b: 3}]};
  expect(mandatoryRecords([summary, detail])).toEqual([
    {a: 1, report_section: "Summary"},
    {a: 2, report_section: "Summary"},
    {b: 3, report_section: "Detail"},
  ]);
  expect([[summary, detail], detail, {...detail, stats: null}].map(statedRecords)).toEqual([42, 40, 0]);
  expect(mandatoryRecords([summary, {message: "busy"}])).toBeUndefined();
});

test("takes days and the rows of their sections from the older XML service", () => {
  const body = {
    results: [
      {
        report: [
          {
            ...{slug: "LM_CT150", label: "Direct Cattle"},
            record: [{report_date: "09/01/2026", report: [{label: "Detail", record: [{price: "228.31"}]}]}],
          },
        ],
      },
    ],
  };
  const day = {slug_name: "LM_CT150", report_title: "Direct Cattle", report_date: "09/01/2026"};
  expect(mandatoryRecords(body)).toMatchObject([day, {...day, price: "228.31", report_section: "Detail"}]);
});

test("reads texts as labels and numbers as measures, a fall in brackets, and no column of the whole report", () => {
  const row = {
    ...{report_title: "x", office_city: "y", Trend: "z", comments: "c", narrative: "n", market_name: "m"},
    ...{
      class_description: "STEER",
      head_count: "1,204",
      change: "(0.75)",
      note: "N/A",
      low: "(D)",
      price: 228.31,
    },
  };
  expect(mandatoryCells(row)).toEqual({
    labels: {class_description: "STEER", low: "(D)"},
    measures: {head_count: 1204, change: -0.75, price: 228.31},
  });
});

test.each([
  ["LM_CT150", "Hogs", "direct_cattle"],
  ["2461", "National Hogs (LM_HG201)", null],
  ["2453", "Boxed Beef (LM_XB403)", "boxed_beef"],
  ["LM_XS100", "", "boxed_beef"],
  ["2500", "Pork Trimmings", null],
  ["2501", "Beef Trimmings", "boxed_beef"],
  ["2502", "Direct Cows", "direct_cattle"],
  ["2503", "Hay", null],
])("report %s, %j, is of %s", (code, title, product) => {
  expect(mandatoryProduct(code, title)).toBe(product);
});

test("reads a day of the cutout export by grade and carcass weight", () => {
  const day = {
    "Report Date": "09/01/2026",
    "Choice 600-900": "$ 380.12",
    "Select 600 - 900": "",
    "Choice Loads": 12,
  };
  expect(cutoutMeasures(day)).toEqual({choice_600_900_usd_per_cwt_carcass: 380.12});
});
