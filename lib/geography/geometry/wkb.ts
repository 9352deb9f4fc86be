import type {Ring} from "./ring.ts";

const littleEndian = 1;
const polygonType = 3;
const multiPolygonType = 6;

/**
 * An outline as two-dimensional little-endian WKB: one part makes a Polygon, several a MultiPolygon (OGC 06-103r4, section
 * 8).
 */
export function outlineToWkb(parts: readonly (readonly Ring[])[]): Buffer {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return polygonToWkb(only);
  const head = Buffer.alloc(9);
  writeHead(head, multiPolygonType, parts.length);
  return Buffer.concat([head, ...parts.map(polygonToWkb)]);
}

/** The parts of a Polygon or MultiPolygon that `outlineToWkb` wrote. Throws for other WKB. */
export function outlineFromWkb(wkb: Buffer): Ring[][] {
  const type = wkb.readUInt32LE(1);
  if (wkb[0] !== littleEndian || (type !== polygonType && type !== multiPolygonType)) {
    throw new Error(
      `WKB of type ${type} and byte order ${wkb[0]}: expected a little-endian Polygon or MultiPolygon`,
    );
  }
  if (type === polygonType) return [readPolygon(wkb, 0).polygon];
  const parts: Ring[][] = [];
  let at = 9;
  for (let i = 0; i < wkb.readUInt32LE(5); i++) {
    const {polygon, end} = readPolygon(wkb, at);
    parts.push(polygon);
    at = end;
  }
  return parts;
}

function polygonToWkb(polygon: readonly Ring[]): Buffer {
  const points = polygon.reduce((sum, ring) => sum + ring.length, 0);
  const wkb = Buffer.alloc(9 + polygon.length * 4 + points * 16);
  writeHead(wkb, polygonType, polygon.length);
  let at = 9;
  for (const ring of polygon) {
    at = wkb.writeUInt32LE(ring.length, at);
    for (const [x, y] of ring) at = wkb.writeDoubleLE(y!, wkb.writeDoubleLE(x!, at));
  }
  return wkb;
}

function writeHead(wkb: Buffer, type: number, count: number): void {
  wkb.writeUInt8(littleEndian, 0);
  wkb.writeUInt32LE(type, 1);
  wkb.writeUInt32LE(count, 5);
}

function readPolygon(wkb: Buffer, start: number): {polygon: Ring[]; end: number} {
  const polygon: Ring[] = [];
  let at = start + 9;
  for (let i = 0; i < wkb.readUInt32LE(start + 5); i++) {
    const points = wkb.readUInt32LE(at);
    at += 4;
    const ring = Array.from({length: points}, (_, k) => [
      wkb.readDoubleLE(at + k * 16),
      wkb.readDoubleLE(at + k * 16 + 8),
    ]);
    polygon.push(ring);
    at += points * 16;
  }
  return {polygon, end: at};
}
