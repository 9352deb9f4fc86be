import type {Answer, Seen} from "./replay-server.ts";

/** A layer of invented parcels with the habits of one of the many kinds of servers. */
export type LayerHabits = {
  readonly rows: number;
  readonly name?: string;
  readonly maxRecordCount?: number;
  /** Rows of a page at most, whatever the layer states. */
  readonly cap?: number;
  readonly pages?: boolean;
  readonly ignoresOffset?: boolean;
  readonly flag?: "top" | "properties" | "none";
  readonly refusesCount?: boolean;
  readonly refusesIds?: boolean;
  readonly geojson?: boolean;
  readonly needsToken?: boolean;
  /** Rows of a page that the server cannot make: a larger one is a 500 on every third page. */
  readonly mostRows?: number;
  /** Every so many pages one is cut in the middle, the first time that it is asked for. */
  readonly cuts?: number;
  /** Rows that the server counts beside those that it has. */
  readonly counts?: number;
  /** Instant of the last edit; a function is asked anew every time. */
  readonly lastEdit?: () => number | null;
  readonly place?: {readonly lon: number; readonly lat: number; readonly county: string};
  /** Changes the attributes of a row. */
  readonly change?: (attributes: Record<string, unknown>) => Record<string, unknown>;
};

const idField = "OBJECTID";
/** Object ids have gaps, as where rows were deleted. */
const idOf = (row: number) => 10 + row + Math.floor(row / 7);

/** Answers for a layer: its metadata at its address, and queries below it. */
export function layer(habits: LayerHabits): Answer {
  const cut = new Set<string>();
  return (request, reply) => {
    const send = (body: unknown) => {
      const text = JSON.stringify(body);
      reply.writeHead(200, {"content-type": "application/json"});
      const page = request.query.get("resultOffset") ?? request.query.get("where") ?? "";
      const number = Number(request.query.get("resultOffset") ?? 0) / (habits.maxRecordCount ?? 1000);
      if (habits.cuts && number % habits.cuts === 1 && !cut.has(page)) {
        cut.add(page);
        reply.write(text.slice(0, text.length / 2), () => setTimeout(() => reply.destroy(), 20));
      } else reply.end(text);
    };
    if (habits.needsToken) return send({error: {code: 499, message: "Token Required", details: []}});
    if (!request.path.endsWith("/query")) return send(metadata(habits));
    const answer = answerTo(request, habits);
    if (answer === 500) reply.writeHead(500).end("Internal Server Error");
    else send(answer);
  };
}

function metadata({
  name = "Parcels",
  maxRecordCount = 1000,
  pages = true,
  geojson = true,
  lastEdit,
}: LayerHabits) {
  return {
    currentVersion: 11.1,
    name,
    type: "Feature Layer",
    geometryType: "esriGeometryPolygon",
    maxRecordCount,
    objectIdField: idField,
    supportedQueryFormats: geojson ? "JSON, geoJSON, PBF" : "JSON",
    advancedQueryCapabilities: {supportsPagination: pages},
    extent: {spatialReference: {wkid: 102100, latestWkid: 3857}},
    editingInfo: {lastEditDate: lastEdit?.() ?? null},
    fields: [
      {name: idField, type: "esriFieldTypeOID"},
      ...Object.keys(attributesOf(0, "COCHISE")).map((field) => ({name: field, type: "esriFieldTypeString"})),
    ],
  };
}

function answerTo({query}: Seen, habits: LayerHabits): unknown {
  const {rows, flag = "top", geojson = true} = habits;
  const chosen = idsWithin(query.get("where") ?? "1=1", rows);
  if (query.get("returnCountOnly") === "true")
    return habits.refusesCount
      ? {error: {code: 400, message: "Unable to complete operation."}}
      : {count: habits.counts ?? chosen.length};
  if (query.get("returnIdsOnly") === "true")
    return habits.refusesIds
      ? {error: {code: 400, message: "Unable to complete operation."}}
      : {objectIdFieldName: idField, objectIds: chosen.map(idOf).reverse()};
  if (query.has("outStatistics"))
    return {features: [{attributes: {MIN_ID: idOf(chosen[0] ?? 0), MAX_ID: idOf(chosen.at(-1) ?? 0)}}]};
  const offset = habits.ignoresOffset ? 0 : Number(query.get("resultOffset") ?? 0);
  const asked = Number(query.get("resultRecordCount") ?? habits.maxRecordCount ?? 1000);
  const most = Math.min(asked, habits.cap ?? asked, habits.maxRecordCount ?? 1000);
  if (habits.mostRows !== undefined && asked > habits.mostRows && Math.floor(offset / asked) % 3 === 2)
    return 500;
  const page = chosen.slice(offset, offset + most);
  const exceeded = offset + page.length < chosen.length;
  const features = page.map((row) => feature(row, habits, query.get("f") === "geojson" && geojson));
  const flags = {
    ...(exceeded && flag === "top" ? {exceededTransferLimit: true} : {}),
    ...(exceeded && flag === "properties" ? {properties: {exceededTransferLimit: true}} : {}),
  };
  if (query.get("f") === "geojson") return {type: "FeatureCollection", features, ...flags};
  return {objectIdFieldName: idField, spatialReference: {wkid: 4326}, features, ...flags};
}

function idsWithin(where: string, rows: number): number[] {
  const [, from = "0"] = /OBJECTID >= (\d+)/.exec(where) ?? [];
  const [, to = String(Number.MAX_SAFE_INTEGER)] = /OBJECTID <= (\d+)/.exec(where) ?? [];
  return Array.from({length: rows}, (_, row) => row).filter(
    (row) => idOf(row) >= Number(from) && idOf(row) <= Number(to),
  );
}

function feature(row: number, {place, change = (same) => same}: LayerHabits, geojson: boolean): unknown {
  const {lon = -109.9, lat = 31.9, county = "COCHISE"} = place ?? {};
  const attributes = {[idField]: idOf(row), ...change(attributesOf(row, county))};
  const [x, y] = [lon + (row % 500) * 0.0005, lat + Math.floor(row / 500) * 0.0005];
  const ring = [
    [x, y],
    [x, y + 0.0004],
    [x + 0.0004, y + 0.0004],
    [x + 0.0004, y],
    [x, y],
  ];
  if (geojson)
    return {
      type: "Feature",
      id: idOf(row),
      properties: attributes,
      geometry: {type: "Polygon", coordinates: [ring]},
    };
  return {attributes, geometry: {rings: [ring]}};
}

function attributesOf(row: number, county: string): Record<string, unknown> {
  return {
    PARCEL_ID: `${100 + (row % 800)}-${String(Math.floor(row / 800)).padStart(4, "0")}-A`,
    COUNTY: county,
    OWNER: `INVENTED HOLDINGS ${row} LLC`,
    SITE_ADDR: `${100 + row} W SAGE RD`,
    SITE_CITY: "NOWHERE",
    SITE_ZIP: "85610",
    ACRES: 0.4,
    LAND_VALUE: 10_000 + row,
    USE_DESC: "AGRICULTURAL",
  };
}
