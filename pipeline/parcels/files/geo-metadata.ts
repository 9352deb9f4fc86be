import {sqlText} from "../../../lib/sql/duckdb.ts";

export type GeoColumn = {
  readonly geometryTypes: readonly ("Point" | "Polygon" | "MultiPolygon")[];
  /** Extent of all rows; null without a geometry. */
  readonly extent: readonly [west: number, south: number, east: number, north: number] | null;
  /** A struct column with the extent of each row, where the file has one. */
  readonly coveringColumn?: string;
};

/**
 * The `geo` metadata of GeoParquet 1.1 for a WKB column `geometry` in OGC:CRS84 (the default when `crs` is absent), as the
 * `KV_METADATA` option of DuckDB's COPY: DuckDB by itself writes 1.0 and no covering.
 */
export function geoMetadataOption({geometryTypes, extent, coveringColumn}: GeoColumn): string {
  const covering =
    coveringColumn === undefined
      ? undefined
      : {
          bbox: Object.fromEntries(
            ["xmin", "ymin", "xmax", "ymax"].map((edge) => [edge, [coveringColumn, edge]]),
          ),
        };
  const geo = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: {
      geometry: {
        encoding: "WKB",
        geometry_types: geometryTypes,
        ...(extent === null ? {} : {bbox: extent}),
        ...(covering === undefined ? {} : {covering}),
      },
    },
  };
  return `KV_METADATA {geo: ${sqlText(JSON.stringify(geo))}}`;
}
