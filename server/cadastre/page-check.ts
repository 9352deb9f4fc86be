import type {Geometry, Position} from "geojson";
import type {ArcgisFeature, ArcgisPage} from "../../lib/arcgis/answer.ts";
import {UserError} from "../../lib/errors.ts";
import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import {outlineHolds} from "../../lib/geography/geometry/outline.ts";
import {projectionOfEsri, type ToLonLat} from "../../lib/geography/projection.ts";
import type {ReplyTask} from "./county-reader.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";
import {type Comparison, fits} from "./where.ts";

const kmPerDegree = 111.2;

/** The county that was asked, and whether a row's place alone proves that it is of it. */
type County = Pick<ReplyTask, "county" | "provesCounty">;

/** Limits on what a county may send (`docs/design/reliability.md` section 5). */
const mostFeatures = 1_000;
const mostVertices = 100_000;
const mostRings = 500;
const longestText = 8_000;

const foreignKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Gives the reason to refuse parsed JSON whose outlines together would cost too much to read, or null. */
export function refusalOfOutlines(body: unknown): string | null {
  const {features} = (body ?? {}) as {features?: unknown};
  if (!Array.isArray(features)) return null;
  const size = {vertices: 0, rings: 0};
  for (const feature of features) {
    const {geometry} = (feature ?? {}) as {geometry?: unknown};
    for (const part of Object.values(geometry ?? {})) addSize(part, size);
    if (size.vertices > mostVertices) return "too many vertices";
    if (size.rings > mostRings) return "too many rings";
  }
  return null;
}

/** Counts positions, which are lists without lists, and rings, which are lists of positions; true for a position. */
function addSize(list: unknown, size: {vertices: number; rings: number}): boolean {
  if (!Array.isArray(list)) return false;
  const lists = list.filter(Array.isArray);
  if (lists.length === 0) size.vertices += 1;
  const positions = lists.filter((each) => addSize(each, size));
  if (positions.length > 0) size.rings += 1;
  return lists.length === 0;
}

/** Gives the reason to refuse an answer as a whole, or null. */
export function refusalOfPage({features, spatialReference}: ArcgisPage): string | null {
  if (features.length > mostFeatures) return "too many features";
  // A cell of a layer is a text, a number or null: another server's answer has other kinds.
  const isCell = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
  if (
    !features.every(({attributes}) =>
      Object.entries(attributes).every(([name, value]) => foreignKeys.has(name) || isCell(value)),
    )
  )
    return "a cell that is neither text nor number";
  const located = features.some(({geometry}) => geometry !== null);
  return located && replyProjection(spatialReference) === null ? "in coordinates of an unknown system" : null;
}

/** True for a page that may not be all: the server says so, or it is full and no word says that it is the last. */
export function mayHaveMore({features, exceededTransferLimit}: ArcgisPage, asked: number): boolean {
  return exceededTransferLimit || features.length >= asked;
}

/**
 * Gives the projection of an answer, by the system that it states: a server may not honour the one of the query. Null where it
 * states none, or one that is unknown.
 */
export function replyProjection(reference: ArcgisPage["spatialReference"]): ToLonLat | null {
  if (reference === null) return null;
  try {
    return projectionOfEsri(reference);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** The features of a page by what could be read of them. */
type SortedFeatures = {
  readonly sound: readonly ArcgisFeature[];
  /** Features that may fit the query, without an outline that can be used. */
  readonly placeless: readonly ArcgisFeature[];
  /** Number of features whose attributes cannot be read. */
  readonly unreadable: number;
};

/** Sorts the features that may fit the query, cleaned; a server may ignore the clause, or send damaged rows. */
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

/** Gives texts in NFC without control characters; null when one is too long or malformed (a lone surrogate). */
function cleanAttributes(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const clean: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    if (foreignKeys.has(name)) continue;
    if (typeof value !== "string") {
      clean[name] = value;
      continue;
    }
    if (value.length > longestText || !value.isWellFormed()) return null;
    clean[name] = value.replace(/\p{Cc}+/gu, " ").normalize("NFC");
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

/**
 * True for a place in the county: in its extent and 1 km around it, and in its polygon when the rows do not state their county.
 */
export function isOfCounty(point: Point, {county, provesCounty}: County): boolean {
  return isNearCounty(point, county) && (!provesCounty || countyAt(point)?.fips === county);
}

/**
 * The rows that could not be read, with those whose point is not in the county though they are its layer's: their place is wrong. In a
 * layer of the whole state such a row is another county's.
 */
export function unreadRows(unread: readonly UnreadRow[], {provesCounty}: County): UnreadRow[] {
  return provesCounty ? unread.filter(({isOutside}) => !isOutside) : [...unread];
}

/** True when the outline of a row holds the point. */
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
