import {expect, test} from "vitest";
import type {RecordMeasure} from "../../../server/market/record-measures.ts";
import {
  type Column,
  type Description,
  joined,
  labelledLines,
  nothing,
  tableOf,
  valueText,
} from "../../../server/text/description.ts";
import {marketColumns, marketFacts, type Stated} from "../../../server/text/market-columns.ts";
import {cattleWords, priceWords} from "../../../server/text/market-record.ts";
import {withMeasures} from "../../../server/text/measure-table.ts";
import {coverageText, matchWords} from "../../../server/text/parcel-description.ts";

/** The headers that a narrow terminal leaves out, in that order; those of one step stand together. */
function goneInOrder(columns: readonly Column[]): string[] {
  const steps = Map.groupBy(columns, ({priority = 0}) => priority);
  return [...steps.keys()]
    .filter((step) => step > 0)
    .sort((a, b) => b - a)
    .map((step) =>
      steps
        .get(step)!
        .map(({header}) => header)
        .join(" and "),
    );
}

test("a narrow terminal leaves out of prices and barns first what a reader misses least", () => {
  expect(goneInOrder(marketColumns)).toEqual([
    ...["range", "source", "year", "confidence", "miles and website", "sold", "last reported", "town"],
  ]);
});

/** What a table says of a record, by header. */
function said(record: Stated["record"], evidence?: object): Record<string, string> {
  const [{columns, rows}] = tableOf(marketColumns, [{record, evidence} as Stated]) as [
    Description["tables"][0],
  ];
  return Object.fromEntries(columns.map(({header}, at) => [header, rows[0]![at]!]));
}

const county = {county_name: "Ford County", state: "KS"};
test.each([
  ["a county price", county, {county: "Ford County, KS"}],
  ["a state price", {state: "KS"}, {state: "KS"}],
  ["a barn", {...county, city: "Dodge"}, {county: "Ford County", town: "Dodge, KS"}],
  [
    "a sale",
    {...county, city: "Dodge", report_end_date: "2026-11-18"},
    {town: "Dodge, KS", sold: "2026-11-18"},
  ],
  [
    "sale days",
    {state: "KS", sale_days: ["friday", "tuesday"], sale_time_local: "10:00"},
    {state: "KS", "sale days": "Fri, Tue 10:00"},
  ],
  ["a trade by video", {report_scope: "video_internet", region: "North"}, {trade: "video", region: "North"}],
  ["a sale of a venue", {report_scope: "venue", state: "KS"}, {state: "KS"}],
  ["a range", {price_low: 1, price_high: 20.5, state: "KS"}, {state: "KS", range: "1.00-20.50"}],
  ["half a range", {price_low: 1, price_high: null, state: "KS"}, {state: "KS"}],
  [
    "an estimate",
    {price_avg: 9, price_basis: "nearest_market_estimate", contributing_head: 12},
    {USD: "9.00*", head: "12"},
  ],
  ["an observation", {price_avg: 9, head_count: 1200, contributing_head: 12}, {USD: "9.00", head: "1,200"}],
  ["changes", {change_week: 1.5, change_year: -2}, {week: "+1.50", year: "-2.00"}],
  ["a sale day before others", {sale_date: "2026-11-01", last_sale_date: "2026-11-03"}, {sold: "2026-11-01"}],
  [
    "a figure of several sales",
    {first_sale_date: "2026-11-01", last_sale_date: "2026-11-03"},
    {sold: "2026-11-01 to 2026-11-03"},
  ],
  [
    "an official week",
    {price_basis: "official_state_summary", week_end_date: "2026-11-21", last_sale_date: "2026-11-21"},
    {sold: "week to 2026-11-21"},
  ],
  [
    "a guessed sale day",
    {sale_days: ["friday"], next_sale_date: "2026-11-27", schedule: {verified_by: "reported_sales"}},
    {"sale days": "Fri?", "next sale": "2026-11-27?"},
  ],
  [
    "the calendar of a barn without a report of late",
    {
      sale_days: ["friday"],
      next_sale_date: "2026-11-27",
      status: "unverified",
      schedule: {verified_by: "feed"},
    },
    {"sale days": "Fri?", "next sale": "2026-11-27?", status: "unverified"},
  ],
] as const)("%s is told as people read it", (_, record, expected) => {
  expect(said(record as unknown as Stated["record"])).toEqual(expected);
});

test("a price names its sources and how sure it is, but not that we computed it", () => {
  const evidence = {sources: ["derived-aggregates", "mars", "nws"], confidence: {level: "medium"}};
  expect(said({state: "KS"}, evidence)).toEqual({state: "KS", confidence: "medium", source: "mars, nws"});
  expect(marketFacts({record: {state: "KS", price_avg: null}, evidence} as unknown as Stated)).toMatchObject({
    ...{state: "KS", confidence: "medium", sources: evidence.sources},
  });
});

test.each([
  [{class: "steers", frame: "large", muscle_grade: "2"}, "steers L 2"],
  [{class: "steers", frame: "medium"}, "steers M"],
  [{class: "steers", frame: "giant"}, "steers giant"],
  [
    {class: "cow_calf_pairs", age_class: "3-5", pregnancy_stage: "2nd", offspring_weight: "150-300"},
    "cow calf pairs, 3-5, 2nd, calves 150-300 lb",
  ],
  [
    {class: "steers", lot_descriptors: ["fancy"], delivery: "current", freight: "fob"},
    "steers, fancy, current delivery, fob",
  ],
  [{}, ""],
])("cattle %j are %s", (record, words) => {
  expect(cattleWords(record as Parameters<typeof cattleWords>[0])).toBe(words);
});

