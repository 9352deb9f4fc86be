import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import fc from "fast-check";
import {expect, test} from "vitest";
import {roundedMiles} from "../../../lib/geography/distance-band.ts";
import {CountiesNear} from "../../../server/tables/nearest-counties.ts";
import {VenuesNear} from "../../../server/tables/place-index.ts";
import type {CountyKey, Keyed, LatestKey} from "../../../server/tables/record-tables.ts";

type CountyRow = Keyed<CountyKey>;
type LatestRow = Keyed<LatestKey>;
type Question = Parameters<CountiesNear["nearest"]>[0];

/** Few counties, cells and places, so that ties and empty counties are common. */
const fewCounties = fc
  .array(fc.record({county: fc.nat(7), cell: fc.nat(5), observed: fc.boolean()}), {maxLength: 40})
  .map((made) => made.map((facts, row) => countyRow({...facts, point: onMeridian(facts.county), row})));
/** More counties than the first search finds, on the whole earth, with many at one distance. */
const manyCounties = fc
  .array(
    fc.record({
      county: fc.nat(400),
      cell: fc.nat(5),
      lat: fc.nat(20),
      lon: fc.nat(40),
      observed: fc.boolean(),
    }),
    {minLength: 150, maxLength: 300},
  )
  .map((made) =>
    made.map(({lat, lon, ...facts}, row) =>
      countyRow({...facts, point: {lat: -90 + lat * 9, lon: -180 + lon * 9}, row}),
    ),
  );

function onMeridian(county: number) {
  return county === 7 ? null : {lat: 40 + (county >> 1) * 0.5, lon: -98};
}

type CountyFacts = Pick<CountyRow, "observed" | "point" | "row"> & {county: number; cell: number};

function countyRow({county, cell, ...facts}: CountyFacts): CountyRow {
  const state = county % 3 === 0 ? "KS" : "OK";
  const kind = {...kindOf(cell), cellId: `cell ${cell}`, importance: facts.row, headline: true};
  return {state, countyFips: `${20000 + county}`, lastSaleDate: null, ...kind, ...facts};
}

function kindOf(cell: number) {
  return {commodity: "feeder_cattle", class: cell % 2 === 0 ? "steers" : "heifers", binLow: null};
}

/** The order in which the file has the rows: by state and county, of each county what matters first. */
function inFileOrder(rows: readonly CountyRow[]): CountyRow[] {
  const county = (row: CountyRow) => row.state + row.countyFips;
  return rows.toSorted((a, b) => county(a).localeCompare(county(b)) || a.importance - b.importance);
}

const place = fc.oneof(
  fc.record({lat: fc.double({min: 39, max: 42, noNaN: true}), lon: fc.constant(-98.2)}),
  fc.record({lat: fc.nat(20).map((step) => -90 + step * 9), lon: fc.nat(40).map((step) => -180 + step * 9)}),
);
const question = fc.record({
  from: place,
  primaryFips: fc.option(fc.nat(8).map((county) => `2000${county}`)),
  state: fc.option(fc.constantFrom("KS", "OK"), {nil: undefined}),
  test: fc.constantFrom(null, (kind: {class: string}) => kind.class === "steers"),
  maxMiles: fc.constantFrom(0, 150, 1000, 20_000),
  page: fc.record({
    limit: fc.oneof(fc.integer({min: 1, max: 30}), fc.constant(500)),
    offset: fc.oneof(fc.constant(0), fc.nat(40)),
  }),
});

/** The rule of `docs/design/market.md` section 9 as a plain sort of all records. */
function sortedCounties(all: readonly CountyRow[], {from, primaryFips, state, test, maxMiles}: Question) {
  const isPrimary = (key: CountyRow) => key.countyFips === primaryFips;
  return placed(all)
    .filter(({key}) => state === undefined || key.state === state)
    .filter(({key}) => key.observed || isPrimary(key))
    .filter(({key}) => test === null || test(key))
    .map(({key, point}) => ({key, miles: roundedMiles(distanceMiles(from, point))}))
    .filter(({key, miles}) => miles <= maxMiles || isPrimary(key))
    .sort(
      (a, b) =>
        Number(isPrimary(b.key)) - Number(isPrimary(a.key)) ||
        a.miles - b.miles ||
        (a.key.state + a.key.countyFips).localeCompare(b.key.state + b.key.countyFips) ||
        a.key.importance - b.key.importance,
    );
}

