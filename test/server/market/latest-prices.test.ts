import {describe, expect, test} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {latestPrices} from "../../../server/market/latest-prices.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {VenuesNear} from "../../../server/tables/place-index.ts";
import type {BarnKey, Keyed, LatestKey} from "../../../server/tables/record-tables.ts";
import {askEndpoint} from "./ask-endpoint.ts";

const [atElReno, atDodge] = [
  {lat: 35.5, lon: -98},
  {lat: 37.7, lon: -99.9},
];
const steers = {commodity: "feeder_cattle", class: "steers", binLow: 500};
const heifers = {...steers, class: "heifers"};
const sale = {...steers, cellId: "c", isTrade: false, region: "", reportEndDate: "2026-11-18", ordinal: 1};
const elReno = {...sale, state: "OK", venueId: "ok-a", point: atElReno, headline: true};
const trade = {...sale, isTrade: true, state: "", venueId: "", point: null, headline: false, importance: 1};

/** Sales of three venues, and trades of four regions, in the order of the table. */
const keys = Object.entries({
  dodge: {...sale, state: "KS", venueId: "ks-b", point: atDodge, headline: true, importance: 1},
  "el reno 3": {...elReno, ...heifers, headline: false, importance: 3},
  "el reno 2": {...elReno, importance: 2},
  "el reno 1": {...elReno, importance: 1},
  unlocated: {...elReno, venueId: "ok-c", point: null, importance: 1},
  southeast: {...trade, region: "Southeast (AL/FL)"},
  north: {...trade, region: "North Central (IA, NE)"},
  texas: {...trade, ...heifers, state: "TX", region: "Panhandle"},
  national: {...trade, region: "National (all)"},
}).map(([id, key], row): Keyed<LatestKey> & {id: string} => ({...key, id, row}));

const barnOf = (venueId: string, state: string, countyFips: string): BarnKey => ({
  ...{venueId, state, countyFips, countyName: null, city: "Elm", venueName: `Yard ${venueId}`, aliases: []},
  ...{status: "active", point: null, lastSaleDate: "2026-11-11"},
});

const market = {
  latest: {
    keys,
    record: (row: number) => JSON.stringify({id: keys[row]!.id, venue_id: keys[row]!.venueId}),
    evidenceId: () => null,
  },
  venuesNear: new VenuesNear(keys),
  mandatory: null,
  states: {keys: []},
  barns: {
    keys: [barnOf("ok-a", "OK", "40017"), barnOf("ks-b", "KS", "20057"), barnOf("ok-c", "OK", "40027")],
  },
  zip: (zip: string) => (zip === "73036" ? {zip, point: atElReno, method: "zcta"} : null),
  lastKnown: (endpoint: string, area: string) => (/^WY|^02/.test(area) ? null : `${endpoint} of ${area}`),
  context: (type: string, key: string) => [
    {signal: `${type} ${key}`, text: JSON.stringify(`${type} ${key}`), sourceId: "nws"},
  ],
  venueCounties: new Map(),
  sourceEntries: () => [],
} as unknown as MarketArtifacts;

const ask = (question: Record<string, string>) => askEndpoint(latestPrices, market, question);

const near = {lat: "35.5", lon: "-98"};
const inTexas = {lat: "35.4", lon: "-100.2"};
const inAlabama = {lat: "32.8", lon: "-86.8"};
const idsOf = (question: Record<string, string>) => ask(question).records.map(({id}) => id);
const ofElReno = ["el reno 1", "el reno 2", "el reno 3"];
const trades = ["southeast", "north", "texas", "national"];

test.each<[Record<string, string>, string[]]>([
  [{}, ["dodge", "el reno 2", "el reno 1", "unlocated", ...trades]],
  [{class: "heifers"}, ["el reno 3", "texas"]],
  [{state: "OK"}, ["el reno 2", "el reno 1", "unlocated"]],
  [{state: "OK", class: "heifers"}, ["el reno 3"]],
  [{state: "TX"}, ["texas"]],
  [{state: "TX", class: "steers"}, []],
  [{state: "AL"}, ["southeast"]],
  [{state: "NE"}, ["north"]],
  [{venue: "ok-a"}, ofElReno],
  [{venue: "yard"}, ["dodge", ...ofElReno, "unlocated"]],
  [{venue: "yard", state: "KS"}, ["dodge"]],
  [{venue: "yard", class: "heifers"}, ["el reno 3"]],
  [{county: "40017"}, ofElReno],
  [{county: "canadian"}, ofElReno],
  [near, [...ofElReno, ...trades]],
  [{...near, class: "heifers"}, ["el reno 3", "texas"]],
  [{...near, radius: "300"}, [...ofElReno, "dodge", ...trades]],
  [{...near, radius: "300", state: "KS"}, ["dodge"]],
  [{...near, state: "NE"}, ["north"]],
  [{...near, venue: "yard"}, ofElReno],
  [{...near, county: "20057", radius: "300"}, ["dodge"]],
  [{zip: "73036"}, [...ofElReno, ...trades]],
  [{zip: "73037"}, []],
  [{zip: "73037", state: "OK"}, []],
  [inTexas, [...ofElReno, "texas", "southeast", "north", "national"]],
  [{...inTexas, radius: "10"}, ["texas"]],
  [inAlabama, ["southeast"]],
  [{...inAlabama, state: "TX"}, ["texas"]],
])("%j is answered with %j, in this order", (question, ids) => {
  expect(idsOf(question)).toEqual(ids);
});

