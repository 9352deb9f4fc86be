/** The parameters of a query (ArcGIS REST API, Query), as they are posted. */
export type QueryForm = Record<string, string>;

/** The form that asks for rows with their outlines in WGS 84; `columns` null asks for all columns. */
export function rowsForm(
  where: string,
  format: "geojson" | "json",
  columns: readonly string[] | null = null,
): QueryForm {
  const outFields = columns === null ? "*" : columns.join(",");
  return {where, outFields, returnGeometry: "true", outSR: "4326", f: format};
}

/** The part of a form that asks for rows whose outline holds or touches a point of WGS 84. */
export function pointForm({lon, lat}: {readonly lon: number; readonly lat: number}): QueryForm {
  return within("esriGeometryPoint", {x: lon, y: lat});
}

/** The part of a form that asks for rows whose outline touches a box of WGS 84. */
export function boxForm(box: {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}): QueryForm {
  return within("esriGeometryEnvelope", {xmin: box.west, ymin: box.south, xmax: box.east, ymax: box.north});
}

function within(geometryType: string, coordinates: object): QueryForm {
  const geometry = JSON.stringify({...coordinates, spatialReference: {wkid: 4326}});
  return {geometry, geometryType, inSR: "4326", spatialRel: "esriSpatialRelIntersects"};
}
