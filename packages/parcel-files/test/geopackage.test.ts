import {readFileSync} from "node:fs";
import {join} from "node:path";
import {DatabaseSync} from "node:sqlite";
import {expect, test} from "vitest";
import {readRows} from "./read-rows.ts";
import {temporaryFolder} from "./temporary-folder.ts";
import {wkbOf} from "./write-geopackage.ts";

/** An SQLite file made by some statements. */
function packageOf(...statements: readonly string[]): Buffer {
  const path = join(temporaryFolder(), "made.gpkg");
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return readFileSync(path);
}

const contents = "CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT)";
const geometryColumns =
  "CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER)";
const systems = `CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
  INSERT INTO gpkg_spatial_ref_sys VALUES (4326, 'EPSG', 4326, 'undefined'), (7, 'epsg', 3857, NULL), (8, 'NONE', 3857, 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'), (9, NULL, NULL, NULL)`;
const point = wkbOf({type: "Point", coordinates: [-97.75, 30.25]}).toString("hex");
/** A header with a flag byte, and an envelope of so many bytes. */
const blob = (flags: number, envelope: number, body = point) =>
  `x'475000${flags.toString(16).padStart(2, "0")}00000000${"00".repeat(envelope)}${body}'`;

const features = (name: string, ...rows: readonly string[]) => [
  `CREATE TABLE "${name}" (PIN TEXT, Geom BLOB)`,
  ...rows.map((row) => `INSERT INTO "${name}" VALUES (${row})`),
  `INSERT INTO gpkg_contents VALUES ('${name}', 'features')`,
  `INSERT INTO gpkg_geometry_columns VALUES ('${name.toUpperCase()}', 'GEOM', 4326)`,
];
const attributes = (name: string, kind = "attributes") => [
  `CREATE TABLE "${name}" (PIN TEXT)`,
  `INSERT INTO "${name}" VALUES ('of ${name}')`,
  `INSERT INTO gpkg_contents VALUES ('${name}', '${kind}')`,
];
const all = [contents, geometryColumns, systems];

const pins = async (book: Buffer, layer?: string) =>
  (await readRows("p.gpkg", book, ["PIN"], layer === undefined ? {} : {layer})).cells.map(({PIN}) => PIN);

test("reads the only layer of features, beside tables of attributes", async () => {
  const book = packageOf(...all, ...attributes("Owners"), ...features("Parcels", `'1', ${blob(0, 0)}`));
  expect(await readRows("p.gpkg", book, ["PIN"])).toMatchObject({
    cells: [{PIN: "1"}],
    geometry: [{lon: -97.75, lat: 30.25}],
    seen: ["PIN"],
  });
});

test("reads the layer that the entry names, in any case, with or without outlines", async () => {
  const book = packageOf(
    ...all,
    ...features("A", "'a', NULL"),
    ...features("B", "'b', NULL"),
    ...attributes("Owners"),
  );
  expect([await pins(book, "b"), await pins(book, "OWNERS")]).toEqual([["b"], ["of Owners"]]);
  await expect(pins(book)).rejects.toThrow(/several layers \("A", "B", "Owners"\)/);
  await expect(pins(book, "C")).rejects.toThrow(/no layer "C" of the entry; the file has "A", "B", "Owners"/);
  await expect(pins(packageOf(contents), "C")).rejects.toThrow(
    /no layer "C" of the entry; the file has none/,
  );
});

test("reads a package with attributes only, including older aspatial ones, but not tiles", async () => {
  expect(await pins(packageOf(contents, ...attributes("Rolls", "aspatial")))).toEqual(["of Rolls"]);
  await expect(pins(packageOf(contents, ...attributes("Map", "tiles")))).rejects.toThrow(
    /no layer of features or attributes/,
  );
});

test.each([
  [0b0000_0001, 0],
  [0b0000_0011, 32],
  [0b0000_0101, 48],
  [0b0000_0111, 48],
  [0b0000_1001, 64],
])("skips the envelope of a header with the flags %d", async (flags, envelope) => {
  const {geometry} = await readRows(
    "p.gpkg",
    packageOf(...all, ...features("P", `'1', ${blob(flags, envelope)}`)),
    ["PIN"],
  );
  expect(geometry).toEqual([{lon: -97.75, lat: 30.25}]);
});

test("gives no point for an empty, missing or invalid geometry", async () => {
  const rows = [`'1', ${blob(0b0001_0001, 0, "00")}`, "'2', NULL", "'3', 'text'"];
  const {cells, geometry} = await readRows("p.gpkg", packageOf(...all, ...features("P", ...rows)), ["PIN"]);
  expect(cells.map(({PIN}) => PIN)).toEqual(["1", "2", "3"]);
  expect(geometry).toEqual(Array(3).fill({lon: null, lat: null}));
});

