import {readFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {describe, expect, it} from "vitest";
import {type SampleRow, sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {writeGeopackage} from "../../../../packages/parcel-files/test/write-geopackage.ts";
import {inline, workbook} from "../../../../packages/parcel-files/test/write-workbook.ts";
import {zipOf} from "../../../../packages/parcel-files/test/write-zip.ts";
import {addsUp} from "../../../../schemas/build-report.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {bareEntry} from "../invented-source.ts";
import {sampleEntry} from "./sample-entry.ts";
import {stage} from "./staging.ts";
import {
  attributesOf,
  delimitedOf,
  esriPageOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  parquetOf,
  shapefileOf,
} from "./write-formats.ts";

const rows: readonly SampleRow[] = Array.from({length: 600}, (_, i) => ({
  ...sampleRows[i % 2]!,
  parcel_no: `0001-${i}`,
}));
const half = (bytes: Buffer | string) => Buffer.from(bytes).subarray(0, Math.floor(bytes.length / 2));
const geojson = jsonOf({type: "FeatureCollection", features: featuresOf(rows)});

async function reasonOf(files: Readonly<Record<string, Buffer | string>>, name = Object.keys(files)[0]!) {
  return (await stage(files)).reason(name);
}

describe("a file that is cut in half is refused with its place", () => {
  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    [
      "p.geojson",
      () => half(geojson),
      /ends after \d+ bytes in the middle, behind row \d+: the file is cut off/,
    ],
    ["p.geojson.gz", () => half(gzipSync(geojson)), /p\.geojson\.gz: damaged gzip file/],
    ["p.zip", () => half(zipOf({"p.geojson": geojson})), /p\.zip: cannot be unpacked/],
    [
      "p.dbf",
      () => half(attributesOf(rows)),
      /600 records of \d+ bytes were expected, \d+ bytes are missing: the file is cut off/,
    ],
    ["p.fgb", () => half(flatgeobufOf(rows)), /the file is cut off/],
    ["p.gpkg", () => half(geopackageOf(rows, temporaryFolder())), /damaged/],
    ["p.parquet", async () => half(await parquetOf(rows, temporaryFolder())), /p\.parquet: /],
  ])("%s", async (name, content, reason) => {
    expect(await reasonOf({[name]: await content()})).toMatch(reason);
  });

  it("a shapefile, by its .shp, .shx or .dbf", async () => {
    const files = shapefileOf(rows, "p");
    expect(await reasonOf({...files, "p.shp": half(files["p.shp"]!)}, "p.shp")).toMatch(
      /p\.shp: ends after \d+ bytes; \d+ were expected: the file is cut off/,
    );
    expect(await reasonOf({...files, "p.shx": half(files["p.shx"]!)}, "p.shp")).toMatch(
      /\(its \.shx\): ends after/,
    );
    expect(await reasonOf({...files, "p.dbf": half(files["p.dbf"]!)}, "p.shp")).toMatch(
      /\(its \.dbf\): 600 records/,
    );
  });

  it("FlatGeobuf that ends between two features, by the count of its header", async () => {
    const whole = flatgeobufOf(rows);
    const cut = whole.subarray(0, flatgeobufOf(rows.slice(0, 300)).length);
    expect(await reasonOf({"p.fgb": cut})).toMatch(/300 features; 600 were expected/);
  });

  it("but delimited text only counts its incomplete row", async () => {
    const text = delimitedOf(rows, ",");
    const staged = await stage({"p.csv": text.slice(0, text.lastIndexOf("SAMPLE ST"))});
    expect(staged.files).toMatchObject([{rows: 599, malformed: 1}]);
  });
});

describe("damage inside a file is refused with its place", () => {
  it("a shape that states more points than it has", async () => {
    const {"p.shp": shp, ...files} = shapefileOf(rows, "p");
    const damaged = Buffer.from(shp!);
    damaged.writeInt32LE(1_000_000_000, 100 + 8 + 40);
    expect(await reasonOf({...files, "p.shp": damaged}, "p.shp")).toMatch(/p\.shp: shape 1: .*damaged/);
  });

  it("fewer shapes than attributes", async () => {
    expect(
      await reasonOf({...shapefileOf(rows, "p"), "p.dbf": attributesOf(rows.slice(1))}, "p.shp"),
    ).toMatch(/600 shapes, but 599 records/);
  });

  it("a feature of FlatGeobuf that points out of itself", async () => {
    const damaged = Buffer.from(flatgeobufOf(rows));
    const last = flatgeobufOf(rows.slice(0, -1)).length;
    damaged.writeInt32LE(0x7fffff00, last + 4);
    expect(await reasonOf({"p.fgb": damaged})).toMatch(
      /p\.fgb: feature 600: not to be understood: .*The file is damaged/,
    );
  });

  it("a shapefile without its attributes", async () => {
    const {"p.dbf": _, ...files} = shapefileOf(rows, "p");
    expect(await reasonOf(files as Record<string, Buffer>, "p.shp")).toMatch(
      /no \.dbf of this name beside it/,
    );
  });
});

