import {readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {polygonHolds} from "@open-cattle/parcel-outlines";
import type {MultiPolygon, Polygon} from "geojson";
import {feature} from "topojson-client";
import type {GeometryCollection, Topology} from "topojson-specification";
import {describe, expect, it} from "vitest";
import {isUserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {datasetsOf} from "../../pipeline/parcels/datasets.ts";
import {NotATable} from "../../pipeline/parcels/readers/file-reader.ts";
import {readerOf} from "../../pipeline/parcels/readers/readers.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

type Row = {
  readonly lon: number | null;
  readonly lat: number | null;
  readonly acres: number | null;
  readonly method: string | null;
};

/** The rows of each table in a file of the corpus, by reader; a refusal in place of rows. */
async function read(path: string, wantedColumns: readonly string[] = []) {
  const dir = temporaryFolder();
  const db = await openDatabase();
  try {
    const datasets = await datasetsOf({path, absolutePath: join(corpus!, path)} as RawFile, dir);
    const results: {reader: string; rows: Row[]; cells: Record<string, unknown>[]; refusal: Error | null}[] =
      [];
    for (const [i, dataset] of datasets.entries()) {
      const reader = readerOf(dataset)!;
      try {
        const {table} = await reader.read({db, dataset, table: `t${i}`, wantedColumns, tempDir: dir});
        const rows = await db.rows<Row>(
          `SELECT "~lon" AS lon, "~lat" AS lat, "~acres" AS acres, "~point_method" AS method FROM ${table}`,
        );
        const cells = await db.rows(`SELECT * EXCLUDE ("~wkb") FROM ${table}`);
        results.push({reader: reader.name, rows, cells, refusal: null});
      } catch (error) {
        if (!isUserError(error)) throw error;
        results.push({reader: reader.name, rows: [], cells: [], refusal: error});
      }
    }
    return results;
  } finally {
    db.close();
  }
}

function countyPolygon(fips: string): number[][][][] {
  const path = createRequire(import.meta.url).resolve("us-atlas/counties-10m.json");
  const topology = JSON.parse(readFileSync(path, "utf8")) as Topology<{counties: GeometryCollection}>;
  const county = feature(topology, topology.objects.counties).features.find(({id}) => String(id) === fips)!;
  const {type, coordinates} = county.geometry as Polygon | MultiPolygon;
  return type === "Polygon" ? [coordinates] : coordinates;
}

describe.skipIf(corpus === null)("the parcel files of the corpus", () => {
  it.each([
    ["Kent: WKT alone, international feet", "arcgis/us-mi-kent-0.json", "26081", 15],
    [
      "Oakland: US survey feet",
      "parcels/us-ca-oakland/alameda-oakland-parcels-2013-excerpt.zip",
      "06001",
      2241,
    ],
    [
      "Berkeley: UTM with a vertical system",
      "parcels/us-ca-berkeley/alameda-berkeley-parcels-excerpt.zip",
      "06001",
      746,
    ],
    ["Waushara: three coordinates", "parcels/us-wi-waushara/waushara-oasis-71.geojson", "55137", 71],
    ["Pierce: points", "parcels/us-wa-statewide/pierce-eatonville-points-2016.geojson", "53053", 1302],
    ["Waco: a page with dates in milliseconds", "arcgis/us-tx-waco-0.json", "48309", 1],
    ["Park: address points of a shapefile", "address/us-wy-park.zip", "56029", 346],
  ])("are in their county: %s", async (_, path, fips, count) => {
    const [result] = await read(path);
    expect(result!.refusal).toBeNull();
    expect(result!.rows).toHaveLength(count);
    const parts = countyPolygon(fips);
    const strays = result!.rows.filter(
      ({lon, lat}) => lon === null || !parts.some((rings) => polygonHolds(rings, lon, lat!)),
    );
    expect(strays).toEqual([]);
  });

  it("have points as published, and outlines with an area", async () => {
    const [points] = await read("parcels/us-wa-statewide/pierce-eatonville-points-2016.geojson");
    expect(new Set(points!.rows.map(({method, acres}) => `${method} ${acres}`))).toEqual(
      new Set(["source_point null"]),
    );
    const [outlines] = await read("parcels/us-wi-waushara/waushara-oasis-71.geojson", ["GIS_ACRE"]);
    const off = outlines!.rows.filter(
      ({acres}, i) => Math.abs(acres! - Number(outlines!.cells[i]!.GIS_ACRE)) > 0.01 * acres! + 0.01,
    );
    expect(off).toEqual([]);
  });

  it("are read from a DBF alone: Albany", async () => {
    const [result] = await read("parcels/us-ny-albany/albany-city-parcels-attrs.dbf", ["Id"]);
    expect([result!.reader, result!.rows.length, result!.cells[0]!.Id]).toEqual(["dBASE table", 30_410, "0"]);
  });

  it("keep the names and the text of a shapefile's attributes: Berkeley", async () => {
    const [result] = await read("parcels/us-ca-berkeley/alameda-berkeley-parcels-excerpt.zip", [
      "APN",
      "StreetName",
      "StreetNum",
    ]);
    expect(result!.cells.every(({APN}) => /^\d{3} \d{9}$/.test(String(APN)))).toBe(true);
  });

  it("refuse the file geodatabases with the command that converts them", async () => {
    for (const path of [
      "parcels/us-ma-massgis-l3/M087_parcels_CY25_FY25_sde.gdb.zip",
      "address/nj-address-points/nj-statewide-address-points-excerpt.gdb.zip",
    ]) {
      const refusals = (await read(path)).map(({refusal}) => refusal);
      const [command, another] = refusals.filter((refusal) => !(refusal instanceof NotATable));
      expect(command?.message).toMatch(/ogr2ogr -f GPKG "\S+\.gpkg" "\S+\.gdb\.zip"/);
      expect(another).toBeUndefined();
    }
  });

  it("of ArcGIS give rows, are left out as no rows, or are refused as errors", async () => {
    for (const name of readdirSync(join(corpus!, "arcgis"))) {
      const [result] = await read(`arcgis/${name}`);
      const {refusal, rows} = result!;
      const errors = [
        "us-tx-runnels-metadata.json",
        "us-nm-washington-probe.json",
        "us-mi-kent-statistics.json",
      ];
      const beside = /-(metadata|count-only|ids-only)\.json$/.test(name) && !errors.includes(name);
      if (errors.includes(name))
        expect(refusal?.message, name).toMatch(/expected data, got the server's error/);
      else if (beside) expect(refusal, name).toBeInstanceOf(NotATable);
      else expect([refusal, rows.length > 0], name).toEqual([null, true]);
    }
  });
});
