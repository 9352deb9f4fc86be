import {beforeAll, expect, test} from "vitest";
import type {LatestPrice} from "../../../../schemas/market-records.ts";
import {answersOf, type Built, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const place = {countyFips: "20057", lat: 37.73, lon: -100.06, locationBasis: "yard"} as const;
const venues = [
  venueSaid({venueId: "ks-dodge", name: "Dodge Yards", ...place}),
  venueSaid({venueId: "ok-alpha"}),
];
const dodge = (said: Partial<RowSaid> = {}): RowSaid => ({
  venue: "ks-dodge",
  state: "OK",
  price: 300,
  ...said,
});
const trade = (scope: string): RowSaid => ({
  scope,
  slug: `ams-${scope}`,
  state: "KS",
  region: "South Central",
  price: 250,
});
const bare = {head: null, weight: null, frame: null, grade: null, state: "NE"} as const;

const rows: RowSaid[] = [
  dodge({end: "2026-11-13", price: 290}),
  dodge({end: "2026-11-14", price: 310, head: 9}),
  dodge({end: "2026-11-14", price: 311, slug: "ams-b", class: "heifers", head: 10}),
  dodge({end: "2026-11-14", price: 312, slug: "ams-b", range: [305, null]}),
  {venue: "ok-alpha", end: "2026-09-22", price: 200},
  {venue: "ok-beta", end: "2026-09-21", price: 100},
  {venue: "zz-bare", price: 1, range: [null, null], ...bare},
  {venue: "zz-none", price: 2, range: [null, 3], ...bare, state: null},
  trade("direct"),
  trade("video_internet"),
  trade("state_summary"),
];

let built: Built;
beforeAll(async () => {
  built = await answersOf(rows, venues);
});

/** Values of the latest rows by price; those of one market where it is named. */
const shown = (...names: (keyof LatestPrice)[]) =>
  built.answers.latest
    .map(({record}) => record)
    .sort((a, b) => a.price_avg! - b.price_avg!)
    .map((record) => names.map((name) => record[name]));

test("gives each venue's and each trade's latest sale of the last 60 days, but no summaries", () => {
  expect(shown("report_scope", "venue_id", "price_avg")).toEqual([
    ["venue", "zz-bare", 1],
    ["venue", "zz-none", 2],
    ["venue", "ok-alpha", 200],
    ["direct", null, 250],
    ["video_internet", null, 250],
    ["venue", "ks-dodge", 310],
    ["venue", "ks-dodge", 311],
    ["venue", "ks-dodge", 312],
  ]);
});

test("V25: keeps Monday's feeders of one report number when Wednesday's cows of another are reported", async () => {
  const yard = (said: Partial<RowSaid>): RowSaid => ({venue: "mo-yard", state: "MO", price: 340, ...said});
  const cows = {commodity: "slaughter_cattle", class: "cows", slug: "ams-1797", end: "2026-11-18"} as const;
  const {answers} = await answersOf(
    [
      yard({slug: "ams-1245", end: "2026-11-09", price: 330}),
      yard({slug: "ams-1245", end: "2026-11-16", price: 350}),
      yard({...cows, price: 140}),
      yard({slug: "ams-1797", end: "2026-11-18", price: 300}),
    ],
    venues,
  );
  const rows = answers.latest.map(({record}) => record).sort((a, b) => a.price_avg! - b.price_avg!);
  expect(rows.map((row) => [row.price_avg, row.report_end_date, row.class])).toEqual([
    [140, "2026-11-18", "cows"],
    [300, "2026-11-18", "steers"],
    [350, "2026-11-16", "steers"],
  ]);
  expect(new Set(rows.map((row) => row.evidence_id)).size).toBe(3);
});

test("numbers the rows of two reports of one day without duplicates", () => {
  const numbers = built.answers.latest.flatMap(({record}) =>
    record.venue_id === "ks-dodge" ? record.row_ordinal : [],
  );
  expect(numbers.sort()).toEqual([1, 2, 3]);
});

test("takes a lone price as lowest and highest, and no row thin whose head is unknown", () => {
  expect(
    shown("price_low", "price_high", "head_count", "weight_bin", "thin", "rows", "rows_excluded").slice(0, 3),
  ).toEqual([
    [1, 1, null, null, false, 1, 1],
    [2, 3, null, null, false, 1, 1],
    [200, 200, 10, "750-799", false, 1, 0],
  ]);
  expect(shown("price_low", "price_high", "thin").slice(-3)).toEqual([
    [310, 310, true],
    [311, 311, false],
    [305, 312, false],
  ]);
});

test("takes a row's state from its venue, else its report; trades have a region, direct ones also a state", () => {
  expect(shown("state", "county_fips", "region", "venue_name").map((values) => values.slice(0, 3))).toEqual([
    ["NE", null, null],
    ["", null, null],
    ["OK", null, null],
    ["KS", null, "South Central"],
    [null, null, "South Central"],
    ...Array(3).fill(["KS", "20057", null]),
  ]);
  expect(shown("venue_name").at(-1)).toEqual(["Dodge Yards"]);
});

test("reports missing rows as withdrawn for 60 days, unless their market has a later sale or another issue has such cattle", async () => {
  const market = (venue: string, said: Partial<RowSaid> = {}): RowSaid => ({
    venue,
    state: "OK",
    price: 300,
    ...said,
  });
  const names = ["ok-gone", "ok-same", "ok-later", "ok-earlier"];
  const first = await answersOf(
    names.flatMap((name) => [market(name), market(name, {class: "heifers"})]),
    venues,
    {write: true},
  );
  const withdrawn = async (next: readonly RowSaid[], date: string) => {
    const {answers} = await answersOf([...next, trade("direct")], venues, {date, previous: first.dir});
    return answers.latest.flatMap(({record}) =>
      record.change_status === "withdrawn" ? [[record.venue_id, record.class, record.row_ordinal]] : [],
    );
  };
  const next = [
    market("ok-same"),
    market("ok-later", {end: "2026-11-17"}),
    market("ok-earlier", {end: "2026-11-15"}),
  ];
  expect(await withdrawn(next, "2026-11-22")).toEqual([
    ["ok-earlier", "heifers", 100_000],
    ["ok-gone", "heifers", 100_001],
    ["ok-gone", "steers", 100_002],
    ["ok-same", "heifers", 100_003],
  ]);
  expect(await withdrawn([], "2027-01-15")).toHaveLength(8);
  expect(await withdrawn([], "2027-01-16")).toEqual([]);
});
