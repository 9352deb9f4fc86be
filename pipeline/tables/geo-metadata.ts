import type {Database} from "../../lib/sql/duckdb.ts";

export type GeoColumn = {
  readonly geometryTypes: readonly ("Point" | "Polygon" | "MultiPolygon")[];
  /** Extent of all rows; null without a geometry. */
  readonly extent: readonly [west: number, south: number, east: number, north: number] | null;
};

/**
 * Gives the `geo` metadata of GeoParquet 1.1 for a WKB column `geometry` in OGC:CRS84 (the default when `crs` is absent), covered by the
 * struct column `bbox`, as JSON text: DuckDB by itself writes 1.0 and no covering.
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

/**
 * SQL of the columns `geometry` and `bbox` of a point from `lon` and `lat`, null for null: its WKB, and the box by which readers skip row
 * groups. DuckDB rewrites the big-endian form of WKB bit for bit (`docs/design/measurements.md` section 4).
 */
export const pointColumns = `st_asbinary(st_geomfromwkb(unhex('0000000001') || lon::BIT::BLOB || lat::BIT::BLOB)) AS geometry,
  CASE WHEN lon IS NOT NULL THEN {'xmin': lon, 'ymin': lat, 'xmax': lon, 'ymax': lat} END AS bbox`;

/** Gives the extent of the rows of a query with the columns `w`, `s`, `e`, `n`; null where none has them. */
export async function extentOf(db: Database, query: string): Promise<GeoColumn["extent"]> {
  const [box] = await db.rows<{w: number | null; s: number; e: number; n: number}>(
    `SELECT min(w) AS w, min(s) AS s, max(e) AS e, max(n) AS n FROM (${query})`,
  );
  return box === undefined || box.w === null ? null : [box.w, box.s, box.e, box.n];
}
