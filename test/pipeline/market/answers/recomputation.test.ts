import {expect, it} from "vitest";
import {answersOf, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const venues = [
  venueSaid({
    venueId: "ks-dodge",
    countyFips: "20057",
    lat: 37.73,
    lon: -100.06,
    locationBasis: "city_centroid",
  }),
  venueSaid({venueId: "ks-pratt", countyFips: "20151", lat: 37.635, lon: -98.774, locationBasis: "yard"}),
  venueSaid({venueId: "ks-nowhere"}),
];

it("agrees with an independent recomputation over a generated market", async () => {
  const rows = generatedRows();
  const built = await answersOf(rows, venues);
  const expected = recomputed(rows.filter((row) => row.venue !== "ks-nowhere"));
  const observed = await built.db.rows<{
    county_fips: string;
    weight_bin: string;
    price: number;
    head_count: number;
  }>(
    "SELECT county_fips, weight_bin, price_avg_unrounded AS price, head_count FROM county_prices WHERE price_basis = 'observed_in_county'",
  );
  expect(observed.length).toBe(expected.size);
  for (const record of observed) {
    const {price, head} = expected.get(`${record.county_fips}|${record.weight_bin}`)!;
    expect(record.price).toBeCloseTo(price, 9);
    expect(record.head_count).toBe(head);
  }
});

/** A market of two located venues with a few hundred rows from a small linear congruential generator. */
function generatedRows(): RowSaid[] {
  let seed = 20261121;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  return Array.from({length: 240}, () => {
    const weight = 400 + random(500);
    return {
      state: "KS",
      venue: ["ks-dodge", "ks-pratt", "ks-nowhere"][random(3)]!,
      end: ["2026-11-16", "2026-11-09", "2026-10-26", "2026-10-12"][random(4)]!,
      head: 1 + random(12),
      weight,
      price: 300 + random(5000) / 100,
    };
  });
}

/** The rule of the county window, reimplemented in plain arithmetic. */
function recomputed(rows: RowSaid[]): Map<string, {price: number; head: number}> {
  const county = (row: RowSaid) => (row.venue === "ks-dodge" ? "20057" : "20151");
  const bin = (row: RowSaid) =>
    `${Math.floor(row.weight! / 50) * 50}-${Math.floor(row.weight! / 50) * 50 + 49}`;
  const since = (from: string) => rows.filter((row) => row.end! >= from);
  const pool = (some: RowSaid[]) => {
    const head = some.reduce((sum, row) => sum + row.head!, 0);
    const pounds = some.reduce((sum, row) => sum + row.head! * row.weight!, 0);
    return {head, price: some.reduce((sum, row) => sum + row.head! * row.weight! * row.price!, 0) / pounds};
  };
  const group = (some: RowSaid[]) => Map.groupBy(some, (row) => `${county(row)}|${bin(row)}`);
  const narrow = group(since("2026-11-07"));
  return new Map(
    [...group(since("2026-10-24"))].map(([key, wide]) => {
      const enough = narrow.has(key) && pool(narrow.get(key)!).head >= 10;
      return [key, pool(enough ? narrow.get(key)! : wide)];
    }),
  );
}
