import {geometryFromEsri, geometryFromGeoJson} from "@open-cattle/parcel-outlines";
import type {Geometry} from "geojson";
import {
  EsriCount,
  EsriError,
  EsriFeatureSet,
  type EsriField,
  EsriGeoJson,
  EsriIds,
  EsriLayer,
  type EsriSpatialReference,
} from "./rest-shapes.ts";

/** Matches a JSON string, or a number literal that JSON does not allow. */
const STRING_OR_NOT_A_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

export type ArcgisFeature = {
  readonly attributes: Record<string, unknown>;
  readonly geometry: Geometry | null;
};

export type ArcgisLayer = {
  readonly kind: "layer";
  readonly name: string | null;
  readonly geometryType: string | null;
  readonly fields: readonly EsriField[];
  /** The object id field, declared by the layer or found by its type; null when there is neither. */
  readonly objectIdField: string | null;
  readonly maxRecordCount: number | null;
  readonly supportsPagination: boolean;
  /** True if the layer says that it does not page, and so may refuse to be told how many rows to send. */
  readonly refusesPages?: boolean;
  readonly spatialReference: EsriSpatialReference | null;
  /** Date of the layer's last edit as `YYYY-MM-DD`, or null. */
  readonly lastEditDate: string | null;
  /** The same edit in milliseconds since 1970. */
  readonly lastEditMs: number | null;
  /** The field that holds each row's edit time; null when there is none. */
  readonly editDateField: string | null;
  /** True when the layer can answer queries with GeoJSON. */
  readonly givesGeoJson: boolean;
};

export type ArcgisPage = {
  readonly kind: "page";
  readonly features: readonly ArcgisFeature[];
  /** True when the server reports that it has more features than it sent. */
  readonly exceededTransferLimit: boolean;
  readonly spatialReference: EsriSpatialReference | null;
  readonly fields: readonly EsriField[];
};

/** An error, which most servers send with status 200. */
export type ArcgisError = {
  readonly kind: "error";
  readonly code: number | null;
  readonly message: string;
  readonly needsToken: boolean;
  /** True if the server has no such service or layer any more. */
  readonly isGone: boolean;
  /** True if the layer refuses to be told which rows of an answer to send, or how many. */
  readonly refusesPages: boolean;
};

export type ArcgisAnswer =
  | ArcgisError
  | {readonly kind: "count"; readonly count: number}
  | {readonly kind: "ids"; readonly objectIdField: string; readonly objectIds: readonly number[]}
  | ArcgisLayer
  | ArcgisPage;

/** GeoJSON is always WGS 84 (RFC 7946 section 4), and that is what most servers send for `f=geojson`. */
const geoJsonReference: EsriSpatialReference = {wkid: 4326};

/** The reference system in the `crs` member that older servers add to GeoJSON; null when it has no code. */
function referenceOfCrs(crs: {properties?: {name?: string | null} | null} | null | undefined) {
  const name = crs?.properties?.name;
  if (name === null || name === undefined || /CRS84$/i.test(name)) return geoJsonReference;
  const code = /^(?:EPSG|ESRI|urn:ogc:def:crs:\w+:[\d.]*):(\d+)$/i.exec(name)?.[1];
  return code === undefined ? null : {wkid: Number(code)};
}

/**
 * Parses the text of an ArcGIS response. Throws a SyntaxError for text that is not JSON, and as `answerOf`
 * does.
 */
export function readAnswer(text: string): ArcgisAnswer {
  return answerOf(parseServerJson(text));
}

/**
 * Classifies parsed JSON: an error inside a 200, a count, object ids, layer metadata or a page of features.
 * Throws an Error for any other JSON.
 */
export function answerOf(body: unknown): ArcgisAnswer {
  return (
    errorOf(body) ??
    geoJsonPage(body) ??
    esriPage(body) ??
    idsAnswer(body) ??
    layerAnswer(body) ??
    countAnswer(body) ??
    unknownAnswer(body)
  );
}

