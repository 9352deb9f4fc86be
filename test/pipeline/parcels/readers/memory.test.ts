import {spawnSync} from "node:child_process";
import {appendFileSync, existsSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {type SampleRow, sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {writeGeopackage} from "../../../../packages/parcel-files/test/write-geopackage.ts";
import {wkbOf} from "../../../../packages/parcel-outlines/test/write-wkb.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {featuresOf, jsonOf, shapefileOf} from "./write-formats.ts";

const count = 10_000;
/**
 * MiB that a large file may add to the memory in use after the third of five chunks; the remaining chunks hold more than twice
 * this.
 */
const slackMib = 3;
const maxPrivateMib = 450;

/** A round outline, over 1 KiB per row. */
const ring = Array.from({length: 73}, (_, i) => {
  const angle = (-(i % 72) * Math.PI) / 36;
  return [-97.75 + Math.cos(angle) / 500, 30.25 + Math.sin(angle) / 500];
});
const row: SampleRow = {...sampleRows[0]!, geometry: {type: "Polygon", coordinates: [ring]}};
const rows: readonly SampleRow[] = Array.from({length: count}, (_, i) => ({...row, parcel_no: `R${i}`}));

const writers: Record<string, (dir: string) => string | Promise<string>> = {
  GeoJSON(dir) {
    const path = join(dir, "p.geojson");
    writeFileSync(path, '{"type":"FeatureCollection","features":[');
    const text = jsonOf(featuresOf(rows.slice(0, 1000))).slice(1, -1);
    for (let i = 0; i < count; i += 1000) appendFileSync(path, (i === 0 ? "" : ",") + text);
    appendFileSync(path, "]}");
    return path;
  },
  shapefile(dir) {
    for (const [name, content] of Object.entries(shapefileOf(rows, "p")))
      writeFileSync(join(dir, name), content);
    return join(dir, "p.shp");
  },
  FlatGeobuf(dir) {
    const path = join(dir, "p.fgb");
    writeFileSync(path, flatgeobufOf(rows));
    return path;
  },
  GeoPackage(dir) {
    const path = join(dir, "p.gpkg");
    writeGeopackage(path, rows);
    return path;
  },
  async GeoParquet(dir) {
    const path = join(dir, "p.parquet");
    const db = await openDatabase();
    const geo = {
      version: "1.1.0",
      primary_column: "geometry",
      columns: {geometry: {encoding: "WKB", geometry_types: []}},
    };
    await db.run(
      `COPY (SELECT 'R' || i AS parcel_no, ${sqlText(row.owner)} || i AS owner, array_to_string(list_transform(range(32), lambda k: md5(i || '-' || k)), '') AS address, 1.5 AS acreage, i AS account, 'A1' AS use_code,
         unhex('${wkbOf(row.geometry!).toString("hex")}') AS geometry FROM range(${count}) AS r(i))
       TO ${sqlText(path)} (FORMAT parquet, ROW_GROUP_SIZE 8192, KV_METADATA {geo: ${sqlText(JSON.stringify(geo))}})`,
    );
    db.close();
    return path;
  },
};

type Reading = {readonly rows: number; readonly inUse: readonly number[]; readonly privateMib: number};

/** Measures a process that reads only this file. */
function readAlone(path: string): Reading {
  const child = join(import.meta.dirname, "read-child.ts");
  const {stdout, stderr} = spawnSync(process.execPath, ["--expose-gc", child, path, `${path}.work`], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Reading;
}

describe.skipIf(!existsSync("/proc/self/status"))("the memory of a reader", () => {
  it.each(Object.entries(writers))("does not grow with the file: %s", async (_, write) => {
    const path = await write(temporaryFolder());
    const reading = readAlone(path);
    expect(reading.rows).toBe(count);
    // The maximum of the first chunks, because the garbage collector frees varying amounts.
    const [first, last] = [Math.max(...reading.inUse.slice(0, 3)), reading.inUse.at(-1)!];
    expect(
      last - first,
      `${first} and ${last} MiB; the file has ${statSync(path).size / 2 ** 20}`,
    ).toBeLessThan(slackMib);
    expect(reading.privateMib).toBeLessThan(maxPrivateMib);
  });
});
