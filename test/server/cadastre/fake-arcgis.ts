import {createServer, type RequestListener, type ServerResponse} from "node:http";
import type {AddressInfo} from "node:net";

/** A row of the fake layer: attributes, and the corner of its square outline. */
export type FakeRow = {
  readonly attributes: Record<string, unknown>;
  readonly west: number;
  readonly south: number;
};

/** A request to the server: its form, and its kind. */
export type FakeAsked = {readonly path: string; readonly form: URLSearchParams; readonly isQuery: boolean};

/** Answers in place of the server; false leaves the answer to it. */
export type Misbehaviour = (response: ServerResponse, asked: FakeAsked) => boolean;

export type FakeArcgis = {
  /** Address of a layer that holds the rows. */
  readonly url: string;
  readonly asked: FakeAsked[];
  queries(): FakeAsked[];
  rows: FakeRow[];
  /** A reply gives at most so many rows, and says where it left some out. */
  maxRows: number;
  /** Members that replace those of the usual metadata. */
  metadata: Record<string, unknown>;
  misbehave: Misbehaviour | null;
  close(): Promise<void>;
};

/** Side of an outline in degrees: some 100 m. */
export const side = 0.001;

const fieldTypes: Record<string, string> = {
  OBJECTID: "esriFieldTypeOID",
  ACRES: "esriFieldTypeDouble",
  LASTUPDATE: "esriFieldTypeDate",
};

/** A closed square, clockwise as Esri draws outer rings. */
export function square({west, south}: {west: number; south: number}): number[][] {
  const [east, north] = [west + side, south + side];
  return [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
}

/** The answer of a well-behaved server to a query. */
export function pageOf(
  rows: readonly FakeRow[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    objectIdFieldName: "OBJECTID",
    geometryType: "esriGeometryPolygon",
    spatialReference: {wkid: 4326, latestWkid: 4326},
    features: rows.map((row) => ({attributes: row.attributes, geometry: {rings: [square(row)]}})),
    ...more,
  };
}

type FakeLayer = Pick<FakeArcgis, "rows" | "metadata" | "misbehave"> &
  Partial<Pick<FakeArcgis, "maxRows">> & {readonly asked: FakeAsked[]};

/** Answers requests for one layer in the formats of the REST API; it misbehaves on demand. */
export function layerListener(layer: FakeLayer): RequestListener {
  return (request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const path = request.url ?? "";
      const asked = {path, form: new URLSearchParams(body), isQuery: path.endsWith("/query")};
      layer.asked.push(asked);
      if (layer.misbehave?.(response, asked)) return;
      response.end(JSON.stringify(asked.isQuery ? cappedPage(layer, asked.form) : metadataOf(layer)));
    });
  };
}

/** Starts an ArcGIS server on loopback with one layer. */
export async function startFakeArcgis(rows: FakeRow[] = []): Promise<FakeArcgis> {
  const server = createServer((request, response) => layerListener(fake)(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeArcgis = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/services/Parcels/FeatureServer/0`,
    asked: [],
    queries: () => fake.asked.filter(({isQuery}) => isQuery),
    rows,
    maxRows: Number.POSITIVE_INFINITY,
    metadata: {},
    misbehave: null,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

function cappedPage(
  {rows, maxRows = Number.POSITIVE_INFINITY}: FakeLayer,
  form: URLSearchParams,
): Record<string, unknown> {
  const found = rows.filter((row) => isAskedFor(row, form));
  return pageOf(found.slice(0, maxRows), found.length > maxRows ? {exceededTransferLimit: true} : {});
}

function metadataOf({rows, metadata}: FakeLayer): Record<string, unknown> {
  const names = Object.keys(rows[0]?.attributes ?? {OBJECTID: 1, APN: ""});
  return {
    currentVersion: 10.91,
    name: "Parcels",
    type: "Feature Layer",
    geometryType: "esriGeometryPolygon",
    maxRecordCount: 2000,
    objectIdField: "OBJECTID",
    fields: names.map((name) => ({name, type: fieldTypes[name] ?? "esriFieldTypeString", alias: name})),
    extent: {spatialReference: {wkid: 102739, latestWkid: 2277}},
    editingInfo: {lastEditDate: Date.parse("2026-10-05T00:00:00Z")},
    ...metadata,
  };
}

/** Carries out the clauses that the builder writes, and a point. */
export function isAskedFor({attributes, west, south}: FakeRow, form: URLSearchParams): boolean {
  const parts = (form.get("where") ?? "").split(" AND ");
  const geometry = JSON.parse(form.get("geometry") ?? "null") as {x?: number; y?: number} | null;
  const {x, y} = geometry ?? {};
  const inside =
    x === undefined || y === undefined || (x >= west && x <= west + side && y >= south && y <= south + side);
  return inside && parts.every((part) => fitsPart(part, attributes));
}

/** Compares as a database does: blanks and letters are as they are printed, `%` stands for any text and `_` for any letter. */
function fitsPart(part: string, attributes: Record<string, unknown>): boolean {
  if (part === "1=1") return true;
  if (part.startsWith("("))
    return part
      .slice(1, -1)
      .split(" OR ")
      .some((each) => fitsPart(each, attributes));
  const [, upperField, plainField, pattern] = /^(?:UPPER\((\w+)\)|(\w+)) LIKE '(.*)'$/.exec(part) ?? [];
  const likeField = upperField ?? plainField;
  if (likeField !== undefined) {
    const literal = pattern!.replaceAll("''", "'").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const like = new RegExp(`^${literal.replaceAll("%", ".*").replaceAll("_", ".")}$`, "su");
    const cell = String(attributes[likeField] ?? "");
    return like.test(upperField === undefined ? cell : cell.toUpperCase());
  }
  const equal = /^(\w+) = '?(.*?)'?$/.exec(part);
  return equal !== null && String(attributes[equal[1]!]) === equal[2]!.replaceAll("''", "'");
}
