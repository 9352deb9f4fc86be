import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {wkbOf} from "../../../../packages/parcel-outlines/test/write-wkb.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {readRows} from "./read-rows.ts";

/** A Parquet file of a statement's rows, with metadata under "geo". */
async function parquetOf(
  select: string,
  geo?: unknown,
  {typed = false, rowGroupSize = 122_880} = {},
): Promise<Buffer> {
  using db = await openDatabase();
  const path = join(temporaryFolder(), "made.parquet");
  const text = typeof geo === "string" ? geo : JSON.stringify(geo);
  const metadata = geo === undefined ? "" : `, KV_METADATA {geo: ${sqlText(text)}}`;
  await db.run("SET enable_geoparquet_conversion = false");
  await db.run(
    `COPY (${select}) TO ${sqlText(path)} (FORMAT parquet, ROW_GROUP_SIZE ${rowGroupSize}${metadata}${typed ? ", GEOPARQUET_VERSION 'NONE'" : ""})`,
  );
  return readFileSync(path);
}

const wkb = (x: number, y: number) =>
  `unhex('${wkbOf({type: "Point", coordinates: [x, y]}).toString("hex")}')`;
const inDegrees = wkb(-97.75, 30.25);
const degrees = [{lon: -97.75, lat: 30.25}];
/** About the same place in web Mercator metres. */
const inMetres = wkb(-10_881_480, 3_534_000);

test.each([
  ["12::TINYINT", "12"],
  ["12::USMALLINT", "12"],
  ["9007199254740993::BIGINT", "9007199254740993"],
  ["0.5::FLOAT", "0.5"],
  ["12.0::DOUBLE", "12"],
  ["true", "true"],
  ["'001'", "001"],
  ["12.50::DECIMAL(10,2)", "12.50"],
  ["510.00::DECIMAL(10,2)", "510"],
  ["DATE '2026-01-02'", "2026-01-02"],
  ["TIMESTAMP '2026-01-02 03:04:05.678'", "2026-01-02T03:04:05"],
  ["TIMESTAMPTZ '2026-01-02 03:04:05.678+02'", "2026-01-02T01:04:05.678Z"],
  ["TIMESTAMP_NS '2026-01-02 03:04:05.678'", "2026-01-02T03:04:05"],
  ["TIME '03:04:05'", "03:04:05"],
  ["['a', 'b']", '["a","b"]'],
  ["{'a': 1}", '{"a":1}'],
  ["[1.5::DECIMAL(4,2)]", "[1.50]"],
  ["'words'::BLOB", "words"],
  ["'\\xFF'::BLOB", null],
  ["NULL::INTEGER", null],
])("reads a cell of %s as a table of text has it", async (sql, expected) => {
  const {cells, geometry} = await readRows(
    "p.parquet",
    await parquetOf(`SELECT ${sql} AS CELL, 1 AS other`),
    ["CELL"],
  );
  expect([cells, geometry]).toEqual([[{CELL: expected}], [{lon: null, lat: null}]]);
});

test("refuses a file that is damaged in a late row group, instead of reading the rows before it", async () => {
  const file = await parquetOf("SELECT md5(i::VARCHAR) AS PIN FROM range(1_000_000) AS rows(i)", undefined, {
    rowGroupSize: 50_000,
  });
  file.fill(0xff, Math.round(file.length * 0.9), Math.round(file.length * 0.93));
  await expect(readRows("p.parquet", file, ["PIN"])).rejects.toThrow(/p\.parquet/);
});

test("keeps the order of columns and of rows over many chunks, and special characters in names", async () => {
  const file = await parquetOf(`SELECT i::VARCHAR AS "PIN (x)", 'o' AS OWNER FROM range(5000) AS rows(i)`);
  const {cells, seen} = await readRows("p.parquet", file, ["PIN (x)"]);
  expect([cells.length, seen]).toEqual([5000, ["PIN (x)", "OWNER"]]);
});

