import {expect, test} from "vitest";
import {buildState} from "../../../pipeline/parcels/build-state.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

const neighbours = invented({
  coverage: {country: "US", state: "TX", counties: ["48453", "48209"], countyFrom: "COUNTY"},
});

/** Thirty parcels of a county, numbered from `from`; `x` shifts them east, in hundredths of a degree. */
function parcels(county: string, from: number, x = 0) {
  return Array.from({length: 30}, (_, i) => ({
    properties: row(`${from + i}-A`, {COUNTY: county}),
    geometry: square(x + (i % 6), i % 5),
  }));
}

/** A thousand rows of a county, the first 30 without a parcel number. */
const spoilt = (county: string) =>
  Array.from({length: 1000}, (_, i) => row(i < 30 ? "NULL" : `${county}-${i}`, {COUNTY: county}));

test("names and skips a file whose points are elsewhere, and keeps the other files", async () => {
  const raw = await rawFiles({
    "a.geojson": geojson(parcels("48453", 1000)),
    "b.geojson": geojson(parcels("48453", 2000, 900)),
  });
  const {rows, files} = await built(raw, [neighbours]);
  expect(rows).toBe(30);
  expect(files.map(({status, accepted}) => [status, accepted])).toEqual([
    ["read", 30],
    ["failed", 0],
  ]);
  expect(files[1]!.reason).toMatch(
    /^crs_mismatch: 30 of 30 points of parcels\/us-tx-invented\/b\.geojson, county 48453 do not .* --accept TX:outside-county --reason/,
  );
  expect(files[1]!.rejected).toEqual({file_refused: 30});
  expect(files.every(addsUp)).toBe(true);
});

test("removes a county with too many bad rows from its file, and keeps the other county", async () => {
  const rows = [...spoilt("48453"), row("1-1", {COUNTY: "48209"})];
  const {counties, files} = await built(await rawFiles({"a.csv": csv(rows)}), [neighbours]);
  expect(counties.map(({county_key, rows: n}) => [county_key, n])).toEqual([["48209", 1]]);
  expect(files[0]).toMatchObject({
    status: "read",
    accepted: 1,
    rejected: {null_id: 30, county_refused: 970},
    reason: expect.stringContaining("a.csv, county 48453: 30 of 1000 rows rejected; expected at most 2 %"),
  });
});

test("includes a file that a person accepted, dropping points that lie elsewhere", async () => {
  const files = await rawFiles({"a.geojson": geojson(parcels("48453", 2000, 900))});
  const request = {state: "TX", country: "US", entries: [neighbours], files, asOf: "2026-11-21"} as const;
  const build = (accepted: readonly string[]) =>
    buildState({...request, accepted, outDir: temporaryFolder(), tempDir: temporaryFolder()});
  expect((await build([])).rows).toBe(0);
  const {rows, pointCount} = await build(["outside-county"]);
  expect([rows, pointCount]).toEqual([30, 0]);
});

test("stops a file if more than 1 % of a thousand points are elsewhere", async () => {
  const many = Array.from({length: 600}, (_, i) => ({
    properties: row(`${i}-B`, {COUNTY: "48453"}),
    geometry: square(i < 12 ? 900 : i % 6, i % 5),
  }));
  const {rows, files} = await built(await rawFiles({"a.geojson": geojson(many)}), [neighbours]);
  expect([rows, files[0]!.reason]).toEqual([
    0,
    expect.stringMatching(/12 of 600 points.*99 % where 10 or more/),
  ]);
  const fewer = await built(await rawFiles({"a.geojson": geojson(many.slice(8))}), [neighbours]);
  expect(fewer.rows).toBe(592);
});

test.each([
  ["columns", "LON,LAT\n", (x: string, y: string) => `${x},${y}`, ["0", "0.0"]],
  ["text", "PLACE\n", (x: string, y: string) => `POINT (${x} ${y})`, ["0", "0"]],
])("keeps rows whose place is 0, 0 without a point: %s", async (_, header, cell, zero) => {
  const place = invented({fields: {lon: {from: "LON"}, lat: {from: "LAT"}}, vintage: ["retrieved"]});
  const rows = Array.from(
    {length: 1000},
    (__, i) => `1-${i},2,${i % 50 === 0 ? cell(zero[0]!, zero[1]!) : cell("-97.75", "30.30")}`,
  );
  const entry = header.startsWith("LON") ? place : invented({fields: {}, vintage: ["retrieved"]});
  const {
    files,
    rows: kept,
    pointCount,
  } = await built(await rawFiles({"a.csv": `PIN,ACRES,${header}${rows.join("\n")}\n`}), [entry]);
  expect([kept, pointCount, files[0]!.reason, addsUp(files[0]!)]).toEqual([1000, 980, null, true]);
  expect(files[0]!.notes).toMatchObject({no_geometry: 20});
});
