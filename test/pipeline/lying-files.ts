import {readFileSync} from "node:fs";
import {join} from "node:path";
import {DatabaseSync} from "node:sqlite";
import {deflateSync, gzipSync} from "node:zlib";
import {columns, sampleRows} from "../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../packages/parcel-files/test/write-flatgeobuf.ts";
import {inline, workbook} from "../../packages/parcel-files/test/write-workbook.ts";
import {zipOf} from "../../packages/parcel-files/test/write-zip.ts";
import {type HostileFile, randomOf} from "./hostile-files.ts";
import {marsAnswer, marsRow} from "./market/raw-folder.ts";
import {pdfPage, sheetRows} from "./market/signals/write-lists.ts";
import {
  attributesOf,
  delimitedOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  kmlOf,
  parquetOf,
  shapefileOf,
} from "./parcels/readers/write-formats.ts";

type Random = () => number;
type Format = {
  readonly extension: string;
  /** Where a file of it may lie: in the folder of an entry, of a feed, or both. */
  readonly isOfMarket: boolean;
  readonly sound: Buffer;
  /** Lies that only this format can tell. */
  readonly lies: readonly ((random: Random) => Buffer)[];
};

const between = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));
const pick = <T>(random: Random, values: readonly T[]) => values[Math.floor(random() * values.length)]!;
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 2 ** 20);

