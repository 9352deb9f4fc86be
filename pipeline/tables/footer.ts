import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {tableOfPath} from "../../lib/storage/build-layout.ts";
import {describedFile} from "../../schemas/described-files.ts";

export type GeoColumn = {
  readonly geometryTypes: readonly ("Point" | "Polygon" | "MultiPolygon")[];
  /** Extent of all rows; null without geometry. */
  readonly extent: readonly [west: number, south: number, east: number, north: number] | null;
};

/**
 * SQL for the columns `geometry` and `bbox` of a point from `lon` and `lat`, null for null: its WKB, and the box with which readers skip
 * row groups. DuckDB rewrites the big-endian WKB bit for bit (`docs/design/measurements.md` section 4).
 */
export const pointColumns = `st_asbinary(st_geomfromwkb(unhex('0000000001') || lon::BIT::BLOB || lat::BIT::BLOB)) AS geometry,
  CASE WHEN lon IS NOT NULL THEN {'xmin': lon, 'ymin': lat, 'xmax': lon, 'ymax': lat} END AS bbox`;

/**
 * Facts of a part repeated in the footer of each of its Parquet files, so that a copied file still says what it is. None of them depends on
 * the build that the file is linked into: the same part has the same bytes in every build.
 */
export type PartStamp = {
  /** `MARKET` or a state. */
  readonly part: string;
  /** Digest over the part's inputs, as in the manifest of every build with the file; null outside a build. */
  readonly inputsSha256: string | null;
  /** `YYYY-MM-DD`: the day as of which the rows were read. */
  readonly asOf: string;
  readonly sample: boolean;
  /** Licences of the sources, each with the ids of its sources. */
  readonly licence: string;
};

type FooterEntries = Readonly<Record<string, string>>;

/**
 * Returns the key-value metadata of a Parquet file: the table, the descriptions of table and columns, and the facts of the part. `more`
 * adds entries, such as `geo`.
 */
export function footerEntries(path: string, stamp: PartStamp, more: FooterEntries = {}): FooterEntries {
  const file = describedFile(path);
  const about = Object.fromEntries((file?.columns ?? []).map((column) => [column.name, column.about]));
  return {
    ...more,
    table: tableOfPath(path),
    title: file?.about ?? "",
    part: stamp.part,
    ...(stamp.inputsSha256 === null ? {} : {inputs_sha256: stamp.inputsSha256}),
    as_of_date: stamp.asOf,
    sample: String(stamp.sample),
    licence: stamp.licence,
    columns: JSON.stringify(about),
  };
}

/** Returns the option of DuckDB's COPY that writes the metadata. */
export function footerOption(entries: FooterEntries): string {
  const pairs = Object.entries(entries).map(([name, value]) => `${sqlText(name)}: ${sqlText(value)}`);
  return `KV_METADATA {${pairs.join(", ")}}`;
}

/** Lists the licences of the sources in one line, each with the ids of its sources. */
export function licenceLine(sources: readonly {readonly id: string; readonly licence: string}[]): string {
  return [...Map.groupBy(sources, ({licence}) => licence)]
    .map(([licence, of]) => [licence, [...new Set(of.map(({id}) => id))].sort().join(", ")])
    .map(([licence, ids]) => `${licence} (${ids})`)
    .sort()
    .join("; ");
}

/**
 * Returns the GeoParquet 1.1 `geo` metadata, as JSON, for a WKB column `geometry` in OGC:CRS84 (the default when `crs` is absent) covered
 * by the struct column `bbox`. DuckDB alone would write 1.0 and no covering.
 */
export function geoMetadata({geometryTypes, extent}: GeoColumn): string {
  const edges = ["xmin", "ymin", "xmax", "ymax"];
  const geo = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: {
      geometry: {
        encoding: "WKB",
        geometry_types: geometryTypes,
        ...(extent === null ? {} : {bbox: extent}),
        covering: {bbox: Object.fromEntries(edges.map((edge) => [edge, ["bbox", edge]]))},
      },
    },
  };
  return JSON.stringify(geo);
}

/** Returns the extent of a query's rows with the columns `w`, `s`, `e`, `n`; null if there are none. */
export async function extentOf(db: Database, query: string): Promise<GeoColumn["extent"]> {
  const [box] = await db.rows<{w: number | null; s: number; e: number; n: number}>(
    `SELECT min(w) AS w, min(s) AS s, max(e) AS e, max(n) AS n FROM (${query})`,
  );
  return box === undefined || box.w === null ? null : [box.w, box.s, box.e, box.n];
}