test("no more than the 25 nearest venues are told", () => {
  const many = Array.from({length: 30}, (_, row) => ({
    ...{...keys[2]!, row, venueId: `v${row}`},
    point: {lat: 35.5 + row / 100, lon: -98},
  }));
  const latest = {...market.latest, keys: many, record: (row: number) => `{"row":${row}}`};
  const crowded = {...market, venuesNear: new VenuesNear(many), latest} as MarketArtifacts;
  const {records} = askEndpoint(latestPrices, crowded, {...near, limit: "100", radius: "300"});
  expect(records.map(({row}) => row)).toEqual(Array.from({length: 25}, (_, row) => row));
});

test("pages of one record are the whole, each with its distance", () => {
  const whole = ask(near).records;
  expect(whole[0]).toMatchObject({distance_mi: 0, distance_method: "great_circle"});
  expect(whole.at(-1)).toMatchObject({distance_mi: null, distance_method: null});
  const pages = whole.map((_, offset) => ask({...near, limit: "1", offset: String(offset)}));
  expect(pages.flatMap(({records}) => records)).toEqual(whole);
  expect(pages[2]!["page"]).toEqual({returned: 1, total: whole.length, limit: 1, offset: 2, truncated: true});
});

describe("the envelope", () => {
  const resolutionOf = (question: Record<string, string>) =>
    (ask(question)["query"] as {resolution: object}).resolution;
  test("says how the place of the question was read", () => {
    expect(resolutionOf({})).toEqual({});
    expect(resolutionOf(near)).toEqual({radius_mi: 150, venues_limit: 25});
    expect(resolutionOf({...near, radius: "40"})).toEqual({radius_mi: 40, venues_limit: 25});
    expect(resolutionOf({zip: "73036"})).toEqual({
      ...{radius_mi: 150, venues_limit: 25},
      zip: {zip: "73036", ...atElReno, method: "zcta"},
    });
    expect(resolutionOf({county: "canadian"})).toEqual({counties: ["40017"]});
    expect(resolutionOf({zip: "73037"})).toEqual({});
    expect(ask({zip: "73037"})).toMatchObject({result_status: "unresolved_location"});
    expect(ask({state: "TX", class: "cows"})).toMatchObject({result_status: "no_rows"});
  });

  test("names the nearest market where no venue is in reach, and says within what", () => {
    const nothingNear = expect.stringMatching(
      /^Nothing reported within 10 miles in the last 60 days; nearest venue .* miles, last sale /,
    );
    const far = ask({...inTexas, radius: "10"});
    expect(far).toMatchObject({result_status: "ok", nearest_market: {venue_id: "ok-a"}});
    expect(far.limitations).toEqual(expect.arrayContaining([limitations.L16, nothingNear]));
    for (const question of [near, {}, {state: "TX"}] as Record<string, string>[])
      expect(ask(question)).not.toHaveProperty("nearest_market");
    expect(ask(near).limitations).toContain(limitations.L16);
    expect(ask(near).limitations.join()).not.toContain("Nothing reported within");
    expect(ask({}).limitations).not.toContain(limitations.L16);
    expect(ask({...near, limit: "999"}).limitations).toContain(limitations.L10);
    expect(ask({county: "09110"}).limitations).toContain(limitations.L19);
  });

  test.each<[Record<string, string>, string | null]>([
    [{class: "bulls"}, null],
    [{county: "48453"}, "latest-prices of 48453"],
    [{county: "48453", state: "TX"}, "latest-prices of 48453"],
    [{state: "WY"}, null],
    [{lat: "61.2", lon: "-149.9"}, "2026-11-18"],
    [{lat: "30", lon: "-130"}, "2026-11-18"],
    [{venue: "ok-a", class: "bulls"}, null],
    [{...near, class: "bulls"}, null],
  ])("where nothing is found by %j the last thing known is %j", (question, last) => {
    expect(ask(question)).toMatchObject({result_status: "no_rows", last_known_source_date: last});
  });

  test.each<[Record<string, string>, string[]]>([
    [{class: "heifers"}, ["venue ok-a", "venue "]],
    [{state: "TX"}, ["state TX", "venue "]],
    [{county: "20057"}, ["county 20057", "state KS", "venue ks-b"]],
    [{county: "20057", state: "KS"}, ["county 20057", "state KS", "venue ks-b"]],
    [{...near, class: "heifers"}, ["county 40017", "state OK", "venue ok-a", "venue "]],
  ])("%j has the signals %j", (question, signals) => {
    expect(ask(question)["context"]).toEqual(signals);
  });
});
