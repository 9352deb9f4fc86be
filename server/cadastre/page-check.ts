import type {Geometry, Position} from "geojson";
import type {ArcgisFeature, ArcgisPage} from "../../lib/arcgis/answer.ts";
import {UserError} from "../../lib/errors.ts";
import {projectionOfEsri, type ToLonLat} from "../../lib/geography/projection.ts";
import {type Comparison, fits} from "./where.ts";

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
export function refusalOfPage({
  features,
  exceededTransferLimit,
  spatialReference,
}: ArcgisPage): string | null {
  if (features.length > mostFeatures) return "too many features";
  // A row that was left out may be the wanted parcel, or a second one that fits.
  if (exceededTransferLimit) return "the server has more rows than it sent";
  const located = features.some(({geometry}) => geometry !== null);
  return located && replyProjection(spatialReference) === null ? "in coordinates of an unknown system" : null;
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

/** Gives the features that fit the query, cleaned; a server may ignore the clause, or send damaged rows. */
export function soundFeatures(
  {features}: ArcgisPage,
  {comparisons}: {comparisons: readonly Comparison[]},
): ArcgisFeature[] {
  return features.flatMap(({attributes, geometry}) => {
    const clean = cleanAttributes(attributes);
    if (clean === null || geometry === null || !isSoundGeometry(geometry)) return [];
    return comparisons.every((comparison) => fits(comparison, clean)) ? [{attributes: clean, geometry}] : [];
  });
}

/** Gives texts in NFC without control characters; null when one is too long or malformed (a lone surrogate). */
function cleanAttributes(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const clean: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    if (foreignKeys.has(name)) continue;
    if (typeof value !== "string") {
      // A cell is text, a number or null: a layer has no nested attributes.
      clean[name] = typeof value === "object" ? null : value;
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