describe("limits of an archive and of a line", () => {
  it("expand without bound", async () => {
    expect(await reasonOf({"p.zip": zipOf({"p.csv": Buffer.alloc(257 * 2 ** 20, 0x61)})})).toMatch(
      /p\.zip: unpacks to more than 250 times its size/,
    );
  });

  it("leave the folder", async () => {
    expect(await reasonOf({"p.zip": zipOf({"../../p.csv": delimitedOf(rows, ",")})})).toMatch(
      /p\.zip: cannot be unpacked: invalid relative path/,
    );
  });

  it("have no end: a row of delimited text of more than 16 MiB", async () => {
    const endless = `${delimitedOf(rows, ",")}\r\n"0002","${"x".repeat(17 * 2 ** 20)}`;
    const staged = await stage({"p.csv": endless});
    const malformed = staged.files.reduce((sum, file) => sum + file.malformed, 0);
    expect(malformed + staged.reports.length).toBeGreaterThan(0);
  });

  it("have no end: a row of JSON of more than 32 MiB", async () => {
    const endless = gzipSync(
      Buffer.concat([Buffer.from('[{"parcel_no":"1"},{"parcel_no":"'), Buffer.alloc(257 * 2 ** 20, 0x61)]),
      {level: 1},
    );
    expect(await reasonOf({"p.json.gz": endless})).toMatch(
      /one JSON value of more than 33554432 bytes|unpacks to more than/,
    );
  });
});

describe("a file that does not fit its entry", () => {
  it("names the missing column and those that came", async () => {
    const renamed = delimitedOf(rows, ",").replace("parcel_no", "pin");
    expect(await reasonOf({"p.csv": renamed})).toMatch(
      /no column "parcel_no" \(ids\.raw\) of us-tx-sample; its columns are pin, owner, address/,
    );
    const files = shapefileOf(rows, "p");
    const attributes = Buffer.from(
      attributesOf(rows).toString("latin1").replace("parcel_no", "parcel_nr"),
      "latin1",
    );
    expect(await reasonOf({...files, "p.dbf": attributes}, "p.shp")).toMatch(/no column "parcel_no"/);
  });

  it("is refused if the entry names none of several layers, and read if it names one", async () => {
    const path = join(temporaryFolder(), "p.gpkg");
    writeGeopackage(path, sampleRows, {layers: ["Parcels", "Roads"]});
    const files = {"p.gpkg": readFileSync(path)};
    expect(await reasonOf(files)).toMatch(
      /several layers \("Parcels", "Roads"\); say which one has the parcels/,
    );
    expect((await stage(files, {...sampleEntry, layer: "parcels"})).files).toMatchObject([{rows: 3}]);
    expect((await stage(files, {...sampleEntry, layer: "Lots"})).reason("p.gpkg")).toMatch(/no layer "Lots"/);
  });

  it("selects the shapefile of an archive that the entry names", async () => {
    const archive = zipOf({...shapefileOf(sampleRows, "a/Parcels"), ...shapefileOf(rows, "a/Lots")});
    expect((await stage({"p.zip": archive}, {...sampleEntry, layer: "Parcels"})).files).toMatchObject([
      {rows: 3},
    ]);
  });
});

