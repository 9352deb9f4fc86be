import {expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const silent = {
  vintage: ["retrieved"] as const,
  fields: {
    situs_raw: {from: "SITUS"},
    market_value: {from: "VALUE", transform: ["money"]},
    transfer_date: {from: "SOLD", transform: ["ymd"]},
  },
};

const vintagesOf = async (files: Record<string, string>, members: Record<string, unknown> = silent) => {
  const state = await built(await rawFiles(files), [invented(members)]);
  const rows = await parquetRows(state.outDir, "parcel_provenance", "vintage, vintage_basis");
  return rows.map(({vintage, vintage_basis}) => `${vintage_basis} ${vintage}`).sort();
};

test("dates each file without a stated date by its newest sale", async () => {
  const one = csv([row("1", {SOLD: "20240305"}), row("2", {SOLD: "20260714"}), row("3", {SOLD: ""})]);
  const other = csv([row("4", {SOLD: "20190101"}), row("5", {SOLD: ""})]);
  expect(await vintagesOf({"a.csv": one, "b.csv": other})).toEqual([
    "newest_in_file 2019-01-01",
    "newest_in_file 2026-07-14",
  ]);
});

test("a date after the file was fetched, or a placeholder, is not plausible", async () => {
  const rows = csv([
    row("1", {SOLD: "20261115"}),
    row("2", {SOLD: "20250102"}),
    row("3", {SOLD: "19000101"}),
  ]);
  expect(await vintagesOf({"a.csv": rows})).toEqual(["newest_in_file 2025-01-02"]);
});

test("a file without any date keeps the day of its retrieval", async () => {
  expect(await vintagesOf({"a.csv": csv([row("1", {SOLD: ""})])})).toEqual(["retrieved 2026-11-01"]);
});

test("keeps a stated roll year", async () => {
  const stated = {...silent, vintage: [{rollYear: "YEAR"}, "retrieved"]};
  expect(await vintagesOf({"a.csv": csv([row("1", {SOLD: "20260714"})])}, stated)).toEqual([
    "roll_year 2026",
  ]);
});
