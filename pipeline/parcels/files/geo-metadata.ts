export type GeoColumn = {
  readonly geometryTypes: readonly ("Point" | "Polygon" | "MultiPolygon")[];
  /** Extent of all rows; null without a geometry. */
  readonly extent: readonly [west: number, south: number, east: number, north: number] | null;
  /** A struct column with the extent of each row, where the file has one. */
  readonly coveringColumn?: string;
};

/**
 * Gives the `geo` metadata of GeoParquet 1.1 for a WKB column `geometry` in OGC:CRS84 (the default when `crs` is absent), as JSON text:
 * DuckDB by itself writes 1.0 and no covering.
 */
export function geoMetadata({geometryTypes, extent, coveringColumn}: GeoColumn): string {
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
  return JSON.stringify(geo);
}
