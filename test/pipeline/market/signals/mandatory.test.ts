import {reportRegion} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {recordModel} from "../../../../lib/models/record-model.ts";
import {lmr} from "../../../../pipeline/market/feeds/lmr.ts";
import {marketFiles} from "../../../../schemas/market-files.ts";
import {contextOf, readText, reasonsOf, valuesOf} from "./read-text.ts";

const title = "5 Area Weekly Weighted Average Direct Slaughter Cattle (PDF) (LM_CT150)";
const sale = (change: object = {}) => ({
  report_date: "11/16/2026",
  narrative: null,
  class_description: "STEER",
  selling_basis_description: "LIVE FOB",
  grade_description: "Over 80% Choice",
  head_count: "12,345",
  weight_range_avg: "1,512",
  weighted_avg_price: "228.31",
  report_title: title,
  slug_name: "AMS_2477",
  slug_id: "2477",
  published_date: "11/16/2026 14:01:00",
  ...change,
});
const section = (...results: object[]) => ({
  reportSection: "Detail",
  reportSections: ["Summary", "Detail"],
  stats: {"totalRows:": results.length},
  results,
});

test("reads a Datamart section: texts as labels, numbers with commas as measures, duplicate keys kept apart", async () => {
  const body = section(
    sale(),
    sale({head_count: "7"}),
    sale({class_description: "HEIFER", weighted_avg_price: null}),
  );
  const read = await readText(lmr.read, "lmr/s.json", body);
  expect(valuesOf(read, "signal", "key", "valid_from", "section")).toEqual([
    ["direct_cattle", "lm-ct150/detail/steer/live-fob/over-80-choice", "2026-11-16", "Detail"],
    ["direct_cattle", "lm-ct150/detail/steer/live-fob/over-80-choice#2", "2026-11-16", "Detail"],
    ["direct_cattle", "lm-ct150/detail/heifer/live-fob/over-80-choice", "2026-11-16", "Detail"],
  ]);
  expect(JSON.parse(String(read.rows[0]!["measures"]))).toEqual({
    head_count: 12345,
    weight_range_avg: 1512,
    weighted_avg_price: 228.31,
  });
});

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

test("rejects other species, rows without a date or a number", async () => {
  const hogs = "National Daily Direct Hog Prior Day (LM_HG201)";
  const nothing = {report_date: "11/16/2026", report_title: title, trend: "steady"};
  const body = [section(sale({report_title: hogs})), section(sale({report_date: "soon"}), nothing)];
  const read = await readText(lmr.read, "lmr/s.json", body);
  expect(reasonsOf(read)).toEqual(["not_cattle", "bad_date", "no_value"]);
});

test("reads the older XML service, merging day records into their rows and ignoring null attributes", async () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<results exportTime="2019-06-15 10:00:00 CST"><report label="National Daily Cattle" slug="LM_CT100">
<record report_date="06/14/2019" narrative="null"><report label="Detail">
<record class_description="ST&#69;ER" head_count="1,234" weighted_avg_price="112.50"/><record class_description="HEIFER" head_count="null"/>
</report></record></report></results>`;
  const read = await readText(lmr.read, "lmr/x.xml", xml);
  expect(valuesOf(read, "key", "measures")).toEqual([
    ["lm-ct100/detail/steer", '{"head_count":1234,"weighted_avg_price":112.5}'],
  ]);
  expect([read.merged, reasonsOf(read)]).toEqual([1, ["no_value"]]);
});

test("reads the cutout export and the list of reports", async () => {
  const cutout = "Report Date,Choice 600-900,Select 600-900\n11/16/2026,371.31,349.80\n11/13/2026,,\n";
  const read = await readText(lmr.read, "lmr/cutout.csv", cutout);
  expect(valuesOf(read, "valid_from", "measures")).toEqual([
    [
      "2026-11-16",
      '{"choice_600_900_usd_per_cwt_carcass":371.31,"select_600_900_usd_per_cwt_carcass":349.8}',
    ],
  ]);
  expect(reasonsOf(read)).toEqual(["no_value"]);
  const list =
    '"commodity","slug_id","report_title","sectionNames"\n"beef",2451,"Beef (LM_XB401)","Summary, Central"\n';
  expect((await readText(lmr.read, "lmr/list.csv", list)).otherAccepted).toBe(1);
  const reports = [{slug_id: 2450}, {slug_id: 2451, sectionNames: ["Summary"]}];
  expect((await readText(lmr.read, "lmr/list.json", reports)).otherAccepted).toBe(2);
});

test("refuses XML that breaks off, with its line, and other shapes", async () => {
  const cut = '<?xml version="1.0"?>\n<results><report slug="LM_CT100"><record report_date="06/14';
  await expect(readText(lmr.read, "lmr/x.xml", cut)).rejects.toThrow(/not valid XML, perhaps cut off/);
  const growing = '<!DOCTYPE r [<!ENTITY a "aaaa">]>\n<results><report slug="&a;"/></results>';
  await expect(readText(lmr.read, "lmr/x.xml", growing)).rejects.toThrow(/declares entities/);
  await expect(readText(lmr.read, "lmr/s.json", {rows: "none"})).rejects.toThrow(
    /expected a list with a report date: sections of the Datamart/,
  );
});

test("gives repeated rows one key, reads parentheses as negative, and notes rows that the source counts but did not send", async () => {
  const cut = sale({change_from_prior_day: "(0.75)"});
  const body = {...section(cut, cut), stats: {"totalRows:": 500, "returnedRows:": 2}};
  const read = await readText(lmr.read, "lmr/s.json", body);
  expect(valuesOf(read, "measures").map(([text]) => JSON.parse(String(text)).change_from_prior_day)).toEqual([
    -0.75, -0.75,
  ]);
  expect(new Set(read.rows.map(({key}) => key)).size).toBe(1);
  expect(read.notes).toEqual({counted_rows_absent: 498});
});

test("reads a section that was saved as CSV, by the title of its report", async () => {
  const csv = `"report_date","report_title","class_description","weighted_avg_price"
"11/16/2026","${title}","STEER","228.31"
`;
  const read = await readText(lmr.read, "lmr/export.csv", csv);
  expect(valuesOf(read, "signal", "key", "measures")).toEqual([
    ["direct_cattle", "lm-ct150/summary/steer", '{"weighted_avg_price":228.31}'],
  ]);
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
