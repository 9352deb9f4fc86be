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

const vintagesOf = async (
  files: Record<string, string>,
  members: Record<string, unknown> = silent,
  meta: Record<string, unknown> = {},
) => {
  const state = await built(await rawFiles(files, meta), [invented(members)]);
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

test("a file of which nobody wrote down when it was fetched has no age, unless its rows tell one", async () => {
  const assumed = {assumed: true};
  expect(await vintagesOf({"a.csv": csv([row("1", {SOLD: ""})])}, silent, assumed)).toEqual(["unknown null"]);
  expect(await vintagesOf({"a.csv": csv([row("1", {SOLD: "20260714"})])}, silent, assumed)).toEqual([
    "newest_in_file 2026-07-14",
  ]);
});

test("facts of unknown age give way to dated ones, and to those of a known retrieval", async () => {
  const entries = [
    invented({...silent, id: "us-tx-a"}),
    invented({...silent, id: "us-tx-b"}),
    invented({...silent, id: "us-tx-c", vintage: [{rollYear: 2019}]}),
  ];
  const [aged, dated] = [{assumed: true}, {}];
  const unknown = await rawFiles({"us-tx-a/a.csv": csv([row("1-1", {VALUE: "100", SOLD: ""})])}, aged);
  for (const [id, value] of [
    ["us-tx-b", "200"],
    ["us-tx-c", "300"],
  ]) {
    const other = await rawFiles({[`${id}/b.csv`]: csv([row("1-1", {VALUE: value, SOLD: ""})])}, dated);
    const state = await built([...unknown, ...other], entries);
    const [parcel] = await parquetRows(state.outDir, "parcels", "market_value::INTEGER AS value");
    expect(parcel).toEqual({value: Number(value)});
  }
});

test("keeps a stated roll year", async () => {
  const stated = {...silent, vintage: [{rollYear: "YEAR"}, "retrieved"]};
  expect(await vintagesOf({"a.csv": csv([row("1", {SOLD: "20260714"})])}, stated)).toEqual([
    "roll_year 2026",
  ]);
});
