import type {Geometry, Position} from "geojson";

const head = /^\s*(?:SRID=\d+;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*\(/i;

/**
 * A point, polygon or multipolygon in well-known text (OGC 06-103r4, section 7) as GeoJSON, further coordinates dropped; null
 * for an empty one, another kind of geometry, or text that is none.
 */
export function geometryFromWkt(text: string): Geometry | null {
  const kind = head.exec(text)?.[1]?.toUpperCase();
  if (kind === undefined) return null;
  const body = text.slice(text.indexOf("("));
  if (/[^-+\d.eE\s,()]/.test(body)) return null;
  // Numbers of a position stand between blanks: with commas for them and brackets turned, the text is JSON.
  const json = body
    .trim()
    .replace(/\(/g, "[")
    .replace(/\)/g, "]")
    .replace(
      /[-+\d.eE]+(?:\s+[-+\d.eE]+)+/g,
      (position) => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(",")}]`,
    );
  try {
    return geometryOf(kind, JSON.parse(json));
  } catch {
    return null;
  }
}

function geometryOf(kind: string, coordinates: unknown): Geometry | null {
  if (kind === "POINT") {
    const [position] = coordinates as Position[];
    return position === undefined ? null : {type: "Point", coordinates: position};
  }
  if (kind === "POLYGON") return {type: "Polygon", coordinates: coordinates as Position[][]};
  return {type: "MultiPolygon", coordinates: coordinates as Position[][][]};
}
