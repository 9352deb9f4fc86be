import type {Geometry, Position} from "geojson";

/** A Point, Polygon or MultiPolygon as WKB; big-endian and with Z (ISO) on request. */
export function wkbOf(geometry: Geometry, {big = false, z = false} = {}): Buffer {
  const parts: Buffer[] = [];
  const uint = (value: number) => {
    const bytes = Buffer.alloc(4);
    big ? bytes.writeUInt32BE(value) : bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  const position = ([x, y]: Position) => {
    for (const value of z ? [x!, y!, 7] : [x!, y!]) {
      const bytes = Buffer.alloc(8);
      big ? bytes.writeDoubleBE(value) : bytes.writeDoubleLE(value);
      parts.push(bytes);
    }
  };
  const write = (each: Geometry) => {
    parts.push(Buffer.from([big ? 0 : 1]));
    uint({Point: 1, Polygon: 3, MultiPolygon: 6}[each.type as string]! + (z ? 1000 : 0));
    if (each.type === "Point") position(each.coordinates);
    if (each.type === "MultiPolygon") {
      uint(each.coordinates.length);
      for (const coordinates of each.coordinates) write({type: "Polygon", coordinates});
    }
    if (each.type !== "Polygon") return;
    uint(each.coordinates.length);
    for (const ring of each.coordinates) {
      uint(ring.length);
      ring.forEach(position);
    }
  };
  write(geometry);
  return Buffer.concat(parts);
}
