import {reportRegion} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {recordModel} from "../../../../lib/models/record-model.ts";
import {lmr} from "../../../../pipeline/market/feeds/lmr.ts";
import {marketFiles} from "../../../../schemas/market-files.ts";
import {contextOf} from "./read-text.ts";

const title = "5 Area Weekly Weighted Average Direct Slaughter Cattle (PDF) (LM_CT150)";

test.each([
  [title, {}, "5 Area", "CO IA KS MN NE NM OK TX"],
  ["TX-OK-NM Weekly Direct Slaughter Cattle - Formula (LM_CT139)", {}, "TX-OK-NM", "NM OK TX"],
  ["TX/OK/NM Daily Direct Slaughter Cattle (LM_CT117)", {}, "TX/OK/NM", "NM OK TX"],
  ["Texas-Oklahoma  Weekly Direct Slaughter Cattle (LM_CT156)", {}, "Texas-Oklahoma", "OK TX"],
  ["Iowa/Minnesota Monthly Weighted Average Cattle Report (LM_CT185)", {}, "Iowa/Minnesota", "IA MN"],
  ["KS Monthly Direct Slaughter Cattle (LM_CT188)", {}, "KS", "KS"],
  ["Daily Direct Cow and Bull Negotiated Report - Summary (LM_CT103)", {}, "National", ""],
  ["National Weekly Direct Slaughter Cattle (LM_CT154)", {region_name: "Nebraska"}, "Nebraska", "NE"],
  ["National Daily Boxed Beef Cutout (LM_XB403)", {}, "National", ""],
])("the region of %j with the labels %j is %s, of the states %s", (of, labels, region, states) => {
  expect(reportRegion(of, labels)).toEqual({region, states: states.split(" ").filter(Boolean)});
});

/** The served lines of reports, all of live steers of one day. */
const served = (...lines: readonly object[]) =>
  recordModel({
    name: "mandatory_prices",
    columns: marketFiles.mandatory_prices.columns,
    rows: () =>
      lines.map((line) => ({
        ...{report_date: "2026-11-16", class_printed: "STEER", price_basis_live: "live"},
        ...{delivery_printed: "fob", price_unit: "per_cwt", head_count: 7},
        ...line,
      })),
  });

test("a state's answers carry the twenty lines of mandatory reports that matter first", async () => {
  const keys = Array.from({length: 30}, (_, at) => `line-${at}`);
  const lines = keys.map((key) => ({
    ...{signal: "direct_cattle", key, valid_from: "2026-11-16", source_date: "2026-11-16", source_path: "a"},
    ...{area_type: "states", area: "KS", report_title: key, section: "Detail", labels: "{}"},
    measures: '{"weighted_avg_price":228.31}',
  }));
  const order = keys.map((line_id, at) => ({line_id, importance: 30 - at, price_avg: 228.31}));
  const items = await contextOf(lmr, lines, "2026-11-21", [served(...order)]);
  expect(items.map(({item}) => item?.values["report_title"]).sort()).toEqual(keys.slice(10).sort());
});

test("answers carry priced lines of the states that a report names, each line's newest for 21 days, apart from auction prices", async () => {
  const line = (key: string, change: object = {}) => ({
    signal: "direct_cattle",
    key,
    valid_from: "2026-11-16",
    source_date: "2026-11-16",
    source_path: "a",
    ...{area_type: "states", area: "KS"},
    report_title: "Kansas Weekly Direct Slaughter Cattle (LM_CT999)",
    section: "Detail",
    labels: '{"class_description":"STEER"}',
    measures: '{"head_count":7,"weighted_avg_price":228.31}',
    ...change,
  });
  const items = await contextOf(
    lmr,
    [
      line("a"),
      line("a", {valid_from: "2026-11-09", measures: '{"weighted_avg_price":220}'}),
      line("national", {
        ...{area_type: "nation", area: "US"},
        report_title: "National Weekly Direct Slaughter Cattle (LM_CT154)",
      }),
      line("volume", {measures: '{"head_count":7}'}),
      line("cuts", {signal: "boxed_beef", section: "Choice Cuts"}),
      line("old", {
        area: "NE",
        report_title: "Nebraska Weekly (LM_CT158)",
        valid_from: "2026-10-01",
        source_date: "2026-10-01",
      }),
    ],
    "2026-11-21",
    [
      served(
        {line_id: "a", importance: 2, price_avg: 228.31, change_week: 8.31, change_week_from: "2026-11-09"},
        {line_id: "national", importance: 1, price_avg: 225, change_week: null, change_week_from: null},
      ),
    ],
  );
  const shown = (state: string) => items.filter(({key, item}) => key === state && item !== null);
  expect(shown("KS").map(({item}) => item?.values)).toEqual([
    {
      report_scope: "mandatory",
      report_title: "Kansas Weekly Direct Slaughter Cattle (LM_CT999)",
      section: "Detail",
      report_date: "2026-11-16",
      labels: {class_description: "STEER"},
      measures: {head_count: 7, weighted_avg_price: 228.31},
      lines: [
        {
          ...{class: "STEER", grade: null, price_basis_live: "live", delivery: "fob", price_unit: "per_cwt"},
          ...{price_avg: 228.31, change_week: 8.31, change_week_from: "2026-11-09"},
          ...{head_count: 7, avg_weight_lb: null},
        },
      ],
    },
    expect.objectContaining({report_title: "National Weekly Direct Slaughter Cattle (LM_CT154)"}),
  ]);
  expect(shown("AR").map(({item}) => item?.values["report_title"])).toEqual([
    "National Weekly Direct Slaughter Cattle (LM_CT154)",
  ]);
  expect(shown("NE")).toHaveLength(1);
});
