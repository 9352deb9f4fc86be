import {readFile, stat} from "node:fs/promises";
import {
  type ArcgisAnswer,
  EsriSpatialReference,
  parseServerJson,
  readAnswer,
} from "@open-cattle/arcgis-layers";
import {
  geometryFromEsri,
  geometryFromGeoJson,
  projectionOf,
  projectionOfEsri,
  summarizeGeometry,
  type ToLonLat,
} from "@open-cattle/parcel-outlines";
import type {Geometry} from "geojson";
import {jsonParts} from "./json-items.ts";
import {
  atLeastOne,
  type Cells,
  closed,
  FileError,
  type FileFormat,
  type FileRow,
  messageOf,
  NotATable,
  noRows,
  type ParcelFile,
} from "./parcel-file.ts";

const extensions: ReadonlySet<string> = new Set([
  "json",
  "geojson",
  "ndjson",
  "jsonl",
  "geojsonl",
  "geojsons",
  "geojsonseq",
  "ndgeojson",
]);

/** Precedes each value of a GeoJSON text sequence (RFC 8142). */
const recordSeparator = "\u001e";
const jsonStart = /^\ufeff?\s*[[{]/;

type Json = Record<string, unknown>;

/** Facts from the document around the rows: cell names for rows that are lists, and the projection. */
type Surroundings = {readonly fields: readonly string[] | null; readonly project: ToLonLat | undefined};

/**
 * Reads JSON rows (a top-level array, `{rows}` with or without `fields`), GeoJSON, NDGeoJSON, GeoJSON text sequences and ArcGIS pages row
 * by row. The file is read twice, because names and coordinate system may follow the rows.
 */
export const jsonFormat: FileFormat = {
  name: "json",
  accepts: ({extension, head}) =>
    extensions.has(extension) || jsonStart.test(head.toString("utf8").replaceAll(recordSeparator, "")),
  async open(file, {crs}) {
    const surroundings = await readSurroundings(file, crs);
    const fed = {bytes: 0};
    return {
      columns: null,
      remark: null,
      rows: () => atLeastOne(records(file, surroundings, fed), `${file.shownPath}: ${noRows}`),
      account: () => ({bytes: {read: fed.bytes, skipped: {}}}),
      ...closed,
    };
  },
};

async function readSurroundings(file: ParcelFile, crs: string | undefined): Promise<Surroundings> {
  let document: Json = {};
  for await (const {kind, bytes} of jsonParts(file.path, file.shownPath)) {
    if (kind === "document") document = {...document, ...(parseJson(bytes, file.shownPath) as Json)};
  }
  failOnError(document, file.shownPath);
  return {fields: fieldNames(document.fields), project: projection(document, crs, file.shownPath)};
}

async function* records(
  {path, shownPath}: ParcelFile,
  surroundings: Surroundings,
  fed: {bytes: number},
): AsyncGenerator<FileRow> {
  let row = 0;
  for await (const {kind, bytes} of jsonParts(path, shownPath, {fed})) {
    if (kind === "document") continue;
    row += 1;
    const item = parseJson(bytes, shownPath, row);
    const place = `${shownPath}: row ${row}`;
    if (Array.isArray(item))
      yield {cells: cellsOfList(item, surroundings.fields, place, row), geometry: null};
    else yield recordOf(item as Json, surroundings, place);
  }
}

function recordOf(row: Json, {project}: Surroundings, place: string): FileRow {
  failOnError(row, place);
  if (isObject(row.attributes)) {
    const own = isObject(row.geometry) ? row.geometry : null;
    return {cells: row.attributes, geometry: summarizeGeometry(geometryFromEsri(own), project)};
  }
  if (row.type === "Feature") {
    const cells = isObject(row.properties) ? row.properties : {};
    return {cells, geometry: summarizeGeometry(geometryFromGeoJson(row.geometry), project)};
  }
  return {cells: row, geometry: summarizeGeometry(geometryOfMember(row), project)};
}

/** The geometry of a plain row: a member that is one in GeoJSON, or a place of Socrata with latitude and longitude. */
function geometryOfMember(row: Json): Geometry | null {
  for (const value of Object.values(row)) {
    if (!isObject(value)) continue;
    if (typeof value.type === "string" && Array.isArray(value.coordinates)) return geometryFromGeoJson(value);
    const [lon, lat] = [degreesOf(value.longitude), degreesOf(value.latitude)];
    if (Number.isFinite(lon) && Number.isFinite(lat)) return {type: "Point", coordinates: [lon, lat]};
  }
  return null;
}

/** Degrees that may be text; NaN where there are none, as in an empty text. */
function degreesOf(value: unknown): number {
  return Number(value || Number.NaN);
}

function cellsOfList(
  cells: readonly unknown[],
  fields: readonly string[] | null,
  place: string,
  row: number,
): Cells {
  if (fields === null)
    throw new FileError(
      `${place}: the rows are lists of cells, but the file has no list "fields" with their names.`,
    );
  // Only the first row lists every name; padding each short row would cost more than its own bytes.
  const own = row === 1 ? fields : fields.slice(0, cells.length);
  return Object.fromEntries(own.map((name, i) => [name, cells[i]]));
}

function parseJson(bytes: Buffer, shownPath: string, row?: number): unknown {
  const text = bytes.toString("utf8");
  try {
    return longNumber.test(text) ? parseKeepingDigits(text) : parseServerJson(text);
  } catch (error) {
    throw new FileError(
      `${shownPath}: ${row === undefined ? "" : `row ${row}: `}not JSON: ${messageOf(error)}`,
    );
  }
}

/** Matches an integer with so many digits that a double may not hold it. */
const longNumber = /[:[,]\s*-?\d{16,}\s*[,}\]]/;

function parseKeepingDigits(text: string): unknown {
  // `source`, the raw literal, is new in ES2025 and not in the type library yet.
  const keep = (_: string, value: unknown, context?: {source?: string}): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

function failOnError(value: Json, place: string): void {
  if (!isObject(value.error)) return;
  const {code, message} = value.error;
  throw new FileError(
    `${place}: expected data, got the server's error: ${String(code ?? "")} ${String(message ?? "")}`.trimEnd(),
  );
}

function fieldNames(fields: unknown): string[] | null {
  if (!Array.isArray(fields)) return null;
  return fields.map((field: unknown) => String(isObject(field) ? field.name : field));
}

/** Returns the entry's projection, else the file's; undefined for GeoJSON's default, degrees of WGS 84. */
function projection(document: Json, crs: string | undefined, shownPath: string): ToLonLat | undefined {
  const own = crsName(document.crs);
  try {
    if (crs !== undefined) return projectionOf(crs);
    if (isObject(document.spatialReference))
      return projectionOfEsri(EsriSpatialReference.parse(document.spatialReference));
    return own === null ? undefined : projectionOf(own);
  } catch (error) {
    throw new FileError(`${shownPath}: ${messageOf(error)}`);
  }
}

function crsName(crs: unknown): string | null {
  const properties = isObject(crs) ? crs.properties : null;
  return isObject(properties) && typeof properties.name === "string" ? properties.name : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maximum size of a file parsed as a whole as metadata or id list; a larger file holds rows. */
const maxBytes = 64 * 2 ** 20;
/** Larger than any answer to `returnCountOnly`; documents of other servers may have a member of that name. */
const maxCountBytes = 200;
/** Members that suggest an answer without rows; parsing decides. */
const suspicious = /"(?:currentVersion|objectIds|count|error|drawingInfo|extent)"\s*:/;
const rows = /"(?:features|rows)"\s*:|"FeatureCollection"/;

/**
 * Reads the answers that a harvest stores beside a layer's pages. Metadata, counts and object-id lists are skipped, errors are refused, and
 * everything else goes to the JSON reader.
 */
export const arcgisAnswerFormat: FileFormat = {
  name: "ArcGIS answer",
  accepts(file) {
    const start = textOf(file);
    return start.startsWith("{") && suspicious.test(start) && !rows.test(start);
  },
  async open(file, options) {
    const {path, shownPath} = file;
    const {size} = await stat(path);
    const answer = size > maxBytes ? null : understood(await readFile(path, "utf8"));
    if (answer === null || answer.kind === "page" || (answer.kind === "count" && size > maxCountBytes))
      return jsonFormat.open(file, options);
    if (answer.kind === "error") {
      throw new FileError(
        `${shownPath}: expected data, got the server's error: ${answer.code ?? ""} ${answer.message}`.trimEnd(),
      );
    }
    throw new NotATable(`${shownPath}: ${saying(answer)}, no rows.`);
  },
};

function textOf({head}: ParcelFile): string {
  return head
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
}

/** Parses an answer; null for other text, whose fault the JSON reader reports. */
function understood(text: string): ArcgisAnswer | null {
  try {
    return readAnswer(text);
  } catch {
    return null;
  }
}

function saying(answer: Exclude<ArcgisAnswer, {kind: "error"} | {kind: "page"}>): string {
  if (answer.kind === "count") return `a count (${answer.count})`;
  if (answer.kind === "ids") return `a list of ${answer.objectIds.length} object ids`;
  return `the metadata of the layer "${answer.name ?? ""}"`;
}