test("a price of no stated unit has none", () => {
  expect([priceWords(1.5, undefined), priceWords(900, "per_head"), priceWords(undefined, "per_cwt")]).toEqual(
    [...["1.50", "900.00/head", ""]],
  );
});

test.each([
  [1234.5, "1,234.5"],
  [["a", "b"], "a, b"],
  [null, ""],
  [undefined, ""],
  [false, "false"],
  [0, "0"],
])("the value %j is shown as %s", (value, text) => {
  expect(valueText(value)).toBe(text);
});

test("unknown parts leave no separator", () => {
  expect([joined([null, "a", "", 0]), joined(["a", "b"], " of "), joined([])]).toEqual([
    "a, 0",
    "a of b",
    "",
  ]);
});

test("a table has the columns in which something is known, numbers flush right, and no row is no table", () => {
  const columns = [
    {header: "name", cell: ({name}: {name: string}) => name},
    {header: "none", cell: () => null},
    {header: "count", cell: ({name}: {name: string}) => (name === "a" ? 1 : "")},
    {header: "text", cell: () => "7", right: true},
    {header: "left", cell: () => 7, right: false},
  ];
  expect(tableOf(columns, [{name: "a"}, {name: "b"}], "Title")).toMatchObject([
    {
      title: "Title",
      columns: [
        ["name", false],
        ["count", true],
        ["text", true],
        ["left", false],
      ].map(([header, right]) => ({header, right})),
      rows: [
        ["a", "1", "7", "7"],
        ["b", "", "7", "7"],
      ],
    },
  ]);
  expect(tableOf(columns, [])).toEqual([]);
});

test.each([
  [{first: 11, returned: 10, total: 1204}, [["Shown", "11 to 20 of 1,204"]]],
  [{first: 1, returned: 0, total: 0}, []],
  [null, []],
])("of a page %j the part is told that is shown", (page, lines) => {
  expect(labelledLines({...nothing, page, notes: [["Empty", ""]]})).toEqual(lines);
  expect(labelledLines({...nothing, page, notes: [["Note", "n"]], limitations: ["One.", "Two."]})).toEqual([
    ...[...lines, ["Note", "n"], ["Limitations", "One. Two."]],
  ]);
});

const measure: RecordMeasure = {
  ...{
    measure: "value_of_gain",
    venue_id: "v",
    venue_name: "Two Windmills",
    city: null,
    state: "TX",
    month: null,
  },
  ...{
    report_end_date: "2026-11-18",
    cell_id: "feeder-steers-ml1-0500-0549-cwt",
    to_cell_id: "feeder-steers-ml1-0550-0599-cwt",
  },
  ...{value: 1.239, unit: "usd_per_lb_gained", head_count: 40, to_head_count: 12, reason: null},
};

test("measures stand in a table below the prices, with the reason where one has no value", () => {
  const unknown = {
    ...measure,
    value: null,
    reason: "too few",
    to_cell_id: null,
    to_head_count: null,
    month: 11,
  };
  const odd = {...measure, unit: "furlongs"};
  const prices = {title: "Prices", columns: [], rows: []};
  const {tables} = withMeasures({...nothing, tables: [prices]}, [measure, unknown, odd]);
  const [first, second] = tables as [typeof prices, Description["tables"][0]];
  expect(first).toBe(prices);
  const cattle = ["steers-ml1 500-549 lb", "steers-ml1 550-599 lb"];
  const barn = ["Two Windmills, TX", "2026-11-18"];
  expect(second.rows).toEqual([
    ["value of gain", "1.24", "USD/lb gained", ...cattle, "", ...barn, "40 and 12"],
    ["value of gain", "none", "too few", cattle[0], "", "11", ...barn, "40"],
    ["value of gain", "1.24", "furlongs", ...cattle, "", ...barn, "40 and 12"],
  ]);
  expect(goneInOrder(second.columns)).toEqual(["head", "to"]);
  const {tables: none, notes} = withMeasures({...nothing, tables: [prices], notes: [["Other", ""]]}, []);
  expect([none, notes.map(([label]) => label)]).toEqual([[prices], ["Measures", "Other"]]);
});

test.each([
  [
    [{state: "NH", county: "GRAFTON", status: "partial", places: ["Lebanon", "Lyme"]}],
    "GRAFTON, NH partial: Lebanon, Lyme",
  ],
  [
    [
      {state: "KS", status: "planned"},
      {state: "TX", county: "ERATH", status: "live"},
    ],
    "KS planned; ERATH, TX live",
  ],
  [
    [{state: "KS", status: "planned", counties: {withParcels: 0, live: 0, total: 105}}],
    "Kansas: no parcels yet",
  ],
  [
    [{state: "MB", status: "partial", rows: 49, counties: {withParcels: 3, live: 0}}],
    "Manitoba: 49 parcels in 3 municipalities, from extracts",
  ],
] as const)("coverage %j is told as %s", (covered, words) => {
  expect(coverageText(covered as unknown as Parameters<typeof coverageText>[0])).toBe(words);
});

test("a place in a search around a point has no match to tell", () => {
  expect([matchWords(undefined), matchWords({type: "fuzzy", score: 0.5})]).toEqual(["", "fuzzy 0.50"]);
});
