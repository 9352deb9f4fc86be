import {expect, test} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import type {Call} from "../../../server/http/endpoint.ts";
import {priceByCounty} from "../../../server/market/price-by-county.ts";
import type {PenArea} from "../../../server/tables/area-pens.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {CountiesNear} from "../../../server/tables/nearest-counties.ts";
import {VenuesNear} from "../../../server/tables/place-index.ts";
import type {CountyKey, Keyed} from "../../../server/tables/record-tables.ts";
import {generationOf} from "../server-fixture.ts";

const dodge = {lat: 37.75, lon: -100.02};
const kind = {commodity: "feeder_cattle", class: "steers", binLow: 500, headline: true, importance: 1};
const row = (
  at: number,
  state: string,
  countyFips: string,
  more: Partial<CountyKey> = {},
): Keyed<CountyKey> => ({
  ...{...kind, row: at, state, countyFips, cellId: "cell", observed: true, point: dodge},
  ...{lastSaleDate: "2026-11-18", ...more},
});
const keys = [
  row(0, "CT", "09110", {point: null}),
  row(1, "KS", "20055", {point: {lat: 38.04, lon: -100.74}}),
  row(2, "KS", "20057"),
  row(3, "KS", "20069", {observed: false, point: {lat: 37.74, lon: -100.45}}),
];
const sale = {
  ...{
    venueId: "ks-dodge",
    venueName: "Yard",
    place: "Dodge City, KS",
    state: "KS",
    countyFips: "20057",
    miles: 1,
  },
  ...{date: "2026-11-18", issueId: "ams-1@2026-11-18", sourceId: "mars", isNew: false, preliminary: false},
  ...{ingestedAt: null, verifiedAt: null},
};
const steers = [500, 515, 530, 545, 560].map((weightLb) => ({
  ...{grade: "1", weightLb, price: 400, head: 30, ageDays: 3, sale},
}));
/** The areas whose pens were asked for. */
const areas: PenArea[] = [];
const zips: Record<string, object> = {
  "67801": {point: dodge, countyFips: "20057", counties: [{county_fips: "20057", share: 1}]},
  "67802": {
    point: dodge,
    countyFips: "20057",
    counties: [
      {county_fips: "20057", share: 0.5},
      {county_fips: "20055", share: 0.5},
    ],
  },
  "67803": {
    point: dodge,
    countyFips: "20057",
    counties: [
      {county_fips: "20057", share: 0.4},
      {county_fips: "20055", share: 0.35},
    ],
  },
  "67835": {point: {lat: 37.74, lon: -100.45}, countyFips: "20069", counties: []},
  "96799": {point: {lat: -14.3, lon: -170.7}, countyFips: "60050", counties: []},
  "06101": {point: {lat: 41.77, lon: -72.67}, countyFips: "09110", counties: []},
  "00001": {point: null, countyFips: null, counties: []},
};
const venue = {...kind, row: 0, state: "KS", cellId: "cell", isTrade: false, region: "", ordinal: 1};
const barnPlaces = [
  {venueId: "ks-old", lastSaleDate: "2026-05-01"},
  {venueId: "ks-shut", lastSaleDate: null, status: "closed"},
  {venueId: "ks-nowhere", lastSaleDate: null, point: null},
  ...[5, 1, 4, 2, 3].map((step) => ({
    ...{venueId: `ks-${step}`, lastSaleDate: null, point: {...dodge, lat: dodge.lat + step / 10}},
  })),
];
const market = {
  states: {keys: []},
  counties: {
    keys,
    record: (at: number) => {
      const {countyFips: county_fips, state} = keys[at]!;
      return JSON.stringify({
        ...{county_fips, state, county_name: "A County", distance_mi: null, distance_band: null, ...kind},
        ...{
          frame: "small",
          muscle_grade: "1",
          price_unit: "per_cwt",
          weight_bin: "500-549",
          head_count: 20,
          rows: 2,
        },
        ...{
          price_low: 1,
          price_high: 2,
          first_sale_date: "2026-11-18",
          last_sale_date: "2026-11-18",
          cell_id: "cell",
        },
      });
    },
    evidenceId: () => "e",
  },
  countiesNear: new CountiesNear(keys),
  salePens: {
    of(area: PenArea) {
      areas.push(area);
      return {steers, heifers: []};
    },
    official: () => [],
    cells: () => [],
  },
  venuesNear: new VenuesNear([{...venue, venueId: "ks-dodge", point: dodge, reportEndDate: "2026-11-17"}]),
  latest: {record: () => JSON.stringify({venue_id: "ks-dodge", state: "KS"})},
  barns: {
    keys: barnPlaces.map((barn, at) => ({row: at, state: "KS", status: "active", point: dodge, ...barn})),
    record: (at: number) =>
      JSON.stringify({venue_id: barnPlaces[at]!.venueId, state: "KS", last_reported_sale_date: "2026-05-01"}),
  },
  fresherSummaries: new Map([["KS", {state: "KS", week_end_date: "2026-11-20", report_slug: "ams-1"}]]),
  evidence: () => ({
    ...{sources: ["mars"], sourceDate: "2026-11-18", limitations: []},
    text: JSON.stringify({
      ...{
        entity_ids: ["venue:a"],
        sources: ["mars"],
        limitations: [],
        contradictions: null,
        change_status: "new",
      },
      ...{ingested_at: null, last_verified_at: null, transformation: {inputs: []}},
    }),
  }),
  sourceEntries: () => [],
  zip: (zip: string) => (zips[zip] === undefined ? null : {zip, method: "zcta", ...zips[zip]}),
  lastKnown: (_: string, area: string) =>
    ({"20069": "2026-07-01", KS: "2026-08-01", TX: "2026-06-01"})[area] ?? null,
  context: (type: string, key: string) => [
    {signal: "s", text: JSON.stringify(`${type} ${key}`), sourceId: "nws"},
  ],
  history: (key: string, weeks: number, last: string) => [JSON.stringify([key, weeks, last])],
} as unknown as MarketArtifacts;

