import {gzipSync} from "node:zlib";
import {describe, expect, it} from "vitest";
import {columns, sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {zipOf} from "../../../../packages/parcel-files/test/write-zip.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {stage} from "./staging.ts";
import {
  attributesOf,
  delimitedOf,
  esriPageOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  kmlOf,
  parquetOf,
  propertiesOf,
  shapefileOf,
} from "./write-formats.ts";

type Files = Readonly<Record<string, Buffer | string>>;

const rows = sampleRows;
const geojson = () => jsonOf({type: "FeatureCollection", features: featuresOf(rows)});

/** Formats with outlines; their rows must be entirely equal. */
const outlines: Record<string, () => Files | Promise<Files>> = {
  NDGeoJSON: () => ({"p.ndgeojson": featuresOf(rows).map(jsonOf).join("\n")}),
  "a GeoJSON text sequence": () => ({
    "p.geojsons": featuresOf(rows)
      .map((feature) => `\u001e${jsonOf(feature)}\n`)
      .join(""),
  }),
  "GeoJSON with a mark of byte order in .gz": () => ({"p.geojson.gz": gzipSync(`\ufeff${geojson()}`)}),
  "an Esri page": () => ({"p.json": esriPageOf(rows, {wkid: 102100, latestWkid: 4326})}),
  "several Esri pages": () => ({
    "0.json": esriPageOf(rows.slice(0, 2), {wkid: 4326}),
    "1.json": esriPageOf(rows.slice(2), {wkid: 4326}),
  }),
  "a shapefile": () => shapefileOf(rows, "p"),
  "a shapefile with Z": () => shapefileOf(rows, "p", {z: true}),
  "a shapefile without .shx": () => {
    const {"p.shx": _, ...others} = shapefileOf(rows, "p");
    return others as Files;
  },
  "a shapefile in folders of a .zip": () => ({
    "p.zip": zipOf({...shapefileOf(rows, "county/2026/Parcels"), "county/readme.pdf": "x"}),
  }),
  "a shapefile in capitals": () =>
    Object.fromEntries(
      Object.entries(shapefileOf(rows, "P")).map(([name, content]) => [name.toUpperCase(), content]),
    ),
  FlatGeobuf: () => ({"p.fgb": flatgeobufOf(rows)}),
  "FlatGeobuf with an index in .gz": () => ({"p.fgb.gz": gzipSync(flatgeobufOf(rows, {index: true}))}),
  "FlatGeobuf that does not say how many": () => ({"p.fgb": flatgeobufOf(rows, {features: 0})}),
  GeoPackage: () => ({"p.gpkg": geopackageOf(rows, temporaryFolder())}),
  "GeoPackage in .zip": () => ({"p.zip": zipOf({"in/p.gpkg": geopackageOf(rows, temporaryFolder())})}),
  KML: () => ({"p.kml": kmlOf(rows)}),
  "KML with tables in its descriptions": () => ({"p.kml": kmlOf(rows, {described: true})}),
  KMZ: () => ({"p.kmz": zipOf({"doc.kml": kmlOf(rows), "files/icon.png": "x"})}),
  GeoParquet: async () => ({"p.parquet": await parquetOf(rows, temporaryFolder(), {})}),
  "GeoParquet in .gz": async () => ({
    "p.parquet.gz": gzipSync(
      await parquetOf(rows, temporaryFolder(), {crs: {id: {authority: "OGC", code: "CRS84"}}}),
    ),
  }),
};

/** Formats with attributes only. */
const attributes: Record<string, () => Files | Promise<Files>> = {
  TSV: () => ({"p.tsv": delimitedOf(rows, "\t")}),
  "text with bars in .gz": () => ({"p.txt.gz": gzipSync(delimitedOf(rows, "|"))}),
  "text with semicolons in .zip": () => ({"p.zip": zipOf({"a/p.csv": `\ufeff${delimitedOf(rows, ";")}`})}),
  "CSV in Windows-1252": () => ({"p.csv": Buffer.from(delimitedOf(rows, ","), "latin1")}),
  "R11: text with commas in a .zip in a .zip": () => ({
    "p.zip": zipOf({"inner.zip": zipOf({"p.csv": delimitedOf(rows, ",")})}),
  }),
  "R11: UTF-16 without a mark": () => ({"p.csv": Buffer.from(delimitedOf(rows, ","), "utf16le")}),
  "a DBF alone": () => ({"p.dbf": attributesOf(rows)}),
  "a DBF alone in .zip": () => ({"p.zip": zipOf({"p.dbf": attributesOf(rows)})}),
  "JSON rows with fields": () => ({
    "p.json": jsonOf({
      fields: columns.map((name) => ({name})),
      rows: rows.map((row) => columns.map((column) => row[column])),
    }),
  }),
  "an array of JSON rows": () => ({"p.json": jsonOf(rows.map(propertiesOf))}),
  Parquet: async () => ({"p.parquet": await parquetOf(rows, temporaryFolder())}),
};

describe("the same rows through every format", () => {
  it.each(Object.entries(outlines))("%s conforms to the rows of the GeoJSON", async (_, files) => {
    const expected = await (await stage({"p.geojson": geojson()})).conformed();
    expect(expected).toHaveLength(rows.length);
    expect(expected.map(({alt_ids}) => alt_ids)).toEqual([["9007199254740993"], ["42"], ["43"]]);
    const staged = await stage(await files());
    expect(staged.reports.filter(({status}) => status !== "left_out")).toEqual([]);
    expect(await staged.conformed()).toEqual(expected);
  });

  it.each(Object.entries(attributes))("%s conforms to the rows of the CSV", async (_, files) => {
    const expected = await (await stage({"p.csv": delimitedOf(rows, ",")})).conformed();
    expect(expected.map(({owner_raw}) => owner_raw)).toEqual(rows.map(({owner}) => owner));
    const staged = await stage(await files());
    expect(staged.reports.filter(({status}) => status !== "left_out")).toEqual([]);
    expect(await staged.conformed()).toEqual(expected);
  });

  it("keeps the cells of a format with outlines equal to those without", async () => {
    const cells = (all: Record<string, unknown>[]) =>
      all.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    const shapes = await stage(shapefileOf(rows, "p"));
    const text = await stage({"p.csv": delimitedOf(rows, ",")});
    expect(cells(await shapes.rows())).toEqual(cells(await text.rows()));
  });
});
