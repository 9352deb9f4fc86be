import {spawnSync} from "node:child_process";
import {mkdirSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {makeViews} from "../../../lib/sql/build-views.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import type {DataFolder} from "../../../lib/storage/data-folder.ts";
import {readFlatgeobuf} from "../../../packages/parcel-files/test/read-flatgeobuf.ts";
import {type LayerName, layerOf} from "../../../pipeline/commands/export/export-layers.ts";
import {noBox, PackedTree} from "../../../pipeline/commands/export/packed-tree.ts";
import {exportFlatGeobuf, headerBytes} from "../../../pipeline/commands/export/write-flatgeobuf.ts";
import {sampleBuild} from "../../sample-build.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let db: Database;
let dir: string;
let data: DataFolder;
const root = temporaryFolder();
const ogrinfo = spawnSync("ogrinfo", ["--version"]).error === undefined;

beforeAll(async () => {
  ({dir, data} = await sampleBuild("2026-11-21"));
  db = await openDatabase();
  await makeViews(db, dir);
});
afterAll(() => db.close());

async function exported(layer: LayerName, name: string): Promise<{path: string; features: number}> {
  const path = join(root, name);
  const features = await exportFlatGeobuf(db, {state: "TX", path, layer, hasOutlines: true});
  return {path, features};
}

test.each(["parcels", "boundaries"] as const)(
  "the layer %s is read back with every value and geometry of the tables",
  async (layer) => {
    const {path, features} = await exported(layer, `${layer}.fgb`);
    const read = readFlatgeobuf(path, (count) => new PackedTree(count).byteLength);
    expect(read.end).toBe(read.size);
    expect([read.header.features, read.features.length, features]).toEqual([180, 180, 180]);
    expect(read.header.crs).toEqual({authority: "EPSG", code: 4326, wkt: null});
    const {sql, columns} = layerOf(layer, "TX");
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT * EXCLUDE (wkb), st_astext(st_geomfromwkb(wkb)) AS shape FROM (${sql})`,
    );
    const byId = new Map(rows.map((row) => [row["parcel_uid"], row]));
    for (const {cells, geometry} of read.features) {
      const row = byId.get(cells["parcel_uid"])!;
      const booleans = new Set(columns.flatMap(([name, type]) => (type === "BOOLEAN" ? [name] : [])));
      for (const [name] of columns) {
        const value = booleans.has(name) && row[name] !== null ? row[name] === 1 : row[name];
        expect(cells[name] ?? null, name).toEqual(value);
      }
      expect(numbersOf(JSON.stringify(geometry))).toEqual(numbersOf(String(row["shape"])));
    }
  },
);

const numbersOf = (text: string) => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);

test("two exports of one build have the same bytes", async () => {
  const [first, second] = [await exported("boundaries", "a.fgb"), await exported("boundaries", "b.fgb")];
  expect(readFileSync(first.path).equals(readFileSync(second.path))).toBe(true);
});

test("writes a header of constant size for any box, because it is written after the features", () => {
  const layer = layerOf("parcels", "TX");
  const [empty, whole] = [noBox, [-180, -90, 180, 90] as const].map((box) =>
    headerBytes(layer, {features: 9, box}),
  );
  expect(empty!.length).toBe(whole!.length);
});

test("refuses an existing file, a state without parcels and a state without outlines", async () => {
  const refused = (state: string, hasOutlines: boolean, path: string) =>
    exportFlatGeobuf(db, {state, path, layer: "boundaries", hasOutlines});
  const {path} = await exported("parcels", "there.fgb");
  await expect(refused("TX", true, path)).rejects.toThrow("already exists");
  await expect(refused("NV", true, join(root, "nv.fgb"))).rejects.toThrow("no parcels of this state");
  await expect(refused("TX", false, join(root, "none.fgb"))).rejects.toThrow("no outlines of this state");
});

test.skipIf(!ogrinfo)("GDAL finds by its index the outlines whose boxes meet a box", async () => {
  const {path} = await exported("boundaries", "gdal.fgb");
  const box = [-98.25, 32.22, -98.24, 32.23];
  const ask = (...words: string[]) => {
    const {stdout, stderr} = spawnSync("ogrinfo", ["-q", ...words, path, "boundaries"], {encoding: "utf8"});
    expect(stderr).toBe("");
    return [...stdout.matchAll(/parcel_uid \(String\) = (\S+)/g)].map(([, id]) => id!).sort();
  };
  const near = await db.rows<{
    id: string;
  }>(`SELECT parcel_uid AS id FROM read_parquet(${sqlText(join(dir, "tables/boundaries/state=TX/boundaries.parquet"))})
    WHERE bbox.xmin <= ${box[2]} AND bbox.xmax >= ${box[0]} AND bbox.ymin <= ${box[3]} AND bbox.ymax >= ${box[1]} ORDER BY id`);
  expect(near.length).toBeGreaterThan(0);
  expect(ask("-spat", ...box.map(String))).toEqual(near.map(({id}) => id));
  expect(ask()).toHaveLength(180);
});

test.runIf(process.platform === "linux").each(["fgb", "csv", "gpkg"])(
  "reports a full disk during an export as %s on one line, and leaves no file",
  (format) => {
    const folder = join(root, `tight-${format}`);
    mkdirSync(folder);
    const words = [
      "export",
      "--state",
      "TX",
      "--format",
      format,
      "--to",
      join(folder, "out"),
      "--out",
      data.root,
    ];
    const shell = [
      "-c",
      'ulimit -f 16; exec "$@"',
      "bash",
      process.execPath,
      join(packageRoot, "bin/cattle.js"),
      ...words,
    ];
    const {status, stdout, stderr} = spawnSync("bash", shell, {encoding: "utf8"});
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^\S+out: cannot be written: [^\n]+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  },
);