/** Twelve formats of sound files, made of the invented rows of the readers' tests, with the lies of each. */
async function formats(dir: string): Promise<Readonly<Record<string, Format>>> {
  const shapefile = shapefileOf(sampleRows, "lots");
  const geopackage = geopackageOf(sampleRows, dir);
  const parquet = await parquetOf(sampleRows, dir);
  const cells = [[...columns], ...sampleRows.map((row) => columns.map((name) => String(row[name] ?? "")))];
  const features = featuresOf(sampleRows);
  const page = jsonOf({type: "FeatureCollection", features});
  const inZip = (name: "lots.shp" | "lots.shx" | "lots.dbf", lie: (bytes: Buffer) => Buffer) =>
    zipOf({...shapefile, [name]: lie(Buffer.from(shapefile[name]!))});
  const zipBomb = zipOf({"roll.csv": zeros(300)});
  const inner = zipOf({"roll.csv": zeros(100)});
  const nestedBomb = zipOf({"1.zip": inner, "2.zip": inner, "3.zip": inner});
  const sheetBomb = zipOf({"xl/workbook.xml": zeros(200), "xl/_rels/workbook.xml.rels": "<Relationships/>"});
  const bomb = gzipSync(Buffer.concat([Buffer.from("a,b\n"), zeros(300)]));
  return {
    csv: {
      extension: "csv",
      isOfMarket: true,
      sound: Buffer.from(delimitedOf(sampleRows, ",")),
      lies: [
        (random) => Buffer.from(`${columns.join()}\n"${"x,\n".repeat(between(random, 1_000, 200_000))}`),
        (random) => Buffer.from(`${columns.join()}\n${"9".repeat(between(random, 1, 5) * 2 ** 20)}`),
        () => bomb,
      ],
    },
    json: {
      extension: "json",
      isOfMarket: true,
      sound: Buffer.from(marsAnswer([marsRow()])),
      lies: [
        (random) => Buffer.from(`{"results": ${"[".repeat(between(random, 1_000, 300_000))}`),
        (random) =>
          Buffer.from(
            `{"stats": {"returnedRows": 1e9}, "results": [${'{"a": 1},'.repeat(between(random, 1, 300_000))}`,
          ),
      ],
    },
    geojson: {
      extension: "geojson",
      isOfMarket: false,
      sound: Buffer.from(page),
      lies: [
        (random) => Buffer.from(page.replace(/\[-97\.\d+/, `[${"[".repeat(between(random, 10, 100_000))}`)),
        () => Buffer.from(page.replaceAll("-97.", "9e307")),
      ],
    },
    shapefile: {
      extension: "zip",
      isOfMarket: false,
      sound: zipOf(shapefile),
      lies: [
        // The number of points of the first shape, and the length of its record.
        () =>
          inZip(
            "lots.shp",
            changed((bytes) => bytes.writeInt32LE(0x7fffffff, 100 + 8 + 40)),
          ),
        () =>
          inZip(
            "lots.shp",
            changed((bytes) => bytes.writeInt32BE(0x7fffffff, 104)),
          ),
        (random) =>
          inZip(
            "lots.shx",
            changed((bytes) => bytes.writeInt32BE(between(random, 0, 2 ** 31 - 1), 100)),
          ),
        () => inZip("lots.shx", (bytes) => bytes.subarray(0, 104)),
        () =>
          inZip(
            "lots.dbf",
            changed((bytes) => bytes.writeUInt32LE(0xffffffff, 4)),
          ),
      ],
    },
    dbf: {
      extension: "dbf",
      isOfMarket: false,
      sound: attributesOf(sampleRows),
      lies: [
        () => patched(attributesOf(sampleRows), (bytes) => bytes.writeUInt32LE(0xffffffff, 4)),
        (random) =>
          patched(attributesOf(sampleRows), (bytes) => bytes.writeUInt16LE(between(random, 0, 65_535), 8)),
        (random) =>
          patched(attributesOf(sampleRows), (bytes) => bytes.writeUInt16LE(between(random, 0, 65_535), 10)),
      ],
    },
    flatgeobuf: {
      extension: "fgb",
      isOfMarket: false,
      sound: flatgeobufOf(sampleRows),
      lies: [
        (random) => flatgeobufOf(sampleRows, {features: between(random, 10, 2 ** 40)}),
        () => patched(flatgeobufOf(sampleRows), (bytes) => bytes.writeUInt32LE(0x7fffffff, 8)),
        () => flatgeobufOf(sampleRows, {index: true, features: 2 ** 45}),
      ],
    },
    geopackage: {
      extension: "gpkg",
      isOfMarket: false,
      sound: geopackage,
      lies: [() => endlessView(dir), (random) => geopackage.subarray(0, between(random, 1, 40) * 512)],
    },
    kml: {
      extension: "kml",
      isOfMarket: false,
      sound: Buffer.from(kmlOf(sampleRows)),
      lies: [
        (random) =>
          Buffer.from(kmlOf(sampleRows).replace("<Folder>", "<Folder>".repeat(between(random, 100, 50_000)))),
        (random) =>
          Buffer.from(kmlOf(sampleRows).replace("-97.7", `-97.7${"0".repeat(between(random, 10, 2 ** 20))}`)),
        () =>
          Buffer.from(
            kmlOf(sampleRows).replace("<kml", '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><kml'),
          ),
      ],
    },
    xlsx: {
      extension: "xlsx",
      isOfMarket: true,
      sound: workbook({List: sheetRows(cells)}),
      lies: [
        (random) =>
          workbook({List: `<row r="${between(random, 1, 2 ** 31)}">${inline("XFD1048576", "x")}</row>`}),
        (random) =>
          workbook({List: `<row r="1"><c r="A1" t="s"><v>${between(random, 0, 2 ** 40)}</v></c></row>`}),
        () => sheetBomb,
      ],
    },
    parquet: {
      extension: "parquet",
      isOfMarket: true,
      sound: parquet,
      lies: [
        // The length of the footer, and figures in it.
        (random) =>
          patched(parquet, (bytes) => bytes.writeUInt32LE(between(random, 0, 2 ** 31), bytes.length - 8)),
        (random) =>
          patched(parquet, (bytes) => {
            for (let i = 0; i < 4; i += 1)
              bytes[bytes.length - between(random, 9, 600)] = between(random, 128, 255);
          }),
        (random) =>
          patched(parquet, (bytes) => {
            for (let i = 0; i < 4; i += 1) bytes[between(random, 4, 80)] = between(random, 128, 255);
          }),
      ],
    },
    pdf: {
      extension: "pdf",
      isOfMarket: true,
      sound: pdfPage(cells),
      lies: [
        (random) =>
          Buffer.from(
            pdfPage(cells)
              .toString("latin1")
              .replace("/Count 1", `/Count ${between(random, 2, 1e9)}`),
          ),
        () =>
          Buffer.from(pdfPage(cells).toString("latin1").replace("/Kids[3 0 R]", "/Kids[2 0 R 2 0 R 3 0 R]")),
        (random) =>
          Buffer.concat([
            Buffer.from("%PDF-1.4\n1 0 obj <</Filter /FlateDecode>> stream\n"),
            deflateSync(zeros(between(random, 1, 80))),
            Buffer.from("\nendstream endobj"),
          ]),
      ],
    },
    "nested zip": {
      extension: "zip",
      isOfMarket: true,
      sound: zipOf({"inner.zip": zipOf({"roll.csv": delimitedOf(sampleRows, ",")})}),
      lies: [
        () => nestedBomb,
        () => zipBomb,
        () => zipOf({"../../roll.csv": "a,b\n1,2\n"}),
        (random) =>
          patched(zipOf({"roll.csv": "a,b\n1,2\n"}), (bytes) =>
            bytes.writeUInt32LE(between(random, 0, 2 ** 32 - 1), bytes.length - 6),
          ),
      ],
    },
  };
}

function patched(sound: Buffer, change: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.from(sound);
  change(bytes);
  return bytes;
}

const changed = (change: (bytes: Buffer) => unknown) => (sound: Buffer) => patched(sound, change);

/** A layer that is a view without end. */
function endlessView(dir: string): Buffer {
  const path = join(dir, "endless.gpkg");
  const database = new DatabaseSync(path);
  database.exec(`
    DROP VIEW IF EXISTS parcels; DROP TABLE IF EXISTS gpkg_contents; DROP TABLE IF EXISTS gpkg_geometry_columns;
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z TINYINT, m TINYINT);
    INSERT INTO gpkg_contents VALUES ('parcels', 'features', 'parcels', 4326);
    CREATE VIEW parcels AS WITH RECURSIVE n(fid) AS (SELECT 1 UNION ALL SELECT fid + 1 FROM n) SELECT fid, fid AS parcel_no FROM n`);
  database.close();
  return readFileSync(path);
}

/** Lies that a file of any format can tell: cut, flipped, figures raised, another format's name, packed. */
const anyLies: readonly ((random: Random, bytes: Buffer) => {bytes: Buffer; ending?: string})[] = [
  (random, bytes) => ({bytes: bytes.subarray(0, between(random, 0, bytes.length - 1))}),
  (random, bytes) => ({
    bytes: patched(bytes, (copy) => {
      for (let i = between(random, 1, 20); i > 0; i -= 1)
        copy[between(random, 0, copy.length - 1)]! ^= 1 << between(random, 0, 7);
    }),
  }),
  (random, bytes) => ({
    bytes: patched(bytes, (copy) =>
      copy.writeInt32LE(0x7fffffff, between(random, 0, Math.min(copy.length - 4, 256))),
    ),
  }),
  (random, bytes) => ({
    bytes,
    ending: pick(random, [
      "csv",
      "json",
      "xlsx",
      "zip",
      "shp",
      "dbf",
      "gpkg",
      "parquet",
      "kml",
      "fgb",
      "pdf",
      "gz",
    ]),
  }),
  (random, bytes) => ({bytes: gzipSync(Buffer.concat([bytes, zeros(between(random, 1, 8))])), ending: "gz"}),
];

/**
 * Makes files that lie, of twelve formats and as many of each, reproducible by seed: half tell a lie of their format, the others are cut,
 * damaged, misnamed or packed. They lie in the folders of the entries and, where the market reads the format, of the feeds.
 */
export async function lyingFiles(
  perFormat: number,
  seed: number,
  {dir, entries, feeds}: {dir: string; entries: readonly string[]; feeds: readonly string[]},
): Promise<HostileFile[]> {
  const random = randomOf(seed);
  const made: HostileFile[] = [];
  for (const [name, {extension, isOfMarket, sound, lies}] of Object.entries(await formats(dir))) {
    for (let i = 0; i < perFormat; i += 1) {
      const {bytes, ending = extension} =
        i % 2 === 0
          ? {bytes: lies[(i / 2) % lies.length]!(random)}
          : anyLies[((i - 1) / 2) % anyLies.length]!(random, sound);
      const folder =
        isOfMarket && random() < 0.5 ? `market/${pick(random, feeds)}` : `parcels/${pick(random, entries)}`;
      made.push({
        path: `${folder}/lie-${name.replace(" ", "-")}-${String(i).padStart(2, "0")}.${ending}`,
        bytes,
      });
    }
  }
  return made;
}