const ring = "[[-97.75, 30.25], [-97.75, 30.26], [-97.74, 30.26], [-97.74, 30.25], [-97.75, 30.25]]";
const ofXy = `list_transform(${ring}, lambda each: {'x': each[1]::DOUBLE, 'y': each[2]::DOUBLE})`;

test("takes bytes that are WKB for the geometry, in degrees, whatever their name", async () => {
  const file = await parquetOf(
    `SELECT i::VARCHAR AS PIN, ${inDegrees} AS photo FROM range(3) AS all_rows(i)`,
  );
  const {geometry} = await readRows("p.parquet", file, ["PIN"]);
  expect(geometry).toEqual([...degrees, ...degrees, ...degrees]);
});

test.each([
  ["pairs", `[${ring}::DOUBLE[2][]]`],
  ["lists", `[${ring}::DOUBLE[][]]`],
  ["parts", `[[${ring}::DOUBLE[][]]]`],
  ["structs", `[${ofXy}]`],
])("reads the lists of GeoArrow as %s (R09)", async (_, sql) => {
  const file = await parquetOf(`SELECT '1' AS PIN, ${sql} AS outline`);
  const {geometry, seen} = await readRows("p.parquet", file, ["PIN"]);
  expect(geometry[0]!.lon).toBeCloseTo(-97.745, 6);
  expect(geometry[0]!.lat).toBeCloseTo(30.255, 6);
  expect(seen).toEqual(["PIN"]);
});

test.each([
  ["pairs", "[-97.75, 30.25]::DOUBLE[2]"],
  ["structs", "{'x': -97.75::DOUBLE, 'y': 30.25::DOUBLE}"],
])("reads a point of GeoArrow as %s, in a column that is named for it", async (_, sql) => {
  const file = await parquetOf(`SELECT '1' AS PIN, ${sql} AS geometry`);
  expect(await readRows("p.parquet", file, ["PIN"])).toMatchObject({geometry: degrees, seen: ["PIN"]});
  const other = await parquetOf(`SELECT '1' AS PIN, ${sql} AS offsets`);
  expect((await readRows("p.parquet", other, ["PIN"])).geometry).toEqual([{lon: null, lat: null}]);
});

test("takes neither other text nor other bytes for the geometry", async () => {
  const file = await parquetOf(
    "SELECT '1' AS PIN, 'OAK (REAR)' AS place, 'words'::BLOB AS geometry, [1.5, 2.5] AS pair",
  );
  expect(await readRows("p.parquet", file, ["PIN"])).toMatchObject({
    geometry: [{lon: null, lat: null}],
    seen: ["PIN", "place", "geometry", "pair"],
  });
});

test("reads a column of bytes in which single cells hold no place", async () => {
  const place = `CASE WHEN i = 3 THEN unhex('010700000000000000') WHEN i = 39 THEN 'words'::BLOB WHEN i > 25 THEN ${inDegrees} END`;
  const rows = `SELECT i::VARCHAR AS PIN, ${place} AS place FROM range(40) t(i)`;
  const {geometry} = await readRows("p.parquet", await parquetOf(rows), ["PIN"]);
  expect(geometry.filter(({lon}) => lon !== null)).toHaveLength(13);
});

test("finds a column of text in which single cells hold no place", async () => {
  const place = "CASE WHEN i = 3 THEN 'not placed' WHEN i > 25 THEN 'POINT (-97.75 30.25)' END";
  const rows = `SELECT i::VARCHAR AS PIN, 'OAK ST' AS street, ${place} AS place FROM range(40) t(i)`;
  expect((await readRows("p.parquet", await parquetOf(rows), ["PIN"])).outline).toBe("place");
});

const geo = (more: object, column = "place") => ({
  primary_column: column,
  columns: {[column]: {encoding: "WKB", ...more}},
});
const epsg = (code: unknown) => ({crs: {id: {authority: "EPSG", code}}});

