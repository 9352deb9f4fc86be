import {projectionOfEsri, ReferenceSystemError, type ToLonLat} from "@open-cattle/parcel-outlines";
import type {Geometry, Position} from "geojson";
import type {ArcgisFeature, ArcgisPage} from "./layer-reply.ts";
import {type Comparison, fits} from "./where.ts";

const maxFeatures = 1_000;
const maxTextLength = 8_000;

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

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
