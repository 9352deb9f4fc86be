import {writeFileSync} from "node:fs";
import {join} from "node:path";
import type {Geometry} from "geojson";
import {describe, expect, test} from "vitest";
import {FileError, NotATable} from "../src/parcel-file.ts";
import {shapefileFormat, shapefilePartFormat} from "../src/shapefile.ts";
import {temporaryFolder} from "./temporary-folder.ts";
import {type DbfColumn, dbfOf} from "./write-dbf.ts";
import {shapesOf} from "./write-shapefile.ts";

const pin: DbfColumn<number> = {name: "PIN", type: "C", width: 4, text: String};
const table = (rows: number) =>
  dbfOf(
    [pin],
    Array.from({length: rows}, (_, i) => i + 1),
  );
const square = (x: number, y: number): Geometry => ({
  type: "Polygon",
  coordinates: [
    [
      [x, y],
      [x, y + 1],
      [x + 1, y + 1],
      [x + 1, y],
      [x, y],
    ],
  ],
});
const point: Geometry = {type: "Point", coordinates: [-98, 41]};

/** The bytes of one shape, as the body of a record. */
type Body = {
  type: number;
  ints?: [at: number, value: number][];
  doubles?: [at: number, value: number][];
  size: number;
};
function bodyOf({type, ints = [], doubles = [], size}: Body): Buffer {
  const body = Buffer.alloc(size);
  body.writeInt32LE(type, 0);
  for (const [at, value] of ints) body.writeInt32LE(value, at);
  for (const [at, value] of doubles) body.writeDoubleLE(value, at);
  return body;
}

/** A .shp with one record of these bytes. */
function shpOf(body: Buffer): Buffer {
  const head = shapesOf([]).shp;
  const record = Buffer.alloc(8);
  record.writeInt32BE(1, 0);
  record.writeInt32BE(body.length / 2, 4);
  head.writeInt32BE((108 + body.length) / 2, 24);
  return Buffer.concat([head, record, body]);
}

async function read(
  files: Record<string, Buffer | string>,
  name = "p.shp",
  crs: string | null = "EPSG:4326",
) {
  const folder = temporaryFolder();
  const siblings = Object.keys(files).map((file) => join(folder, file));
  for (const [i, path] of siblings.entries()) writeFileSync(path, Object.values(files)[i]!);
  const dataset = {
    path: join(folder, name),
    shownPath: name,
    extension: "shp",
    head: Buffer.alloc(0),
    siblings,
  };
  await using open = await shapefileFormat.open(dataset, {crs: crs ?? undefined});
  const places: [unknown, number | null, number | null][] = [];
  const rounded = (degrees: number | undefined) =>
    degrees === undefined ? null : Math.round(degrees * 1e6) / 1e6;
  for await (const {cells, geometry} of open.rows(["PIN"]))
    places.push([cells["PIN"], rounded(geometry?.lon), rounded(geometry?.lat)]);
  return places;
}
const readOne = (body: Buffer) => read({"p.shp": shpOf(body), "p.dbf": table(1)});