test.each([
  ["another mark", `x'475100${"00".repeat(5)}${point}'`],
  ["another first letter", `x'465000${"00".repeat(5)}${point}'`],
  ["an envelope of no kind", blob(0b0000_1011, 64)],
  ["nothing", "x''"],
  ["a cut geometry", blob(1, 0, point.slice(0, 20))],
])("names layer and row of a geometry with %s", async (_, value) => {
  const book = packageOf(...all, ...features("P", "'1', NULL", `'2', ${value}`));
  await expect(readRows("p.gpkg", book, ["PIN"])).rejects.toThrow('p.gpkg: layer "P", row 2: ');
});

test("reads large integers exactly, and bytes in a cell as null", async () => {
  const book = packageOf(
    contents,
    "CREATE TABLE Rolls (PIN INTEGER, NOTE BLOB, OTHER TEXT)",
    "INSERT INTO Rolls VALUES (9007199254740993, x'00', 'x')",
    "INSERT INTO gpkg_contents VALUES ('Rolls', 'attributes')",
  );
  const {cells, seen} = await readRows("p.gpkg", book, ["PIN", "NOTE"]);
  expect([cells, seen]).toEqual([[{PIN: "9007199254740993", NOTE: null}], ["PIN", "NOTE", "OTHER"]]);
});

const placed = (srs: number) =>
  packageOf(
    ...all,
    "CREATE TABLE P (PIN TEXT, geom BLOB)",
    `INSERT INTO P VALUES ('1', ${blob(1, 0)})`,
    "INSERT INTO gpkg_contents VALUES ('P', 'features')",
    `INSERT INTO gpkg_geometry_columns VALUES ('P', 'geom', ${srs})`,
  );

test("takes the coordinate system of the layer by its authority's number or its text", async () => {
  const degrees = async (srs: number) => (await readRows("p.gpkg", placed(srs), ["PIN"])).geometry[0]!;
  expect(await degrees(4326)).toEqual({lon: -97.75, lat: 30.25});
  expect((await degrees(7)).lon).toBeCloseTo(0, 2);
  expect(await degrees(8)).toEqual({lon: -97.75, lat: 30.25});
});

test.each([0, -1, 5, 9])(
  "asks for the coordinate system if the number %d does not define it",
  async (srs) => {
    await expect(readRows("p.gpkg", placed(srs), ["PIN"])).rejects.toThrow(
      /does not say its coordinate system/,
    );
    expect((await readRows("p.gpkg", placed(srs), ["PIN"], {crs: "EPSG:4326"})).geometry).toHaveLength(1);
  },
);

test("refuses another SQLite file as no GeoPackage, and a damaged package as damaged", async () => {
  await expect(pins(packageOf("CREATE TABLE P (PIN TEXT)"))).rejects.toThrow(/without gpkg_contents/);
  await expect(
    pins(packageOf(contents, "INSERT INTO gpkg_contents VALUES ('P', 'features')")),
  ).rejects.toThrow(/the layer "P" of the contents is not there.*damaged/);
  const cut = packageOf(...all, ...features("P", "'1', NULL")).subarray(0, 4096);
  await expect(pins(cut)).rejects.toThrow(/p\.gpkg: .*The file is damaged; fetch it again/);
});

test("is recognised by its first bytes even if its name says another format", async () => {
  const book = packageOf(contents, ...attributes("Rolls"));
  expect((await readRows("p.dat", book, ["PIN"])).cells).toHaveLength(1);
});

const columns = "geom, parcel_no, owner, address, acreage, account, use_code";
const layerOf = (create: string) =>
  packageOf(
    ...all,
    create,
    "INSERT INTO gpkg_contents VALUES ('p', 'features')",
    "INSERT INTO gpkg_geometry_columns VALUES ('p', 'geom', 4326)",
  );

test.each([
  [
    "view",
    `CREATE VIEW p AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ${columns.replace("geom", "NULL AS geom").replaceAll(/, (\w+)/g, ", i AS $1")} FROM n`,
  ],
  ["virtual table", `CREATE VIRTUAL TABLE p USING fts5(${columns})`],
])("S16: a layer that is a %s is named instead of read", async (_, create) => {
  await expect(readRows("p.gpkg", layerOf(create), ["parcel_no"])).rejects.toThrow(
    'p.gpkg: the layer "p" is a view or a virtual table, and only tables are read',
  );
});
