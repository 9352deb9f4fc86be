import fc from "fast-check";
import {expect, test} from "vitest";
import {distanceMiles, roundedMiles} from "../../../lib/geography/distance.ts";
import type {CountyKey} from "../../../server/market/artifacts.ts";
import {countiesNear, nearestRows} from "../../../server/market/nearest-counties.ts";

type Row = CountyKey & {row: number};

/** Few counties, cells and places, so that ties and empty counties are common. */
const rows = fc
  .array(fc.record({county: fc.nat(7), cell: fc.nat(5), observed: fc.boolean()}), {maxLength: 40})
  .map((made) =>
    made.map(({county, cell, observed}, row): Row => {
      const point = county === 7 ? null : {lat: 40 + (county >> 1) * 0.5, lon: -98};
      const state = county % 3 === 0 ? "KS" : "OK";
      const keys = {
        state,
        countyFips: `2000${county}`,
        countyName: `County ${county}`,
        cellId: `cell ${cell}`,
      };
      return {...keys, headline: true, observed, point, row};
    }),
  );
const question = fc.record({
  from: fc.record({lat: fc.double({min: 39, max: 42, noNaN: true}), lon: fc.constant(-98.2)}),
  primaryFips: fc.option(fc.nat(8).map((county) => `2000${county}`)),
  state: fc.option(fc.constantFrom("KS", "OK"), {nil: undefined}),
  most: fc.integer({min: 1, max: 30}),
});
type Question = Parameters<typeof nearestRows>[1];

/** The rule of `docs/design/market.md` section 9 as a plain sort of all records. */
function sorted(all: readonly Row[], {from, primaryFips, state}: Question) {
  const isPrimary = (key: Row) => key.countyFips === primaryFips;
  return all
    .filter((key) => key.point !== null && (state === undefined || key.state === state))
    .filter((key) => key.observed || isPrimary(key))
    .map((key) => ({key, miles: roundedMiles(distanceMiles(from, key.point!))}))
    .sort(
      (a, b) =>
        Number(isPrimary(b.key)) - Number(isPrimary(a.key)) ||
        a.miles - b.miles ||
        a.key.cellId.localeCompare(b.key.cellId),
    );
}

test("the nearest counties' records are those of a plain sort of all records", () => {
  fc.assert(
    fc.property(rows, question, (all, asked) => {
      const expected = sorted(all, asked);
      const {page, total, hasPrimary} = nearestRows(countiesNear(all), asked);
      expect(total).toBe(expected.length);
      expect(hasPrimary).toBe(expected.some(({key}) => key.countyFips === asked.primaryFips));
      const shown = expected.slice(0, asked.most);
      expect(page.map(({miles, key}) => [miles, key.cellId])).toEqual(
        shown.map(({miles, key}) => [miles, key.cellId]),
      );
    }),
  );
});