function ask(question: Record<string, string>) {
  const query = priceByCounty.parameters.parse(question);
  const call = {
    query,
    generation: generationOf(market),
    settings: readSettings({}),
    ignored: [],
    oldBuild: false,
  };
  const {body} = priceByCounty.answer(call as unknown as Call<unknown>) as {body: string};
  return JSON.parse(body);
}

test.each([
  [{state: "KS"}, "KS", "in Kansas", {state: "KS"}],
  [{county: "20057"}, "20057", "in Ford County, KS", {counties: ["20057"]}],
  [{county: "09110"}, "09110", "in county 09110", {counties: ["09110"]}],
  [{zip: "67801"}, "67801-150", "within 150 miles of 67801", {around: {point: dodge, miles: 150}}],
  [
    {zip: "67801", state: "KS", radius: "50"},
    "67801-KS-50",
    "within 50 miles of 67801 in Kansas",
    {around: {point: dodge, miles: 50}, state: "KS"},
  ],
])(
  "the summary of %j says where, in its id and in words, and is of the venues there",
  (place, id, words, area) => {
    const {summary} = ask({class: "steers", weight: "520", ...place});
    expect(summary.evidence_id).toBe(`cs-${id}-steers-520`);
    expect(summary.sentence).toMatch(
      new RegExp(` USD per cwt ${words} by the prices at (one sale|2 sales) (on|from) `),
    );
    expect(areas.at(-1)).toMatchObject(area);
  },
);

test.each([
  [{}, /^No summary: name a ZIP, a county or a state/],
  [{county: "ford"}, /^No summary: several counties are called so; name the state as well\.$/],
  [{county: "Richmond", state: "VA"}, /^No summary: several counties are called so; give the FIPS code\.$/],
])("there is no summary of %j", (place, reason) => {
  const answer = ask({class: "steers", weight: "520", ...place});
  expect(answer).toMatchObject({summary: null, summary_reason: expect.stringMatching(reason)});
});

const fipsOf = ({records}: {records: {county_fips: string}[]}) => records.map(({county_fips}) => county_fips);

test.each([
  [{}, ["09110", "20055", "20057"]],
  [{state: "KS"}, ["20055", "20057"]],
  [{county: "20069"}, ["20069"]],
  [{county: "20057", class: "heifers"}, []],
  [{zip: "67801"}, ["20057", "20055"]],
  [{zip: "67835"}, ["20069", "20057", "20055"]],
  [{zip: "67835", radius: "25"}, ["20069", "20057", "20055"].slice(0, 2)],
  [{zip: "67801", state: "CT"}, []],
])("%j has the records of %j", (question, expected) => {
  expect(fipsOf(ask(question))).toEqual(expected);
});

test.each([
  [{zip: "67801"}, "ok"],
  [{zip: "06101", radius: "10"}, "no_rows"],
  [{zip: "00001"}, "unresolved_location"],
  [{zip: "99999"}, "unresolved_location"],
  [{zip: "67801", state: "KS"}, "ok"],
])("%j is answered %s", (question, status) => {
  expect(ask(question).result_status).toBe(status);
});

test("a summary that is fresher, and the nearest market where nothing is near, are pointed to", () => {
  const [near, far, plain] = [ask({zip: "67801"}), ask({zip: "96799", radius: "50"}), ask({state: "KS"})];
  expect(near.state_summary).toMatchObject({report_slug: "ams-1"});
  expect(near).not.toHaveProperty("nearest_market");
  expect(far).toMatchObject({nearest_market: {venue_id: "ks-dodge"}, last_known_source_date: "2026-11-17"});
  expect(far.limitations.join()).toContain("within 50 miles");
  expect(ask({zip: "67801", class: "heifers"})).not.toHaveProperty("nearest_market");
  expect(ask({zip: "67801", state: "CT"})).not.toHaveProperty("nearest_market");
  for (const answer of [far, plain]) expect(answer).not.toHaveProperty("state_summary");
});