describe("the reader of shapefiles", () => {
  const {shp, shx} = shapesOf([square(-98, 41), null, point, square(-97, 40)]);
  const places = [
    ["1", -97.5, 41.5],
    ["2", null, null],
    ["3", -98, 41],
    ["4", -96.5, 40.5],
  ];

  test("reads the shapes by the .shx, or sequentially without one", async () => {
    expect(await read({"p.shp": shp, "p.shx": shx, "p.dbf": table(4)})).toEqual(places);
    expect(await read({"p.shp": shp, "p.dbf": table(4)})).toEqual(places);
    expect(await read({"P.SHP": shp, "P.DBF": table(4), "P.SHX": shx}, "P.SHP")).toEqual(places);
  });

  test("takes the coordinate system from the .prj if the entry states none", async () => {
    const prj =
      'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';
    expect(await read({"p.shp": shp, "p.dbf": table(4), "p.prj": prj}, "p.shp", null)).toEqual(places);
    await expect(read({"p.shp": shp, "p.dbf": table(4)}, "p.shp", null)).rejects.toThrow(FileError);
  });

  test.each<[string, Record<string, Buffer>]>([
    ["without a .dbf", {"p.shp": shp}],
    ["with the .dbf of another name", {"p.shp": shp, "q.dbf": table(4)}],
    ["with another number of records", {"p.shp": shp, "p.shx": shx, "p.dbf": table(3)}],
    ["with more records than shapes", {"p.shp": shp, "p.dbf": table(5)}],
    ["that is none", {"p.shp": Buffer.alloc(200), "p.dbf": table(4)}],
    ["with an index that is none", {"p.shp": shp, "p.shx": Buffer.alloc(200), "p.dbf": table(4)}],
    ["that is cut off", {"p.shp": shp.subarray(0, -2), "p.dbf": table(4)}],
    ["with an index that is cut off", {"p.shp": shp, "p.shx": shx.subarray(0, -2), "p.dbf": table(4)}],
    ["shorter than its head", {"p.shp": shp.subarray(0, 60), "p.dbf": table(4)}],
  ])("refuses one %s", async (_, files) => {
    await expect(read(files)).rejects.toThrow(FileError);
  });

  test.each<[string, Body, (number | null)[]]>([
    [
      "a point",
      {
        type: 1,
        doubles: [
          [4, -98],
          [12, 41],
        ],
        size: 20,
      },
      [-98, 41],
    ],
    [
      "a point with a height",
      {
        type: 11,
        doubles: [
          [4, -98],
          [12, 41],
        ],
        size: 36,
      },
      [-98, 41],
    ],
    [
      "a point with a measure",
      {
        type: 21,
        doubles: [
          [4, -98],
          [12, 41],
        ],
        size: 28,
      },
      [-98, 41],
    ],
    [
      "a point that is nowhere",
      {
        type: 1,
        doubles: [
          [4, Number.NaN],
          [12, Number.NaN],
        ],
        size: 20,
      },
      [null, null],
    ],
    ["nothing", {type: 0, size: 4}, [null, null]],
    ["a line", {type: 3, size: 60}, [null, null]],
    [
      "a set of points",
      {
        type: 8,
        ints: [[36, 1]],
        doubles: [
          [40, -98],
          [48, 41],
        ],
        size: 56,
      },
      [-98, 41],
    ],
    ["a set of no points", {type: 28, ints: [[36, 0]], size: 40}, [null, null]],
    [
      "a polygon without rings",
      {
        type: 25,
        ints: [
          [36, 0],
          [40, 0],
        ],
        size: 44,
      },
      [null, null],
    ],
  ])("reads %s correctly", async (_, body, [lon, lat]) => {
    expect(await readOne(bodyOf(body))).toEqual([["1", lon, lat]]);
  });

  test.each<[string, Body]>([
    ["of a type that is no shape", {type: 31, size: 44}],
    ["cut in its coordinates", {type: 1, size: 18}],
    ["with fewer points than it states", {type: 8, ints: [[36, 2]], size: 56}],
    ["with less than no points", {type: 8, ints: [[36, -1]], size: 56}],
    [
      "with more rings than it has room for",
      {
        type: 5,
        ints: [
          [36, 9],
          [40, 0],
        ],
        size: 60,
      },
    ],
    ["that ends before its counts", {type: 5, size: 38}],
  ])("refuses a shape %s", async (_, body) => {
    await expect(readOne(bodyOf(body))).rejects.toThrow(FileError);
  });

  test("refuses a record without room for a type", async () => {
    const short = shpOf(Buffer.alloc(4));
    short.writeInt32BE(1, 104);
    await expect(read({"p.shp": short, "p.dbf": table(1)})).rejects.toThrow(FileError);
  });
});

test("skips a part of a shapefile whose .shp is in the same folder", async () => {
  const part = (path: string, siblings: string[]) => ({
    path,
    siblings,
    shownPath: path,
    extension: path.split(".").at(-1)!,
    head: Buffer.alloc(0),
  });
  expect(shapefilePartFormat.accepts(part("/a/p.dbf", ["/a/p.dbf", "/a/P.SHP"]))).toBe(true);
  expect(shapefilePartFormat.accepts(part("/a/p.dbf", ["/a/p.dbf", "/b/p.shp", "/a/q.shp"]))).toBe(false);
  expect(shapefilePartFormat.accepts(part("/a/p.csv", ["/a/p.csv", "/a/p.shp"]))).toBe(false);
  await expect(shapefilePartFormat.open(part("/a/p.dbf", ["/a/p.shp"]), {})).rejects.toThrow(NotATable);
});