describe("files beside the rows", () => {
  it("of an ArcGIS harvest are left out or refused, and every page is read", async () => {
    const staged = await stage({
      "0.json": esriPageOf(rows.slice(0, 300), {wkid: 4326}),
      "1.json": esriPageOf(rows.slice(300), {wkid: 4326}),
      "metadata.json": JSON.stringify({
        currentVersion: 11.2,
        name: "Parcels",
        type: "Feature Layer",
        fields: [{name: "parcel_no", type: "esriFieldTypeString"}],
      }),
      "count.json": '{"count": 600}',
      "ids.json": '{"objectIdFieldName":"OBJECTID","objectIds":[1,2,3]}',
      "2.json": '{"error":{"code":499,"message":"Token Required","details":[]}}',
    });
    expect(staged.files.map((file) => file.rows)).toEqual([300, 300]);
    expect(staged.reason("metadata.json")).toMatch(/^left_out: .*metadata of the layer "Parcels"/);
    expect(staged.reason("count.json")).toMatch(/^left_out: .*a count \(600\)/);
    expect(staged.reason("ids.json")).toMatch(/^left_out: .*3 object ids/);
    expect(staged.reason("2.json")).toMatch(
      /^failed: .*expected data, got the server's error: 499 Token Required/,
    );
  });

  it("are ignored beside delimited text in an archive, whatever the table's extension", async () => {
    const archive = zipOf({"roll.txt": delimitedOf(sampleRows, "|"), "roll.pdf": "x"});
    expect((await stage({"p.zip": archive})).files).toMatchObject([{rows: 3}]);
    const noted = zipOf({"roll.csv": delimitedOf(sampleRows, ","), "readme.txt": "On the roll"});
    const staged = await stage({"p.zip": noted});
    expect(staged.files).toMatchObject([{rows: 3}]);
    expect(staged.reason("p.zip:readme.txt")).toMatch(/^left_out: .*name it as the layer/);
  });

  it.each([
    ["layout.docx", "PK", undefined],
    ["layout.xlsx", "PK", /^left_out: .*name it as the layer/],
    [
      "lookup.csv",
      "CODE,NAME\n1,A\n",
      /^left_out: .*lookup\.csv: no column "parcel_no".*name it as the layer/,
    ],
    ["notes.txt", "Owners, values, areas\nof the roll\n", /^left_out: .*name it as the layer/],
  ])("do not hide a roll that is text, and are named themselves: %s", async (name, content, reason) => {
    const archive = {"p.zip": zipOf({"PARCELS.TXT": delimitedOf(sampleRows, "|"), [name]: content})};
    const staged = await stage(archive);
    expect(staged.files).toMatchObject([{rows: 3}]);
    if (reason === undefined) expect(staged.reports).toEqual([]);
    else expect(staged.reason(`p.zip:${name}`)).toMatch(reason);
    expect(staged.reports.every(addsUp)).toBe(true);
    expect((await stage(archive, {...sampleEntry, layer: "parcels"})).files).toMatchObject([{rows: 3}]);
  });

  it("are tables if they are workbooks or texts alone", async () => {
    const read = async (members: Record<string, string | Buffer>) =>
      (await stage({"p.zip": zipOf(members)}, bareEntry())).files;
    const cells = ["PIN", "1", "2"].map(
      (text, i) => `<row r="${i + 1}">${inline(`A${i + 1}`, text)}${inline(`B${i + 1}`, "OWNER")}</row>`,
    );
    const book = workbook({roll: cells.join("")});
    expect(await read({"a.xlsx": book, "readme.txt": "On the roll"})).toMatchObject([{rows: 2}]);
    expect(await read({"a.txt": "PIN\n1\n", "b.doc": "x"})).toMatchObject([{rows: 1}]);
  });

  it("are named if their format is unknown, while the tables in the archive are read", async () => {
    const archive = zipOf({"roll.csv": delimitedOf(sampleRows, ","), "roll.mdb": "\0\x01Standard Jet DB"});
    const staged = await stage({"p.zip": archive});
    expect(staged.files).toMatchObject([{rows: 3}]);
    expect(staged.reason("p.zip:roll.mdb")).toMatch(/^no_reader: .*roll\.mdb: unknown format/);
    const layers = zipOf({...shapefileOf(sampleRows, "Parcels"), ...shapefileOf(rows, "Lots")});
    const chosen = await stage({"p.zip": layers}, {...sampleEntry, layer: "Parcels"});
    expect(chosen.reason("p.zip:Lots.shp")).toBe('left_out: not "Parcels", the layer of us-tx-sample');
  });

  it("of a shapefile lying unpacked in the folder are read with it, once", async () => {
    const staged = await stage(shapefileOf(sampleRows, "p"));
    expect(staged.files).toMatchObject([{rows: 3}]);
    expect(staged.reports.map(({status}) => status)).toEqual([
      "left_out",
      "left_out",
      "left_out",
      "left_out",
    ]);
  });

  it("of a file geodatabase are left out where the same archive has a shapefile", async () => {
    const shape = Object.entries(shapefileOf(rows, "p")).map(([name, bytes]) => [`shp/${name}`, bytes]);
    const twice = {
      ...Object.fromEntries(shape),
      "fgdb/p.gdb/a00000001.gdbtable": "x",
      "fgdb/p.gdb/timestamps": "x",
    };
    const {files, reports} = await stage({"p.zip": zipOf(twice)});
    expect(files.map((file) => file.rows)).toEqual([rows.length]);
    expect(reports.map(({status}) => status)).toEqual(["left_out", "left_out"]);
  });

  it("of a file geodatabase are refused once, with the command that converts it", async () => {
    const tables = {
      "x.gdb/a00000001.gdbtable": "x",
      "x.gdb/a00000001.gdbtablx": "x",
      "x.gdb/timestamps": "x",
    };
    expect(await reasonOf({"x.gdb.zip": zipOf(tables)})).toMatch(
      /^failed: .*ogr2ogr -f GPKG "x\.gpkg" "x\.gdb\.zip"/,
    );
    const staged = await stage(tables);
    expect(staged.reports.map(({status}) => status)).toEqual(["failed", "left_out", "left_out"]);
    expect(staged.reason("x.gdb/a00000001.gdbtable")).toMatch(
      /Convert it: ogr2ogr -f GPKG "x\.gpkg" "x\.gdb"/,
    );
  });
});
