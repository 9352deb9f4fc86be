import type {Geometry} from "geojson";
import {geometryFromGeoJson} from "./outline.ts";
import {geometryFromWkb} from "./wkb-geometry.ts";

const wktHead = /^\s*(?:SRID=\d+;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*\(/i;
/** The end of a cell of Socrata: latitude and longitude in brackets, below the lines of an address. */
const bracketed = /\(\s*(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)\s*\)\s*$/;
/** Well-known binary in hexadecimal: byte order, then one of the kinds up to a collection. */
const hexWkb = /^0[01](?:[0-9A-F]{2}){20,}$/i;
/** The same of a geometry with no members: byte order, kind, perhaps a system, and a count of zero. */
const hexEmpty = /^0[01](?:[0-9A-F]{8}){1,2}0{8}$/i;
const jsonHead = /^\s*\{\s*"type"\s*:\s*"(?:Point|Polygon|MultiPolygon)"/;

/** True for a text that `geometryFromText` may read. */
export function isGeometryText(cell: string): boolean {
  return [wktHead, bracketed, hexWkb, jsonHead].some((form) => form.test(cell));
}

/** True for the text of a geometry without coordinates, in well-known text or hexadecimal binary. */
export function isEmptyGeometryText(cell: string): boolean {
  return /^\s*(?:SRID=\d+;)?\s*[A-Z]+(?:\s+(?:Z|M|ZM))?\s+EMPTY\s*$/i.test(cell) || hexEmpty.test(cell);
}

/**
 * Parses well-known text, hexadecimal well-known binary, a GeoJSON geometry, or a cell that ends in `(latitude, longitude)`; null for any
 * other text.
 */
export function geometryFromText(text: string): Geometry | null {
  const place = bracketed.exec(text);
  if (place !== null) return {type: "Point", coordinates: [Number(place[2]), Number(place[1])]};
  if (hexWkb.test(text)) return orNull(() => geometryFromWkb(Buffer.from(text, "hex")));
  return text.trimStart().startsWith("{")
    ? orNull(() => geometryFromGeoJson(JSON.parse(text)))
    : geometryFromWkt(text);
}

function orNull(read: () => Geometry | null): Geometry | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Parses a point, polygon or multipolygon in well-known text (OGC 06-103r4, section 7) into two-dimensional GeoJSON; null for an empty
 * geometry, another kind, or any other text.
 */
export function geometryFromWkt(text: string): Geometry | null {
  const kind = wktHead.exec(text)?.[1]?.toUpperCase();
  if (kind === undefined) return null;
  const body = text.slice(text.indexOf("("));
  if (/[^-+\d.eE\s,()]/.test(body)) return null;
  // Rewritten as JSON: commas between the blank-separated numbers of a position, and square brackets.
  const json = body
    .trim()
    .replace(/\(/g, "[")
    .replace(/\)/g, "]")
    .replace(
      /(?<![-+\d.eE])[-+\d.eE]+(?:\s+[-+\d.eE]+)+/g,
      (position) => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(",")}]`,
    );
  return orNull(() => geometryOf(kind, JSON.parse(json)));
}

function geometryOf(kind: string, coordinates: unknown): Geometry | null {
  if (kind === "POINT")
    return geometryFromGeoJson({type: "Point", coordinates: (coordinates as unknown[])[0]});
  return geometryFromGeoJson({type: kind === "POLYGON" ? "Polygon" : "MultiPolygon", coordinates});
}
