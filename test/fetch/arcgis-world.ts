import type {Answer, Seen} from "./replay-server.ts";

/** A layer of invented parcels with the habits of one of many kinds of servers. */
export type LayerHabits = {
  readonly rows: number;
  readonly name?: string;
  readonly maxRecordCount?: number;
  /** Maximum page size, whatever the layer states. */
  readonly cap?: number;
  readonly pages?: boolean;
  readonly ignoresOffset?: boolean;
  /** The server refuses comparison with `>`, as behind some views. */
  readonly refusesAbove?: boolean;
  /** Rows are unordered, whatever is requested. */
  readonly unordered?: boolean;
  /** Every page beyond this offset is a 500. */
  readonly mostOffset?: number;
  /** Rows that were deleted. */
  readonly gone?: ReadonlySet<number>;
  /** Edit times of rows in milliseconds; the layer then has a field for them. */
  readonly edits?: ReadonlyMap<number, number>;
  readonly flag?: "top" | "properties" | "none";
  readonly refusesCount?: boolean;
  readonly refusesIds?: boolean;
  readonly geojson?: boolean;
  /** Refuses to be told which columns to send. */
  readonly refusesColumns?: boolean;
  /** GeoJSON is offered and refused. */
  readonly refusesGeojson?: boolean;
  /** Refuses to be told which rows to send, or how many, whatever the layer states. */
  readonly refusesPages?: boolean;
  readonly needsToken?: boolean;
  /** Page size that the server cannot handle: larger ones fail with a 500 on every third page. */
  readonly mostRows?: number;
  /** Every so many pages, one is truncated the first time it is requested. */
  readonly cuts?: number;
  /** Rows that the server counts beyond those it has. */
  readonly counts?: number;
  /** Time of the last edit; a function is evaluated anew every time. */
  readonly lastEdit?: () => number | null;
  readonly place?: {readonly lon: number; readonly lat: number; readonly county: string};
  /** Attributes of a row, instead of those of the invented county. */
  readonly attributes?: (row: number) => Record<string, unknown>;
  /** Renamed fields. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Changes the attributes of a row. */
  readonly change?: (attributes: Record<string, unknown>) => Record<string, unknown>;
};

const idField = "OBJECTID";
const editDateField = "last_edited_date";
/** Object ids have gaps, as after deletions. */
const idOf = (row: number) => 10 + row + Math.floor(row / 7);

/** Answers for a layer: its metadata at its URL, and queries below it. */
export function layer(habits: LayerHabits): Answer {
  const cut = new Set<string>();
  let pages = 0;
  return (request, reply) => {
    const send = (body: unknown) => {
      const text = JSON.stringify(body);
      reply.writeHead(200, {"content-type": "application/json"});
      const page = request.query.get("resultOffset") ?? request.query.get("where") ?? "";
      const isPage = request.query.get("returnGeometry") === "true";
      pages += isPage && !cut.has(page) ? 1 : 0;
      if (habits.cuts && isPage && pages % habits.cuts === 1 && !cut.has(page)) {
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
  edits,
  renames = {},
  attributes = (row) => attributesOf(row, "COCHISE"),
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
    ...(edits === undefined ? {} : {editFieldsInfo: {editDateField}}),
    fields: [
      {name: idField, type: "esriFieldTypeOID"},
      ...Object.keys(attributes(0)).map((field) => ({
        name: renames[field] ?? field,
        type: "esriFieldTypeString",
      })),
    ],
  };
}

function answerTo({query}: Seen, habits: LayerHabits): unknown {
  const {flag = "top", geojson = true} = habits;
  const where = query.get("where") ?? "1=1";
  const invalid = {error: {code: 400, message: "Unable to perform query. Invalid parameters."}};
  if (habits.refusesAbove && />(?!=)/.test(where)) return invalid;
  const chosen = chosenRows(where, habits);
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
  if (habits.refusesPages && (query.has("resultRecordCount") || query.has("resultOffset")))
    return {
      error: {code: 400, message: "Failed to execute query.", details: ["Pagination is not supported."]},
    };
  const offset = habits.ignoresOffset ? 0 : Number(query.get("resultOffset") ?? 0);
  if (offset > (habits.mostOffset ?? Number.POSITIVE_INFINITY)) return 500;
  const asked = Number(query.get("resultRecordCount") ?? habits.maxRecordCount ?? 1000);
  const most = Math.min(asked, habits.cap ?? asked, habits.maxRecordCount ?? 1000);
  const at = offset === 0 ? Math.max(0, chosen[0] ?? 0) : offset;
  if (habits.mostRows !== undefined && asked > habits.mostRows && Math.floor(at / asked) % 3 === 2)
    return 500;
  if (habits.refusesGeojson && query.get("f") === "geojson") return invalid;
  const columns = query.get("outFields") ?? "*";
  if (habits.refusesColumns && columns !== "*") return invalid;
  const page = (habits.unordered ? shuffled(chosen) : chosen).slice(offset, offset + most);
  const exceeded = offset + page.length < chosen.length;
  const features = page.map((row) =>
    feature(row, habits, {geojson: query.get("f") === "geojson" && geojson, columns: columns.split(",")}),
  );
  const flags = {
    ...(exceeded && flag === "top" ? {exceededTransferLimit: true} : {}),
    ...(exceeded && flag === "properties" ? {properties: {exceededTransferLimit: true}} : {}),
  };
  if (query.get("f") === "geojson") return {type: "FeatureCollection", features, ...flags};
  return {objectIdFieldName: idField, spatialReference: {wkid: 4326}, features, ...flags};
}

function chosenRows(where: string, {rows, gone, edits}: LayerHabits): number[] {
  const [, from = "0"] = /OBJECTID >= (\d+)/.exec(where) ?? [];
  const [, above = "-1"] = /OBJECTID > (\d+)/.exec(where) ?? [];
  const [, to = String(Number.MAX_SAFE_INTEGER)] = /OBJECTID <= (\d+)/.exec(where) ?? [];
  const [, since] = /last_edited_date >= TIMESTAMP '([^']+)'/.exec(where) ?? [];
  const least = since === undefined ? null : Date.parse(`${since.replace(" ", "T")}Z`);
  const chosen: number[] = [];
  // Ids are never smaller than their row number, so rows before the page's first id can be skipped.
  const first = Math.max(0, Math.floor(((Math.max(Number(from), Number(above)) - 10) * 7) / 8) - 8);
  for (let row = first; row < rows && idOf(row) <= Number(to); row++)
    if (
      idOf(row) >= Number(from) &&
      idOf(row) > Number(above) &&
      !gone?.has(row) &&
      (least === null || (edits?.get(row) ?? 0) >= least)
    )
      chosen.push(row);
  return chosen;
}

function shuffled(rows: readonly number[]): number[] {
  return rows.toSorted((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009) || a - b);
}

function feature(
  row: number,
  {place, change = (same) => same, renames = {}, attributes: made}: LayerHabits,
  {geojson, columns}: {geojson: boolean; columns: readonly string[]},
): unknown {
  const {lon = -109.9, lat = 31.9, county = "COCHISE"} = place ?? {};
  const named = Object.entries(change(made?.(row) ?? attributesOf(row, county)));
  const all = [
    [idField, idOf(row)],
    ...named.map(([field, value]) => [renames[field] ?? field, value] as const),
  ] as const;
  const isAsked = (name: string) => columns.includes("*") || columns.includes(name);
  const attributes = Object.fromEntries(all.filter(([name]) => isAsked(name)));
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