test.each([
  ["of none, which is degrees", inDegrees, {}],
  ["of degrees by number", inDegrees, epsg(4326)],
  ["of degrees by the name of OGC", inDegrees, {crs: {id: {authority: "OGC", code: "CRS84"}}}],
  ["of metres", inMetres, epsg(3857)],
  ["of a number in text", inMetres, epsg("3857")],
  ["in small letters", inDegrees, {encoding: "wkb"}],
])("reads the geometry that the metadata name, in a system %s", async (_, value, more) => {
  const file = await parquetOf(`SELECT '1' AS PIN, NULL::BLOB AS geometry, ${value} AS place`, geo(more));
  const {geometry, seen} = await readRows("p.parquet", file, ["PIN"]);
  expect(geometry[0]!.lon).toBeCloseTo(-97.75, 2);
  expect(geometry[0]!.lat).toBeCloseTo(30.25, 1);
  expect(seen).toEqual(["PIN", "geometry"]);
});

test.each([
  ["a system that is not known", geo({crs: null}), /does not say its coordinate system/],
  ["another authority", geo({crs: {id: {authority: "OTHER", code: 4326}}}), /^p\.parquet: /],
  ["a system of no number", geo({crs: {id: {}}}), /^p\.parquet: /],
  ["another encoding", geo({encoding: "point"}), /geometry in the encoding "point"; WKB is read/],
  ["a column that is not there", geo({}, "lost"), /no column "lost", which the metadata "geo" names/],
  ["no JSON", "{", /the metadata "geo" is not JSON/],
  ["JSON of another kind", {columns: {}}, /the metadata "geo" is not that of GeoParquet/],
])("refuses metadata with %s", async (_, metadata, message) => {
  const file = await parquetOf(`SELECT '1' AS PIN, ${inDegrees} AS place`, metadata);
  await expect(readRows("p.parquet", file, ["PIN"])).rejects.toThrow(message);
});

test("names the row of a geometry that cannot be read, and the file of damage", async () => {
  const broken = await parquetOf(
    `SELECT '1' AS PIN, NULL::BLOB AS place UNION ALL SELECT '2', ${inDegrees} UNION ALL SELECT '3', 'x'::BLOB`,
    geo({}),
  );
  await expect(readRows("p.parquet", broken, ["PIN"])).rejects.toThrow("p.parquet: row 3: ");
  const cut = (await parquetOf("SELECT '1' AS PIN")).subarray(0, -10);
  await expect(readRows("p.parquet", cut, ["PIN"])).rejects.toThrow(/^p\.parquet: [^\n]*$/);
});

const projJson = (code: number) =>
  JSON.stringify({
    $schema: "https://proj.org/schemas/v0.7/projjson.schema.json",
    type: "ProjectedCRS",
    id: {authority: "EPSG", code},
  });
const wkt =
  'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]';

test.each([
  ["no system", "", "POINT (-97.75 30.25)", undefined],
  ["that of OGC", "('OGC:CRS84')", "POINT (-97.75 30.25)", undefined],
  ["one in JSON", `('${projJson(3857)}')`, "POINT (-10881480 3534000)", undefined],
  ["one in text", `('${wkt}')`, "POINT (-97.75 30.25)", undefined],
  ["another one in the metadata", "('OGC:CRS84')", "POINT (-10881480 3534000)", geo(epsg(3857), "outline")],
])("reads the geometry type of Parquet itself with %s", async (_, system, point, metadata) => {
  const file = await parquetOf(`SELECT '1' AS PIN, '${point}'::GEOMETRY${system} AS outline`, metadata, {
    typed: true,
  });
  const {geometry, seen} = await readRows("p.parquet", file, ["PIN"]);
  expect(geometry[0]!.lon).toBeCloseTo(-97.75, 2);
  expect(geometry[0]!.lat).toBeCloseTo(30.25, 1);
  expect(seen).toEqual(["PIN"]);
});

test("is recognised by its first bytes even if its name says another format", async () => {
  expect((await readRows("p.dat", await parquetOf("SELECT '1' AS PIN"), ["PIN"])).cells).toEqual([
    {PIN: "1"},
  ]);
});
