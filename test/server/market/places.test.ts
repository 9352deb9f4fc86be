import {expect, test} from "vitest";
import {
  contextOf,
  isAskedVenue,
  lastSaleOf,
  setMember,
  weatherOf,
  withBand,
  withDistance,
} from "../../../server/market/place-context.ts";
import {findSorted} from "../../../server/tables/mapped-columns.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import type {BarnKey} from "../../../server/tables/record-tables.ts";

/** Signals are named by their area; county 40017 has drought beside its alert. */
const market = {
  context: (kind: string, key: string) =>
    [`${kind} ${key}`, ...(key === "40017" ? ["drought"] : [])].map((signal) => ({
      signal: kind === "county" && signal !== "drought" ? "weather_alert" : signal,
      ...{text: `${kind} ${key}`, sourceId: "nws"},
    })),
  venueCounties: new Map<string, string | null>([
    ["a", "40017"],
    ["b", "40017"],
    ["c", "20057"],
    ["d", null],
  ]),
} as unknown as MarketArtifacts;

test("signals of counties come before those of states", () => {
  const found = contextOf(market, ["KS", "OK"], ["20057"]);
  expect(found.map(({text}) => text)).toEqual(["county 20057", "state KS", "state OK"]);
});

test("a page has the weather of its venues: alerts of their counties once, then forecasts of towns", () => {
  const weather = (venues: string[], counties?: string[]) =>
    weatherOf(market, venues, counties).map(({text}) => text);
  expect(weather(["a", "b", "d", "a", "unknown"])).toEqual([
    ...["county 40017", "venue a", "venue b", "venue d", "venue unknown"],
  ]);
  expect(weather(["a", "c"], ["40017"])).toEqual(["county 20057", "venue a", "venue c"]);
  const many = Array.from({length: 30}, (_, i) => `v${i}`);
  expect(weather(many)).toEqual(many.slice(0, 25).map((venue) => `venue ${venue}`));
});

test.each([
  ['{"a":1,"m":null,"z":null}', '{"a":1,"m":2,"z":null}'],
  ['{"a":1}', '{"a":1,"m":2}'],
  ['{"text":"\\"m\\":null"}', '{"text":"\\"m\\":null","m":2}'],
])("a member is set in its place, or added: %s", (text, set) => {
  expect(setMember(text, "m", 2)).toBe(set);
});

test("a member with a dollar sign is set as it is", () => {
  expect(setMember('{"m":null}', "m", "$& $1")).toBe('{"m":"$& $1"}');
});

test.each([
  ["a distance has its method", 12.5, null, {distance_mi: 12.5, distance_method: "great_circle"}],
  ["no distance has none", null, null, {distance_mi: null, distance_method: null}],
  [
    "an estimate keeps the method of its contributors",
    3,
    "weighted",
    {distance_mi: 3, distance_method: "weighted"},
  ],
])("%s", (_, miles, distance_method, placed) => {
  const text = JSON.stringify({distance_mi: null, distance_method});
  expect(JSON.parse(withDistance(text, miles))).toEqual(placed);
});

test("only the county of the ZIP itself is in_county, however near another is", () => {
  const band = (isPrimary: boolean) =>
    JSON.parse(withBand('{"distance_band":null}', 1, isPrimary)).distance_band;
  expect([band(true), band(false)]).toEqual(["in_county", "near"]);
});

const barn: BarnKey = {
  ...{state: "CT", countyFips: "09110", countyName: "Capitol Planning Region", city: "Old Mill Town"},
  ...{venueName: "Two Windmills Livestock", aliases: [], venueId: "ct-two", status: "active", point: null},
  lastSaleDate: "2026-11-10",
};

test.each([
  [{}, true],
  [{venue: "CT-Two"}, true],
  [{venue: "wind old"}, true],
  [{venue: "mills"}, false],
  [{venue: "wind ford"}, false],
  [{venue: "--"}, false],
  [{state: "CT"}, true],
  [{state: "KS"}, false],
  [{state: "KS", venue: "ct-two"}, false],
  [{county: "09110", codes: ["09110"]}, true],
  [{county: "09110", codes: ["20057"]}, false],
  [{county: "ford", codes: ["20057"]}, false],
])("a barn is asked for by state, county and the beginnings of its words: %j is %s", (asked, expected) => {
  expect(isAskedVenue(barn, {codes: [], ...asked})).toBe(expected);
});

test("a barn without a county is found by none, and the newest sale of those asked for is told", () => {
  const placeless = {...barn, countyFips: null, countyName: null, lastSaleDate: null};
  expect(isAskedVenue(placeless, {county: "ford", codes: ["20057"]})).toBe(false);
  const keys = [
    barn,
    {...barn, lastSaleDate: "2026-11-17"},
    placeless,
    {...barn, state: "KS", lastSaleDate: "2026-11-20"},
  ];
  expect(lastSaleOf(keys, {state: "CT", codes: []})).toBe("2026-11-17");
  expect(lastSaleOf([placeless], {codes: []})).toBeNull();
});

test.each([0, 1, 2, 3, 8])("each of %i sorted texts is found, and none between them", (length) => {
  const texts = Array.from({length}, (_, i) => `k${2 * i + 11}`);
  const find = (wanted: string) => findSorted(length, (row) => texts[row]!, wanted);
  expect(texts.map(find)).toEqual(texts.map((_, i) => i));
  expect(["a", "k12", "k14", "z"].map(find)).toEqual([-1, -1, -1, -1]);
});
