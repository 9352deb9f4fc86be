import {expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

type Areas = {acres: number; acres_basis: string; land_area_sqft: number; geom_acres: number};
const areasOf = async (outDir: string) =>
  (await parquetRows<Areas>(outDir)).map(({acres, acres_basis}) => [acres, acres_basis]);

/** Acres of the outline of `square`. */
const measured = 3.8054;

/** Two distant parts of one parcel, each with the acres stated in its row. */
const parts = (acres: readonly (string | null)[]) =>
  geojson(acres.map((stated, i) => ({properties: row("1-1", {ACRES: stated}), geometry: square(i * 3, 0)})));

test("sums the area of a parcel in several parts, whether rows state that of their part, of the whole or none", async () => {
  const areas = async (acres: readonly (string | null)[]) => {
    const {outDir} = await built(await rawFiles({"a.geojson": parts(acres)}));
    const [[own, basis]] = (await areasOf(outDir)) as [[number, string]];
    return [Math.round(own * 10) / 10, basis];
  };
  expect(await areas(["3.8", "3.8"])).toEqual([7.6, "assessed"]);
  expect(await areas(["7.6", "7.6"])).toEqual([7.6, "assessed"]);
  expect(await areas(["3.8", null])).toEqual([7.6, "computed"]);
  expect(await areas([null, null])).toEqual([7.6, "computed"]);
});

test("an area that a source computed in web Mercator gives way to that of the outline", async () => {
  const mercator = String(measured * 1.342);
  const entry = invented({area: {from: "GIS_ACRES", unit: "acres"}});
  const rows = [{properties: row("1-1", {GIS_ACRES: mercator}), geometry: square(0, 0)}];
  const {outDir} = await built(await rawFiles({"a.geojson": geojson(rows)}), [entry]);
  const [[acres, basis]] = (await areasOf(outDir)) as [[number, string]];
  expect([Math.abs(acres - measured) < 0.05, basis]).toEqual([true, "computed"]);
});

test("a declared area of an older roll beats one that is computed from a newer outline", async () => {
  const roll = invented({id: "us-tx-roll"});
  const outlines = invented({area: undefined});
  const files = await rawFiles({
    "us-tx-roll/a.csv": csv([row("1-1", {ACRES: "3.5", YEAR: "2024"})]),
    "a.geojson": geojson([{properties: row("1-1", {ACRES: null, YEAR: "2026"}), geometry: square(0, 0)}]),
  });
  const {outDir} = await built(files, [roll, outlines]);
  expect(await areasOf(outDir)).toEqual([[3.5, "assessed"]]);
});
