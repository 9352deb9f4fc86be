import {join} from "node:path";
import * as fc from "fast-check";
import {expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../../lib/storage/build-layout.ts";
import {priceFiles, valueHashOf} from "../../../../pipeline/market/answers/drafts.ts";
import {fieldsIn, rounded} from "../../../../schemas/market-fields/market-field.ts";
import {type PriceRecord, priceFields} from "../../../../schemas/market-fields/price.ts";
import {marketFiles} from "../../../../schemas/market-files.ts";
import {answersOf, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const venues = [
  venueSaid({
    venueId: "ks-dodge",
    name: 'The "Old" Yard\u2028 \\ & Sons\t\u0007',
    countyFips: "20057",
    lat: 37.73,
    lon: -100.06,
    locationBasis: "yard",
  }),
];
const ks = (said: Partial<RowSaid> & {price: number}): RowSaid => ({
  state: "KS",
  venue: "ks-dodge",
  head: 20,
  ...said,
});
const rows = [
  ks({price: 263.08, weight: 761}),
  ks({price: 255.5, weight: 779, end: "2026-11-09"}),
  ks({
    price: 1500,
    unit: "per_head",
    class: "cows",
    commodity: "slaughter_cattle",
    quality: "boner",
    bin: null,
  }),
  ks({price: 400, scope: "state_summary", begin: "2026-11-08", end: "2026-11-14", state: "OK"}),
];

it("has equal values in a price record's columns, JSON text and hash input", async () => {
  const first = await answersOf(rows, venues, {write: true});
  const next = await answersOf(
    [ks({price: 264, weight: 761}), ks({price: 250, class: "heifers", slug: "ams-901"}), rows[3]!],
    venues,
    {
      previous: first.dir,
      date: "2026-11-22",
    },
  );
  const statuses = new Set<unknown>();
  for (const record of ["county", "state", "latest"] as const satisfies PriceRecord[]) {
    const fields = fieldsIn(priceFields, record);
    for (const row of await next.db.rows(`SELECT * FROM ${priceFiles[record]}`)) {
      const told = JSON.parse(String(row["record"])) as Record<string, unknown>;
      expect(JSON.stringify(told)).toBe(row["record"]);
      for (const [name, {json, perQuery}] of fields.filter(([name]) => name !== "history")) {
        const column = perQuery ? null : row[name];
        expect(json && column !== null ? JSON.parse(String(column)) : column, name).toEqual(told[name]);
      }
      const revising = fields.filter(([, {revises}]) => revises).map(([name]) => [name, told[name]]);
      const hash = valueHashOf(Object.fromEntries(revising));
      if (told["change_status"] !== "withdrawn") expect(row["value_hash"]).toBe(hash);
      statuses.add(told["change_status"]);
    }
  }
  expect([...statuses].sort()).toEqual(["new", "revised", "unchanged", "withdrawn"]);
});

it("writes points, which map tools read, into the table of barns alone", async () => {
  const {db, dir} = await answersOf(rows, venues, {write: true});
  const mapped: string[] = [];
  for (const name of Object.keys(marketFiles)) {
    const place = sqlText(join(dir, tablePath(name)));
    const entries = await db.rows<{key: string}>(
      `SELECT decode(key) AS key FROM parquet_kv_metadata(${place})`,
    );
    if (entries.some(({key}) => key === "geo")) mapped.push(name);
  }
  expect(mapped).toEqual(["barns"]);
});

it("V21 rounds in SQL as everywhere: half away from zero on the shortest decimal form", async () => {
  const db = await openDatabase();
  const near = fc.tuple(
    fc.integer({min: -3_000_000, max: 3_000_000}),
    fc.constantFrom(0, 1e-12, -1e-12, 1e-4),
  );
  const values = [
    2.675,
    -0.955,
    450.7393,
    1.005,
    0.005,
    -0.005,
    0,
    ...fc.sample(fc.double({min: -20_000, max: 20_000, noNaN: true}), 2000),
    ...fc.sample(near, 2000).map(([thousandths, off]) => thousandths / 1000 + off),
  ];
  const found = await db.rows<{
    cents: number;
    whole: number;
  }>(`SELECT ${rounded("value", 2)}::DOUBLE AS cents, ${rounded("value", 0)} AS whole
    FROM (SELECT unnest([${values.map((value) => value.toExponential()).join(", ")}]::DOUBLE[]) AS value)`);
  db.close();
  expect(found.map(({cents}) => cents + 0)).toEqual(values.map((value) => roundHalfAway(value, 2) + 0));
  expect(found.map(({whole}) => whole + 0)).toEqual(values.map((value) => roundHalfAway(value, 0) + 0));
});

it("V9 counts the age of each head behind a pooled price, not that of the newest sale", async () => {
  const two = venueSaid({
    ...{venueId: "ks-far", countyFips: "20055", lat: 38.04, lon: -100.83, locationBasis: "yard"},
  });
  const {answers} = await answersOf(
    [
      ks({price: 360, weight: 761, head: 9, end: "2026-11-19"}),
      ks({price: 350, weight: 761, head: 200, end: "2026-10-26"}),
    ],
    [...venues, two],
  );
  const of = (id: string) => answers.evidence.find(({evidence_id}) => evidence_id.startsWith(id))!.confidence;
  // (9 * 1 + 200 * 0.5) / 209; the newest sale alone would give 1.
  expect(of("pc-20057")).toMatchObject({level: "medium", score: 0.4224, factors: {recency: 0.5215}});
  const estimates = answers.counties.filter(
    ({record}) => record.price_basis === "nearest_market_estimate" && record.county_fips === "20055",
  );
  expect(estimates.map(({record}) => of(record.evidence_id).factors!.recency)).toEqual([0.5215]);
});
