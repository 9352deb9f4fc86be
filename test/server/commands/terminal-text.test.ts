import {expect, test} from "vitest";
import {terminalText} from "../../../server/commands/terminal-text.ts";
import {describeAnswer} from "../../../server/text/describe-answer.ts";
import {type Description, nothing} from "../../../server/text/description.ts";

const answer: Description = {
  ...nothing,
  headline: ["A part of the question has no answer here."],
  tables: [
    {
      title: "Weeks",
      columns: [
        {header: "county"},
        {header: "cattle"},
        {header: "USD", right: true},
        {header: "range", right: true, priority: 5},
        {header: "source", priority: 4},
      ],
      rows: [
        [
          "Invented Prairie County, KS",
          "steers M&L 1-2, fancy, value added",
          "372.25/cwt",
          "1.00-2.00",
          "mars",
        ],
        ["Ford County, KS", "cows", "98.00/cwt", "90.00-99.00", "ams-lmr-datamart"],
      ],
    },
  ],
  limitations: ["Prices are for the stated report dates and venues, not current bids."],
};

test("a wide terminal gets every column in one line a row, numbers flush right", () => {
  const lines = terminalText(answer, 120).split("\n");
  expect(lines.slice(2, 7)).toEqual([
    "Weeks",
    "county                       cattle                                     USD        range  source",
    expect.stringMatching(/^─+$/),
    "Invented Prairie County, KS  steers M&L 1-2, fancy, value added  372.25/cwt    1.00-2.00  mars",
    "Ford County, KS              cows                                 98.00/cwt  90.00-99.00  ams-lmr-datamart",
  ]);
});

test.each([50, 60, 80, 100])(
  "no line is longer than a terminal of %i columns, and no price is cut",
  (width) => {
    const text = terminalText(answer, width);
    expect(text.split("\n").filter((line) => line.length > width)).toEqual([]);
    expect(text).toContain("372.25/cwt");
    expect(text).not.toContain("…");
  },
);

test("columns with a priority go first, those of the highest number before the others", () => {
  expect(terminalText(answer, 85)).toContain("90.00-99.00");
  expect(terminalText(answer, 80)).not.toContain("90.00-99.00");
  expect(terminalText(answer, 80)).toContain("ams-lmr-datamart");
  expect(terminalText(answer, 70)).not.toContain("ams-lmr-datamart");
});

test("columns that were left out are told in one line", () => {
  const told = (width: number) =>
    terminalText(answer, width)
      .split("\n")
      .filter((line) => line.startsWith("Left out"));
  expect(told(120)).toEqual([]);
  expect(told(80)).toEqual(["Left out     range; a wider terminal or --json has them"]);
  expect(told(70)).toEqual(["Left out     range, source; a wider terminal or --json has them"]);
});

test.each([60, 80, 120])("the change of the week keeps its column at %i columns", (width) => {
  const record = {
    county_name: "Invented Prairie County",
    state: "KS",
    class: "steers",
    frame: "medium_and_large",
    muscle_grade: "1-2",
    weight_bin: "550-599",
    price_avg: 354.36,
    price_low: 340,
    price_high: 371.25,
    price_unit: "per_cwt",
    price_basis: "observed_in_county",
    head_count: 1067,
    rows: 4,
    change_week: 3.75,
    change_year: 61.25,
    last_sale_date: "2026-11-18",
    distance_mi: 109.2,
    evidence_id: "e",
  };
  const body = JSON.stringify({...envelope, records: [record], evidence});
  const text = terminalText(describeAnswer("/price-by-county", {ok: true, body}), width);
  expect(text).toMatch(/USD.*head.*week/);
  expect(text).toMatch(/354\.36\/cwt +1,067 +\+3\.75/);
  expect(text.split("\n").filter((line) => line.length > width)).toEqual([]);
});

const envelope = {
  generated_at: "2026-11-21T06:10:00Z",
  source_date_earliest: "2026-11-18",
  build_id: "20261121-bbbbbb",
  as_of_date: "2026-11-21",
  source_date: "2026-11-18",
  sources: ["mars"],
  limitations: ["Market information only."],
  result_status: "ok",
  query: {applied: {}, ignored: [], resolution: {}},
  context: [],
  source_registry: [],
  page: {returned: 1, total: 1, limit: 25, offset: 0, truncated: false},
};
const evidence = [
  {
    evidence_id: "e",
    claim: "Steers averaged 354.36 USD per cwt.",
    entity_ids: ["report:ams-1280@2026-11-18"],
    sources: ["ams-lmr-datamart"],
    confidence: {level: "high", score: 0.9, factors: null},
  },
];

test("a header is never cut: it keeps its longest word and is broken between words", () => {
  const columns = [{header: "town"}, {header: "last reported"}, {header: "confidence"}];
  const rows = [["Invented Prairie Junction City, KS", "2026-11-18", "low"]];
  const lines = terminalText({...nothing, tables: [{title: "", columns, rows}]}, 34).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^town +last +confidence$/),
    expect.stringMatching(/^ +reported$/),
    expect.stringMatching(/^─{1,34}$/),
  ]);
});

test("begins with the headline or, without one, with the claim of the first record alone", () => {
  const claims = ["Steers averaged 354.36 USD per cwt.", "Heifers averaged 340.10 USD per cwt."];
  expect(terminalText({...nothing, claims}, 80)).toBe(claims[0]);
  const headline = ["2 records."];
  expect(terminalText({...nothing, headline, claims}, 80)).toBe(headline[0]);
});
