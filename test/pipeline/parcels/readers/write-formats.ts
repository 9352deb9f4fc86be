import {readFileSync} from "node:fs";
import {join} from "node:path";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {columns, type SampleRow} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {dbfOf} from "../../../../packages/parcel-files/test/write-dbf.ts";
import {writeGeopackage} from "../../../../packages/parcel-files/test/write-geopackage.ts";
import {shapesOf} from "../../../../packages/parcel-files/test/write-shapefile.ts";
import {wkbOf} from "../../../../packages/parcel-outlines/test/write-wkb.ts";

/** Degrees of WGS 84, as Esri writes them. */
export const degreesPrj =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** The files of a shapefile of the rows. */
export function shapefileOf(
  rows: readonly SampleRow[],
  stem: string,
  {prj = degreesPrj, z = false} = {},
): Record<string, Buffer | string> {
  const {shp, shx} = shapesOf(
    rows.map(({geometry}) => geometry),
    {z},
  );
  return {
    [`${stem}.shp`]: shp,
    [`${stem}.shx`]: shx,
    [`${stem}.dbf`]: attributesOf(rows),
    [`${stem}.prj`]: prj,
    [`${stem}.cpg`]: "UTF-8",
  };
}

/** The rows as a dBASE table in UTF-8. */
export function attributesOf(rows: readonly SampleRow[]): Buffer {
  const width = {parcel_no: 12, owner: 40, address: 40, acreage: 12, account: 20, use_code: 4};
  const type = {parcel_no: "C", owner: "C", address: "C", acreage: "N", account: "N", use_code: "C"};
  return dbfOf(
    columns.map((name) => ({
      name,
      type: type[name],
      width: width[name],
      text: (row: SampleRow) => String(row[name] ?? ""),
    })),
    rows,
  );
}

/** The rows as delimited text with every text quoted. */
export function delimitedOf(rows: readonly SampleRow[], delimiter: string): string {
  const cell = (value: unknown) =>
    typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : String(value ?? "");
  return [
    columns.join(delimiter),
    ...rows.map((row) => columns.map((column) => cell(row[column])).join(delimiter)),
  ].join("\r\n");
}

/** JSON of a value with integers of any size. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint" ? `bigint:${each}` : each,
  ).replace(/"bigint:(\d+)"/g, "$1");
}

export function propertiesOf(row: SampleRow): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

/** Features of GeoJSON. */
export function featuresOf(rows: readonly SampleRow[]): unknown[] {
  return rows.map((row) => ({type: "Feature", properties: propertiesOf(row), geometry: row.geometry}));
}

/** A page as `f=json` gives it. */
export function esriPageOf(rows: readonly SampleRow[], spatialReference: unknown): string {
  const rings = ({geometry}: SampleRow) =>
    geometry?.type === "Polygon"
      ? geometry.coordinates
      : geometry?.type === "MultiPolygon"
        ? geometry.coordinates.flat()
        : null;
  return jsonOf({
    objectIdFieldName: "OBJECTID",
    geometryType: "esriGeometryPolygon",
    spatialReference,
    fields: columns.map((name) => ({name, type: "esriFieldTypeString"})),
    features: rows.map((row) => ({
      attributes: propertiesOf(row),
      ...(rings(row) === null ? {} : {geometry: {rings: rings(row)}}),
    })),
  });
}

/** KML of the rows; with `described`, their cells are in HTML tables, as some GIS programs write them. */
export function kmlOf(rows: readonly SampleRow[], {described = false} = {}): string {
  const escaped = (value: unknown) =>
    String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const cells = (row: SampleRow) => columns.filter((column) => row[column] !== null);
  const data = (row: SampleRow) => {
    if (!described) {
      const simple = cells(row).map(
        (name) => `<SimpleData name="${name}">${escaped(row[name])}</SimpleData>`,
      );
      return `<ExtendedData><SchemaData schemaUrl="#p">${simple.join("")}</SchemaData></ExtendedData>`;
    }
    const lines = cells(row).map(
      (name) => `<tr bgcolor="#eee">\n<td>${name}</td><td>${escaped(row[name])}</td>\n</tr>`,
    );
    return `<description><![CDATA[<html><table><tr><td>${row.parcel_no}</td></tr><tr><td><table>${lines.join("")}</table></td></tr></table></html>]]></description>`;
  };
  const ring = (positions: readonly (readonly number[])[]) =>
    `<LinearRing><coordinates>\n${positions.map(([x, y]) => `${x},${y},0`).join(" ")}\n</coordinates></LinearRing>`;
  const polygon = ([outer = [], ...holes]: readonly (readonly (readonly number[])[])[]) =>
    `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join("")}</Polygon>`;
  const shape = ({geometry}: SampleRow) => {
    if (geometry?.type === "Polygon") return polygon(geometry.coordinates);
    if (geometry?.type !== "MultiPolygon") return "";
    return `<MultiGeometry>${geometry.coordinates.map(polygon).join("")}</MultiGeometry>`;
  };
  const placemarks = rows.map(
    (row) => `<Placemark id="a"><name>${row.parcel_no}</name>${data(row)}${shape(row)}</Placemark>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>${placemarks.join("\n")}</Folder></Document></kml>`;
}

export function geopackageOf(rows: readonly SampleRow[], dir: string): Buffer {
  const path = join(dir, `made-${rows.length}.gpkg`);
  writeGeopackage(path, rows);
  return readFileSync(path);
}

/** Parquet of the rows, or GeoParquet if `crs` is given (`undefined` inside it omits the member). */
export async function parquetOf(
  rows: readonly SampleRow[],
  dir: string,
  geo?: {crs?: unknown},
): Promise<Buffer> {
  const db = await openDatabase();
  const path = join(dir, "made.parquet");
  const values = rows.map((row) => {
    const cells = columns.map((column) =>
      typeof row[column] === "string" ? sqlText(row[column]) : String(row[column] ?? "NULL"),
    );
    return `(${cells.join(", ")}, ${row.geometry === null ? "NULL" : `unhex('${wkbOf(row.geometry).toString("hex")}')`})`;
  });
  const metadata = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: {geometry: {encoding: "WKB", geometry_types: [], ...geo}},
  };
  const shape = geo === undefined ? "" : ", geometry";
  await db.run(
    `COPY (SELECT parcel_no, owner, address, acreage::DOUBLE AS acreage, account::BIGINT AS account, use_code${shape}
       FROM (VALUES ${values.join(", ")}) AS rows(${columns.join(", ")}, geometry))
     TO ${sqlText(path)} (FORMAT parquet${geo === undefined ? "" : `, KV_METADATA {geo: ${sqlText(JSON.stringify(metadata))}}`})`,
  );
  db.close();
  return readFileSync(path);
}