/** The rows of each county or venue with its point, which is that of its first row. */
function placed<Key extends CountyRow | LatestRow>(all: readonly Key[]) {
  const idOf = (key: Key) => ("countyFips" in key ? key.countyFips : key.venueId);
  const points = new Map(all.toReversed().map((key) => [idOf(key), key.point]));
  return all.flatMap((key) => {
    const point = points.get(idOf(key));
    return point == null ? [] : [{key, point}];
  });
}

test.each([
  ["few counties", fewCounties],
  ["many counties", manyCounties],
] as const)("the records of the nearest of %s are those of a plain sort of all records", (_, counties) => {
  fc.assert(
    fc.property(counties, question, (made, near) => {
      const all = inFileOrder(made);
      const expected = sortedCounties(all, near);
      const {page, total, hasPrimary} = new CountiesNear(all).nearest(near);
      expect(total).toBe(expected.length);
      expect(hasPrimary).toBe(expected.some(({key}) => key.countyFips === near.primaryFips));
      const {offset, limit} = near.page;
      const shown = expected.slice(offset, offset + limit);
      expect(page.map(({miles, key}) => [miles, key.row])).toEqual(
        shown.map(({miles, key}) => [miles, key.row]),
      );
    }),
  );
});

/** Rows of venues near one another, so that many are equally far away and some have no point. */
const latestRows = fc
  .array(fc.record({venue: fc.nat(120), lat: fc.nat(12), lon: fc.nat(12)}), {maxLength: 200})
  .map((made) =>
    made.map(({venue, lat, lon}, row): LatestRow => {
      const point = venue % 10 === 0 ? null : {lat: 34 + lat / 2, lon: -104 + lon / 2};
      const keys = {state: "KS", venueId: `venue ${venue}`, cellId: `cell ${row}`, importance: row};
      const kind = {...kindOf(lat), headline: true};
      return {
        ...keys,
        ...kind,
        isTrade: false,
        region: "",
        reportEndDate: "2026-11-18",
        ordinal: row,
        point,
        row,
      };
    }),
  );

/** The rule for a point as a plain sort of all venues, of which those equally far away keep the order of the rows. */
function sortedVenues(all: readonly LatestRow[], from: Point, most: Parameters<VenuesNear["nearest"]>[1]) {
  const venues = [...Map.groupBy(placed(all), ({key}) => key.venueId).values()];
  return venues
    .map((rows) => ({
      rows: rows.filter(({key}) => most.test === null || most.test(key)),
      miles: roundedMiles(distanceMiles(from, rows[0]!.point)),
    }))
    .filter(({rows}) => rows.length > 0)
    .filter(({miles}) => miles <= most.miles)
    .sort((a, b) => a.miles - b.miles)
    .slice(0, most.venues)
    .flatMap(({rows, miles}) => rows.map(({key}) => [miles, key.row]));
}

test("the rows of the nearest venues are those of a plain sort of all venues", () => {
  const from = fc.record({
    lat: fc.nat(8).map((step) => 34 + step),
    lon: fc.nat(8).map((step) => -104 + step),
  });
  fc.assert(
    fc.property(latestRows, from, fc.integer({min: 1, max: 40}), fc.boolean(), (all, point, venues, some) => {
      const test = some ? (row: LatestRow) => row.class === "steers" : null;
      const most = {miles: 300, venues, test};
      const rows = new VenuesNear(all).nearest(point, most).map(({key, miles}) => [miles, key.row]);
      expect(rows).toEqual(sortedVenues(all, point, most));
    }),
  );
});