test.each([
  [{state: "TX"}, "2026-06-01"],
  [{zip: "67835", state: "TX"}, "2026-07-01"],
  [{county: "20069", class: "heifers"}, null],
  [{zip: "67801", class: "heifers"}, null],
])("nothing for %j was last known on %s", (question, date) => {
  expect(ask(question)).toMatchObject({records: [], last_known_source_date: date});
});

test.each([
  ["67801", "", []],
  ["67802", "", ["ZIP spans several counties."]],
  [
    "67803",
    "",
    ["ZIP 67803 is split over counties by land area: 20057 0.4, 20055 0.35.", "ZIP spans several counties."],
  ],
  ["67801", "KS", []],
  ["67801", "CT", ["ZIP 67801 lies in KS, not in CT; both filters were applied."]],
])("ZIP %s with state %s says %j of its counties", (zip, state, sentences) => {
  const {limitations} = ask({zip, ...(state === "" ? {} : {state})});
  expect(limitations.filter((each: string) => each.startsWith("ZIP"))).toEqual(sentences);
});

test("distances are explained where there are any, and changed county codes where they are asked for", () => {
  const says = (question: Record<string, string>) => {
    const text = ask(question).limitations.join();
    return [text.includes("straight-line"), text.includes("vintages differ")];
  };
  expect([says({zip: "67801"}), says({zip: "67801", class: "bulls"}), says({state: "KS"})]).toEqual([
    ...[
      [true, false],
      [false, false],
      [false, false],
    ],
  ]);
  expect([says({county: "09110"}), says({zip: "06101"})]).toEqual([
    [false, true],
    [false, true],
  ]);
});

test.each([
  [{}, []],
  [{state: "KS"}, ["state KS"]],
  [{county: "20057", state: "KS"}, ["county 20057", "state KS"]],
  [{zip: "67801"}, ["county 20057", "state KS"]],
  [{zip: "67801", state: "CT"}, ["county 20057", "state KS", "state CT"]],
])("%j has the signals of %j", (question, areas) => {
  expect(ask(question).context).toEqual(areas);
});

test("only observations have a band and a history, and only the county of the ZIP is in_county", () => {
  const {records} = ask({zip: "67835", history: "4"});
  const told = records.map(({distance_band, distance_mi, history}: Record<string, unknown>) => ({
    ...{distance_band, distance_mi, history},
  }));
  expect(told).toEqual([
    {distance_band: null, distance_mi: 0, history: []},
    {distance_band: "near", distance_mi: 23.5, history: [["20057|cell", 4, "2026-11-18"]]},
    {distance_band: "local", distance_mi: 26.1, history: [["20055|cell", 4, "2026-11-18"]]},
  ]);
  const [first] = ask({zip: "67801"}).records;
  expect([first.distance_band, "history" in first]).toEqual(["in_county", false]);
  expect(ask({state: "KS"}).records[0]).toMatchObject({distance_mi: null, distance_band: null});
});

test("a question names its ZIP or its counties as they were resolved", () => {
  const resolved = (question: Record<string, string>) => ask(question).query.resolution;
  expect(resolved({zip: "67801"})).toEqual({
    zip: {
      zip: "67801",
      primary_county_fips: "20057",
      ...dodge,
      method: "zcta",
      zip_counties: [{county_fips: "20057", share: 1}],
    },
  });
  expect(resolved({zip: "67835"}).zip).not.toHaveProperty("zip_counties");
  expect([resolved({zip: "00001"}), resolved({county: "ford", state: "KS"}), resolved({})]).toEqual([
    ...[{zip: null}, {counties: ["20057"]}, {}],
  ]);
  expect(() => ask({zip: "67801", county: "20057"})).toThrow(
    expect.objectContaining({slug: "invalid-parameter"}),
  );
});

test("a ZIP has its five nearest barns but for closed ones, whether or not they sold anything", () => {
  const ids = (question: Record<string, string>) =>
    (ask(question)["nearest_barns"] as {venue_id: string; distance_mi: number}[]).map(
      ({venue_id, distance_mi}) => `${venue_id} ${Math.round(distance_mi)}`,
    );
  const nearest = ["ks-old 0", "ks-1 7", "ks-2 14", "ks-3 21", "ks-4 28"];
  expect(ids({zip: "67801"})).toEqual(nearest);
  expect(ids({zip: "67801", class: "heifers"})).toEqual(nearest);
  const others: Record<string, string>[] = [{zip: "00001"}, {county: "20057"}, {state: "KS"}];
  for (const other of others) expect(ask(other)).not.toHaveProperty("nearest_barns");
});
