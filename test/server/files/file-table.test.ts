import {expect, test} from "vitest";
import type {Manifest} from "../../../schemas/manifest.ts";
import {fileTable} from "../../../server/files/file-table.ts";

test("lists the files of a build by their paths, whatever order its parts have", async () => {
  const files = (...paths: string[]) =>
    paths.map((path) => ({path, size: 1, sha256: "a".repeat(64), rows: null}));
  const manifest = {
    ...{build_id: "20261121-bbbbbb", as_of_date: "2026-11-21", sample: true, sources: []},
    files: files("report.html"),
    market: {files: files("tables/venues.parquet", "tables/county_prices.parquet")},
    states: {KS: {files: files("tables/parcels/state=KS/part-0.parquet")}},
  } as unknown as Manifest;
  expect([...(await fileTable("/builds/20261121-bbbbbb", manifest)).files.keys()]).toEqual([
    "FORMAT.md",
    "report.html",
    "tables/county_prices.parquet",
    "tables/parcels/state=KS/part-0.parquet",
    "tables/venues.parquet",
  ]);
});
