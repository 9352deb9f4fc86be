import {mkdir, rm, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {gzipSync} from "node:zlib";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {type SampleRow, sampleRows, swapped} from "../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {buildState} from "../../../pipeline/parcels/build-state.ts";
import {type BuildResult, build, exitCode} from "../../../pipeline/publish/build.ts";
import {allReports} from "../../../pipeline/results/report-counts.ts";
import {addsUp, type FileReport} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {sampleEntry} from "../parcels/readers/sample-entry.ts";
import {
  delimitedOf,
  esriPageOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  parquetOf,
  shapefileOf,
} from "../parcels/readers/write-formats.ts";
import {asOf, makeWorkshop, testStages, type Workshop} from "./workshop.ts";

type Files = Readonly<Record<string, Buffer | string>>;

const rows: readonly SampleRow[] = Array.from({length: 60}, (_, i) => ({
  ...sampleRows[i % 2]!,
  parcel_no: `0001-${100 + i}`,
}));
const features = featuresOf(rows);
const geojson = jsonOf({type: "FeatureCollection", features});
const csv = delimitedOf(rows, ",");
const half = (content: Buffer | string) => Buffer.from(content).subarray(0, Math.floor(content.length / 2));
const entry = {...sampleEntry, area: undefined, use: undefined};

let shop: Workshop;
let good: string;

beforeAll(async () => {
  shop = await makeWorkshop();
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\n");
  good = (await run({"p.geojson": geojson})).buildId;
});
afterAll(() => shop.remove());

/** Builds Texas from these files alone. */
async function run(files: Files): Promise<BuildResult> {
  await rm(join(shop.raw, "parcels"), {recursive: true, force: true});
  for (const [name, content] of Object.entries(files)) {
    const path = join(shop.raw, "parcels", entry.id, name);
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, content);
    await writeFile(`${path}.meta.json`, JSON.stringify({retrieved_at: "2026-08-20T00:00:00Z"}));
  }
  const stages = {
    ...testStages,
    entries: [entry],
    waves: [],
    buildState: (input: Parameters<typeof buildState>[0]) => buildState(input),
  };
  return build(shop.options({asOf, stages: stages as unknown as typeof testStages}));
}

describe("a state keeps its last good data, and the report names the place, when its file", () => {
  test.each<[string, () => Promise<Files> | Files, RegExp]>([
    ["is CSV cut in half", () => ({"p.csv": half(csv)}), /^malformed_row 1$/],
    [
      "is CSV without a column of the field map",
      () => ({"p.csv": csv.replace("parcel_no", "pin")}),
      /no column "parcel_no" \(ids\.raw\) of us-tx-sample; its columns are pin/,
    ],
    [
      "is CSV with a line that does not end",
      () => ({"p.csv": `${csv.split("\n")[0]}\n${"x".repeat(17 * 2 ** 20)}`}),
      /p\.csv: /,
    ],
    ["is GeoJSON cut in half", () => ({"p.geojson": half(geojson)}), /ends after \d+ bytes .*behind row \d+/],
    [
      "is an ArcGIS page cut in half",
      () => ({"p.json": half(esriPageOf(rows, {wkid: 4326}))}),
      /ends after \d+ bytes .*behind row \d+/,
    ],
    ["is packed JSON cut in half", () => ({"p.geojson.gz": half(gzipSync(geojson))}), /damaged gzip file/],
    [
      "is an archive cut in half",
      () => ({"p.zip": half(zipOf({"p.geojson": geojson}))}),
      /cannot be unpacked/,
    ],
    ["is a shapefile cut in half", () => cutShapefile(), /p\.shp: ends after \d+ bytes; \d+ were expected/],
    [
      "is a geopackage cut in half",
      () => ({"p.gpkg": half(geopackageOf(rows, temporaryFolder()))}),
      /p\.gpkg: .*damaged/,
    ],
    ["is FlatGeobuf cut in half", () => ({"p.fgb": half(flatgeobufOf(rows))}), /p\.fgb: .*cut off/],
    [
      "is Parquet cut in half",
      async () => ({"p.parquet": half(await parquetOf(rows, temporaryFolder()))}),
      /p\.parquet: /,
    ],
    [
      "has latitude and longitude swapped",
      () => ({
        "p.geojson": jsonOf({
          type: "FeatureCollection",
          features: featuresOf(rows.map((row) => ({...row, geometry: swapped(row.geometry)}))),
        }),
      }),
      /crs_mismatch: 60 of 60 points .* swapped/,
    ],
    [
      "is in another coordinate system than it states",
      () => ({"p.json": esriPageOf(rows, {wkid: 3857})}),
      /crs_mismatch: 60 of 60 points/,
    ],
    [
      "is a decompression bomb",
      () => ({"p.zip": zipOf({"p.csv": Buffer.alloc(257 * 2 ** 20, 0x61)})}),
      /unpacks to more than 250 times its size/,
    ],
    [
      "leaves the folder",
      () => ({"p.zip": zipOf({"../../p.geojson": geojson})}),
      /cannot be unpacked: invalid relative path/,
    ],
  ])("%s", async (_, files, expected) => {
    const result = await run(await files());
    const manifest = await readManifest(join(shop.data.builds, result.buildId));
    expect(manifest.states["TX"]).toMatchObject({status: "held_back", built_in: good, rows: rows.length});
    const reports = allReports(result.report);
    expect(reports.every(addsUp)).toBe(true);
    expect(reports.flatMap(said).join("\n")).toMatch(expected);
  });
});

function cutShapefile(): Files {
  const files = shapefileOf(rows, "p");
  return {...files, "p.shp": half(files["p.shp"]!)};
}

/** Gives the reason in the report of a file, or its rejected rows. */
function said({reason, rejected}: FileReport): string[] {
  return reason === null ? Object.entries(rejected).map(([code, n]) => `${code} ${n}`) : [reason];
}

test("a file that cannot be used is left out by name, its rows stay, and its state is built with the other file", async () => {
  const more = rows.map((row, i) => ({...row, parcel_no: `0002-${100 + i}`}));
  const second = jsonOf({type: "FeatureCollection", features: featuresOf(more)});
  const before = await run({"p.geojson": geojson, "q.geojson": second});
  const turned = featuresOf(more.map((row) => ({...row, geometry: swapped(row.geometry)})));
  const result = await run({
    "p.geojson": geojson,
    "q.geojson": jsonOf({type: "FeatureCollection", features: turned}),
  });
  expect([result.outcome, result.heldBack, exitCode(result)]).toEqual(["published", [], 3]);
  const manifest = await readManifest(join(shop.data.builds, result.buildId));
  expect(manifest.states["TX"]).toMatchObject({status: "built", rows: 2 * rows.length});
  const reports = allReports(result.report);
  expect(reports.every(addsUp)).toBe(true);
  const told = reports.flatMap(said).join("\n");
  expect(told).toMatch(
    /crs_mismatch: 60 of 60 points of parcels\/us-tx-sample\/q\.geojson.* --accept TX:outside-county/,
  );
  expect(told).toContain(
    `60 rows of build ${before.buildId} stay, because parcels/us-tx-sample/q.geojson was left out.`,
  );
});
