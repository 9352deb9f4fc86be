import {expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

/** Acres of the outline of `square`. */
const measured = 3.8054;

type Row = {acres: number; acres_basis: string; land_area_sqft: number; flags: string[]};

/** A parcel `size` times as wide as `square`, twelve per row. */
function outline(at: number, size: number): {type: "Polygon"; coordinates: number[][][]} {
  const {type, coordinates} = square((at % 12) * 0.4, Math.floor(at / 12));
  const west = coordinates[0]![0]![0]!;
  return {
    type,
    coordinates: coordinates.map((ring) => ring.map(([x = 0, y = 0]) => [west + (x - west) * size, y])),
  };
}

/** 24 parcels of twelve sizes that state `multiple` times their outlines' acres, times `shares`. */
async function stated(multiple: number, shares: (i: number) => number = () => 1) {
  const rows = Array.from({length: 24}, (_, i) => {
    const size = 1 + (i % 12) / 10;
    const acres = (measured * size * multiple * shares(i)).toFixed(6);
    return {properties: row(`1-${i}`, {ACRES: acres}), geometry: outline(i, size)};
  });
  const made = await built(await rawFiles({"a.geojson": geojson(rows)}), [invented()]);
  const columns = "acres, acres_basis, land_area_sqft, flags";
  return {report: made.files[0]!, rows: await parquetRows<Row>(made.outDir, "parcels", columns)};
}

test.each([
  ["hectares read as acres", 1 / 2.4710538],
  ["square feet read as acres", 43_560],
  ["square metres read as acres", 4046.8564224],
])(
  "X30, X31: declared areas of a county in another unit (%s) give way to the outlines, and the report names county and unit",
  async (words, multiple) => {
    const {report, rows} = await stated(multiple);
    expect(report).toMatchObject({status: "read", rowsIn: 24, accepted: 24});
    expect(report.reason).toContain("county 48453: 24 declared areas are");
    expect(report.reason).toContain(`(${words})`);
    for (const {acres, acres_basis, land_area_sqft, flags} of rows) {
      expect([acres_basis, acres > 3.7 && acres < 8.2]).toEqual(["computed", true]);
      expect(Math.abs(land_area_sqft - acres * 43_560)).toBeLessThan(5);
      expect(flags).toEqual(["area_scale"]);
    }
  },
);

test("X31: serves and flags areas whose median is up to twice or half that of the outlines", async () => {
  const {report, rows} = await stated(1.2, (i) => 1 + i / 36);
  expect(report).toMatchObject({reason: null, notes: {area_mismatch: 24, area_scale: 24}});
  expect(rows.every(({acres_basis}) => acres_basis === "assessed")).toBe(true);
});

test("reports nothing for areas that agree with their outlines", async () => {
  const {report, rows} = await stated(1.01);
  expect(report).toMatchObject({reason: null, notes: {}});
  expect(rows.every(({acres_basis}) => acres_basis === "assessed")).toBe(true);
});

/** 24 parcels whose areas a roll states, each `multiple` times that of the outline that the map of another entry has of it. */
async function statedApart(multiple: number) {
  const of = (i: number) => 1 + (i % 12) / 10;
  const acres = (i: number) => (measured * of(i) * multiple).toFixed(6);
  const ids = Array.from({length: 24}, (_, i) => `10-${100 + i}`);
  const map = ids.map((id, i) => ({properties: row(id, {ACRES: null}), geometry: outline(i, of(i))}));
  const files = await rawFiles({
    "a.geojson": geojson(map),
    "us-tx-roll/a.csv": csv(ids.map((id, i) => row(id.replace("-", ""), {ACRES: acres(i)}))),
  });
  const entries = [invented({area: undefined}), invented({id: "us-tx-roll"})];
  const made = await built(files, entries);
  const rows = await parquetRows<Row>(made.outDir, "parcels", "acres, acres_basis, land_area_sqft, flags");
  return {reports: made.files, rows};
}

test("X30: areas of a roll are judged by the outlines of another entry", async () => {
  const {reports, rows} = await statedApart(43_560);
  expect(reports.map(({reason}) => reason)).toEqual([
    null,
    expect.stringMatching(
      /us-tx-roll.*county 48453: 24 declared areas are .* \(square feet read as acres\).*Correct "area" of us-tx-roll \(unit acres\)/,
    ),
  ]);
  expect(rows).toHaveLength(24);
  for (const {acres, acres_basis, land_area_sqft, flags} of rows) {
    expect([acres_basis, acres > 3.7 && acres < 8.2, flags]).toEqual(["computed", true, ["area_scale"]]);
    expect(Math.abs(land_area_sqft - acres * 43_560)).toBeLessThan(5);
  }
});

test.each([
  ["X31: that are doubted are served with a flag", 1.6, ["area_mismatch", "area_scale"]],
  ["X31: that agree are served", 1.02, []],
])("areas of a roll, judged by the outlines of another entry, %s", async (_, multiple, flags) => {
  const {reports, rows} = await statedApart(multiple);
  expect(reports.map(({reason}) => reason)).toEqual([null, null]);
  expect(rows.map((each) => [each.acres_basis, each.flags])).toEqual(rows.map(() => ["assessed", flags]));
});
