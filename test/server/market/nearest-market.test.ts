import {expect, test} from "vitest";
import {nearestMarket} from "../../../server/market/nearest-market.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {VenuesNear} from "../../../server/tables/place-index.ts";
import type {BarnKey, Keyed, KindTest, LatestKey} from "../../../server/tables/record-tables.ts";

const from = {lat: 35, lon: -98};
const at = (lat: number) => ({lat, lon: -98});
const sale = {
  ...{commodity: "feeder_cattle", class: "steers", binLow: 500, cellId: "c", headline: true, importance: 1},
  ...{isTrade: false, region: "", reportEndDate: "2026-11-18", ordinal: 1},
};

/** The latest sales of three venues, the farther ones first. */
const sales: Keyed<LatestKey>[] = [
  {...sale, row: 0, state: "TX", venueId: "far", point: at(40), reportEndDate: "2026-11-20"},
  {...sale, row: 1, state: "OK", venueId: "middle", point: at(37), class: "heifers"},
  {...sale, row: 2, state: "OK", venueId: "near", point: at(36)},
];
const barn = {
  countyFips: "40017",
  countyName: null,
  city: "Elm",
  venueName: "Barn",
  aliases: [],
  status: "active",
};
/** Barns that sold something some day, or never did, or are nobody knows where. */
const barns: Keyed<BarnKey>[] = [
  {...barn, row: 0, state: "OK", venueId: "older", point: at(37.5), lastSaleDate: "2024-01-09"},
  {...barn, row: 1, state: "OK", venueId: "old", point: at(38), lastSaleDate: "2025-01-07"},
  {...barn, row: 2, state: "OK", venueId: "never", point: at(35.1), lastSaleDate: null},
  {...barn, row: 3, state: "OK", venueId: "unlocated", point: null, lastSaleDate: "2025-06-03"},
  {...barn, row: 4, state: "KS", venueId: "kansas", point: at(37), lastSaleDate: "2025-02-04"},
];
const recordOf = (keys: readonly {venueId: string; state: string}[]) => (row: number) =>
  JSON.stringify({
    ...{venue_id: keys[row]!.venueId, venue_name: "A Yard", city: "Elm", state: keys[row]!.state},
    ...{county_fips: "40017", price_avg: 300},
  });
const market = {
  latest: {record: recordOf(sales)},
  venuesNear: new VenuesNear(sales),
  barns: {keys: barns, record: recordOf(barns)},
} as unknown as MarketArtifacts;

const heifers: KindTest = (kind) => kind.class === "heifers";
const bulls: KindTest = () => false;

test("the sales of a venue come most important first, whatever their order was", () => {
  const of = [3, 1, 2].map((importance, at) => ({...sales[2]!, row: at, importance}));
  const found = new VenuesNear(of).nearest(from, {miles: 100, venues: 1, test: null});
  expect(found.map(({key}) => key.importance)).toEqual([1, 2, 3]);
});

test.each<[string | undefined, KindTest | null, string, string, number]>([
  [undefined, null, "near", "2026-11-18", 69.1],
  ["TX", null, "far", "2026-11-20", 345.5],
  [undefined, heifers, "middle", "2026-11-18", 138.2],
  ["OK", heifers, "middle", "2026-11-18", 138.2],
  ["TX", heifers, "", "", 0],
  ["KS", null, "kansas", "2025-02-04", 138.2],
  [undefined, bulls, "", "", 0],
])(
  "of %s, with a test %o, the nearest market is %j, whose last sale was on %j",
  (state, kind, id, day, miles) => {
    const found = nearestMarket(market, from, {state, test: kind});
    if (id === "") return expect(found).toBeNull();
    expect(found).toEqual({
      ...{venue_id: id, venue_name: "A Yard", city: "Elm", state: expect.any(String), county_fips: "40017"},
      ...{distance_mi: expect.closeTo(miles, 0), last_sale_date: day},
    });
    expect(found!.distance_mi).toBe(Number(found!.distance_mi!.toFixed(1)));
  },
);
