import {
  outlineHolds,
  type Point,
  projectionOfEsri,
  ReferenceSystemError,
  type ToLonLat,
} from "@open-cattle/parcel-outlines";
import type {Geometry, Position} from "geojson";
import type {ArcgisFeature, ArcgisPage} from "../../lib/arcgis/layer-reply.ts";
import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {ReplyTask} from "./county-reader.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";
import {type Comparison, fits} from "./where.ts";

const kmPerDegree = 111.2;

/** The county asked, and whether a row's location alone must prove that the row belongs to it. */
type County = Pick<ReplyTask, "county" | "provesCounty">;

/** Limits on what we accept from a county (`docs/design/reliability.md` section 5). */
const maxFeatures = 1_000;
const maxVertices = 100_000;
const maxRings = 500;
const maxTextLength = 8_000;

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Returns the reason to refuse parsed JSON whose outlines would cost too much to read, or null. */
export function refusalOfOutlines(body: unknown): string | null {
  const {features} = (body ?? {}) as {features?: unknown};
  if (!Array.isArray(features)) return null;
  const size = {vertices: 0, rings: 0};
  for (const feature of features) {
    const {geometry} = (feature ?? {}) as {geometry?: unknown};
    for (const part of Object.values(geometry ?? {})) addSize(part, size);
    if (size.vertices > maxVertices) return "too many vertices";
    if (size.rings > maxRings) return "too many rings";
  }
  return null;
}

/** Counts positions (lists that contain no lists) and rings (lists of positions). Returns true for a position. */
function addSize(list: unknown, size: {vertices: number; rings: number}): boolean {
  if (!Array.isArray(list)) return false;
  const lists = list.filter(Array.isArray);
  if (lists.length === 0) size.vertices += 1;
  const positions = lists.filter((each) => addSize(each, size));
  if (positions.length > 0) size.rings += 1;
  return lists.length === 0;
}

/** Returns the reason to refuse the whole answer, or null. */
export function refusalOfPage({features, spatialReference}: ArcgisPage): string | null {
  if (features.length > maxFeatures) return "too many features";
  // Cells of a layer are strings, numbers or null. Anything else means that this is not an ArcGIS server.
  const isCell = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
  if (
    !features.every(({attributes}) =>
      Object.entries(attributes).every(([name, value]) => forbiddenKeys.has(name) || isCell(value)),
    )
  )
    return "a cell that is neither text nor number";
  const located = features.some(({geometry}) => geometry !== null);
  return located && replyProjection(spatialReference) === null ? "in coordinates of an unknown system" : null;
}

/** True for a page that may be incomplete: the server says so, or the page is full. */
export function mayHaveMore({features, exceededTransferLimit}: ArcgisPage, asked: number): boolean {
  return exceededTransferLimit || features.length >= asked;
}

/**
 * Returns the projection from the answer's own coordinate system, because a server may ignore the one in the query. Null when the answer
 * states none, or an unknown one.
 */
export function replyProjection(reference: ArcgisPage["spatialReference"]): ToLonLat | null {
  if (reference === null) return null;
  try {
    return projectionOfEsri(reference);
  } catch (error) {
    if (error instanceof ReferenceSystemError) return null;
    throw error;
  }
}

/** The features of a page, by how much of them could be read. */
type SortedFeatures = {
  readonly sound: readonly ArcgisFeature[];
  /** Features that may match the query but have no usable outline. */
  readonly placeless: readonly ArcgisFeature[];
  /** Number of features with unreadable attributes. */
  readonly unreadable: number;
};

/**
 * Sorts and cleans the features that satisfy the query. They are checked again because a server may ignore the clause or send damaged rows.
 */
export function sortedFeatures(
  {features}: ArcgisPage,
  {comparisons}: {comparisons: readonly Comparison[]},
): SortedFeatures {
  const sound: ArcgisFeature[] = [];
  const placeless: ArcgisFeature[] = [];
  let unreadable = 0;
  for (const {attributes, geometry} of features) {
    const clean = cleanAttributes(attributes);
    if (clean === null) unreadable += 1;
    else if (!comparisons.every((comparison) => fits(comparison, clean))) continue;
    else if (geometry !== null && isSoundGeometry(geometry)) sound.push({attributes: clean, geometry});
    else placeless.push({attributes: clean, geometry: null});
  }
  return {sound, placeless, unreadable};
}

/** Normalises text to NFC; null when a value is too long or malformed (a lone surrogate). Conforming cleans it, as that of a file. */
function cleanAttributes(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const clean: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    if (forbiddenKeys.has(name)) continue;
    if (typeof value !== "string") {
      clean[name] = value;
      continue;
    }
    if (value.length > maxTextLength || !value.isWellFormed()) return null;
    clean[name] = value.normalize("NFC");
  }
  return clean;
}

function isSoundGeometry(geometry: Geometry): boolean {
  switch (geometry.type) {
    case "Point":
    case "MultiPoint":
      return true;
    case "Polygon":
      return areSoundRings(geometry.coordinates);
    case "MultiPolygon":
      return geometry.coordinates.every(areSoundRings);
    default:
      return false;
  }
}

function areSoundRings(rings: readonly (readonly Position[])[]): boolean {
  return rings.every(isSoundRing);
}

function isSoundRing(ring: readonly Position[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && first[0] === last?.[0] && first[1] === last?.[1];
}

/** True for a point within the county's extent plus 1 km and, when the rows do not state their county, within the county's polygon. */
export function isOfCounty(point: Point, {county, provesCounty}: County): boolean {
  return isNearCounty(point, county) && (!provesCounty || countyAt(point)?.fips === county);
}

/**
 * Unread rows, including those whose point lies outside the county. In a county's own layer such a point must be wrong; in a statewide
 * layer the row simply belongs to another county and is dropped.
 */
export function unreadRows(unread: readonly UnreadRow[], {provesCounty}: County): UnreadRow[] {
  return provesCounty ? unread.filter(({isOutside}) => !isOutside) : [...unread];
}

/** True when the row's outline contains the point. */
export function holdsPoint({geometry: {wkb}}: ReplyRow, point: Point): boolean {
  return wkb !== null && outlineHolds(wkb, point);
}

function isNearCounty({lon, lat}: Point, key: string): boolean {
  const box = countyBox(key);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}
