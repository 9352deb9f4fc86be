import {expect, test} from "vitest";
import {isUnread} from "../../../pipeline/results/report-counts.ts";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const numbers = ["1-1", "1-2", "1-3"];
/** A build of three rows with a further cell each. */
async function withCells(cell: (i: number) => Record<string, unknown>) {
  const files = await rawFiles({"roll.csv": csv(numbers.map((pin, i) => row(pin, cell(i))))});
  const made = await built(files, [invented()]);
  const rows = await parquetRows(made.outDir, "parcels", "lon, lat, situs_raw, city, flags");
  return {rows, report: made.files[0]!};
}

test.each([
  ["POINT (-97.75 30.25)"],
  ["100 OAK ST\nAUSTIN, TX\n(30.250000, -97.750000)"],
  ["010100000000000000007058c00000000000403e40"],
  ['{"type":"Point","coordinates":[-97.75,30.25]}'],
])("reads the place of %s from a column that the entry does not name (R08)", async (text) => {
  const {rows, report} = await withCells(() => ({location_1: text}));
  expect(rows.map(({lon, lat}) => [lon, lat].map((each) => Math.round(Number(each))))).toEqual([
    [-98, 30],
    [-98, 30],
    [-98, 30],
  ]);
  expect(isUnread(report)).toBe(false);
});

test("takes the place below an address for the point, and the lines above for the address", async () => {
  const {rows} = await withCells((i) => ({SITUS: `10${i} OAK ST\nAUSTIN, TX\n(30.250000, -97.750000)`}));
  expect(rows).toMatchObject([
    {lat: 30.25, situs_raw: "100 OAK ST, AUSTIN, TX", city: "AUSTIN"},
    {lat: 30.25, situs_raw: "101 OAK ST, AUSTIN, TX"},
    {lat: 30.25},
  ]);
});

const placed = (i: number) => `1${i} OAK ST\nAUSTIN, TX\n(30.25${i + 10}, -97.75)`;
const wkb = "010100000000000000007058c00000000000403e40";

test.each([
  ["an address that was not placed", placed, "15 OAK ST\nAUSTIN, TX 78701", [5]],
  ["the text NULL", () => wkb, "NULL", [0, 5]],
  ["an empty WKB", () => wkb, "0107000020E610000000000000", [5]],
  ["an empty WKT", () => "POINT (-97.75 30.25)", "GEOMETRYCOLLECTION EMPTY", [0, 1, 5]],
  ["blank first cells", placed, "", Array.from({length: 25}, (_, i) => i)],
])("reads a column whose place is missing in single rows (R08): %s", async (_, cell, odd, at) => {
  const pins = Array.from({length: 40}, (__, i) => `1-${i}`);
  const roll = csv(pins.map((pin, i) => row(pin, {location_1: at.includes(i) ? odd : cell(i)})));
  const {outDir, files, rows} = await built(await rawFiles({"roll.csv": roll}), [invented()]);
  const points = await parquetRows(outDir, "parcels", "lon");
  expect([rows, points.filter(({lon}) => lon === null).length]).toEqual([40, at.length]);
  expect(isUnread(files[0]!)).toBe(false);
});

test("says which column of geometry was not read, and marks the rows (geometry_unread)", async () => {
  const {rows, report} = await withCells(() => ({the_geom: "CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0))"}));
  expect(rows.map(({flags}) => flags)).toEqual(numbers.map(() => ["geometry_unread"]));
  expect(report.reason).toMatch(
    /geometry_unread: 0 of 3 rows of .*roll\.csv have a point, though its column "the_geom" is one of geometry/,
  );
  expect(isUnread(report)).toBe(true);
});

test("names the system in which places without one would lie in their county (R10)", async () => {
  const far = JSON.stringify({
    type: "FeatureCollection",
    features: numbers.map((pin, i) => ({
      type: "Feature",
      properties: row(pin),
      geometry: {type: "Point", coordinates: [-10_881_480 + i, 3_534_000]},
    })),
  });
  const {files} = await built(await rawFiles({"map.geojson": far}), [invented()]);
  expect(files[0]!.reason).toMatch(
    /crs_mismatch: 3 of 3 .* write "crs": "EPSG:3857" into the entry us-tx-invented/,
  );
});