/** The error that a parsed body is; null for any other body. */
export function errorOf(body: unknown): ArcgisError | null {
  const error = EsriError.safeParse(body);
  // Any other shape of `error` counts too, even next to an empty list of features.
  const other = ((body ?? {}) as {error?: unknown}).error ?? null;
  if (!error.success && other === null) return null;
  const {code, message, details} = error.success
    ? error.data.error
    : {code: null, message: typeof other === "string" ? other : JSON.stringify(other), details: null};
  const said = [message, ...(details ?? [])].filter(Boolean).join(" ");
  return {
    kind: "error",
    code: code ?? null,
    message: said || "no message",
    needsToken: code === 498 || code === 499,
    isGone: code === 404 || /service not found|invalid url|layer .*not found/i.test(said),
    refusesPages: /pagination is not supported/i.test(said),
  };
}

function geoJsonPage(body: unknown): ArcgisPage | null {
  const parsed = EsriGeoJson.safeParse(body);
  if (!parsed.success) return null;
  const {features, exceededTransferLimit, properties, crs} = parsed.data;
  return {
    kind: "page",
    features: features.map((feature) => ({
      attributes: feature.properties ?? {},
      geometry: geometryFromGeoJson(feature.geometry),
    })),
    exceededTransferLimit: exceededTransferLimit ?? properties?.exceededTransferLimit ?? false,
    spatialReference: referenceOfCrs(crs),
    fields: [],
  };
}

function esriPage(body: unknown): ArcgisPage | null {
  const parsed = EsriFeatureSet.safeParse(body);
  if (!parsed.success) return null;
  const {features, exceededTransferLimit, spatialReference, fields} = parsed.data;
  return {
    kind: "page",
    features: features.map(({attributes, geometry}) => ({
      attributes: attributes ?? {},
      geometry: geometryFromEsri(geometry),
    })),
    exceededTransferLimit: exceededTransferLimit ?? false,
    spatialReference: spatialReference ?? null,
    fields: fields ?? [],
  };
}

function idsAnswer(body: unknown): ArcgisAnswer | null {
  const parsed = EsriIds.safeParse(body);
  if (!parsed.success) return null;
  return {kind: "ids", objectIdField: parsed.data.objectIdFieldName, objectIds: parsed.data.objectIds ?? []};
}

function layerAnswer(body: unknown): ArcgisAnswer | null {
  const parsed = EsriLayer.safeParse(body);
  if (!parsed.success || !parsed.data.fields) return null;
  const layer = parsed.data;
  const fields = parsed.data.fields;
  const edited = layer.editingInfo?.lastEditDate;
  return {
    kind: "layer",
    name: layer.name ?? null,
    geometryType: layer.geometryType ?? null,
    fields,
    objectIdField: layer.objectIdField ?? fields.find(({type}) => type === "esriFieldTypeOID")?.name ?? null,
    maxRecordCount: layer.maxRecordCount ?? null,
    supportsPagination: layer.advancedQueryCapabilities?.supportsPagination ?? false,
    refusesPages: layer.advancedQueryCapabilities?.supportsPagination === false,
    spatialReference: layer.extent?.spatialReference ?? null,
    lastEditMs: edited ?? null,
    editDateField: layer.editFieldsInfo?.editDateField ?? null,
    givesGeoJson: /\bgeojson\b/i.test(layer.supportedQueryFormats ?? ""),
    lastEditDate:
      edited === null || edited === undefined ? null : new Date(edited).toISOString().slice(0, 10),
  };
}

function countAnswer(body: unknown): ArcgisAnswer | null {
  const parsed = EsriCount.safeParse(body);
  return parsed.success ? {kind: "count", count: parsed.data.count} : null;
}

function unknownAnswer(body: unknown): never {
  const members =
    body !== null && typeof body === "object" ? Object.keys(body).slice(0, 8).join(", ") : typeof body;
  throw new Error(
    `not an ArcGIS answer: expected features, fields, objectIds, count or error, got ${members || "nothing"}`,
  );
}

/**
 * Parses JSON as ArcGIS servers write it: skips a byte-order mark, and reads the bare `NaN` and `Infinity` of
 * old servers' empty geometries as null. Throws a SyntaxError for any other text that is not JSON.
 */
export function parseServerJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch (fault) {
    const repaired = withoutNaN(plain);
    if (repaired === plain) throw fault;
    return JSON.parse(repaired);
  }
}

/** The JSON text with null in place of the bare `NaN` and `Infinity` that some programs write; those inside strings stay. */
export function withoutNaN(text: string): string {
  return text.replace(STRING_OR_NOT_A_NUMBER, (token) => (token.startsWith('"') ? token : "null"));
}
