import type {Geometry, Position} from "geojson";

/** The .shp and .shx of geometries; `z` adds a third coordinate to polygons (shape type 15). */
export function shapesOf(
  geometries: readonly (Geometry | null)[],
  {z = false} = {},
): {shp: Buffer; shx: Buffer} {
  const shapes = geometries.map((geometry) => shapeOf(geometry, z));
  const records = shapes.map((shape, i) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(shape.length / 2, 4);
    return Buffer.concat([head, shape]);
  });
  const index = Buffer.alloc(shapes.length * 8);
  let offset = 100;
  for (const [i, record] of records.entries()) {
    index.writeInt32BE(offset / 2, i * 8);
    index.writeInt32BE(shapes[i]!.length / 2, i * 8 + 4);
    offset += record.length;
  }
  const type = shapes.reduce((most, shape) => Math.max(most, shape.readInt32LE(0)), 0);
  return {
    shp: Buffer.concat([fileHead(offset, type), ...records]),
    shx: Buffer.concat([fileHead(100 + index.length, type), index]),
  };
}

function fileHead(bytes: number, type: number): Buffer {
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE(bytes / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(type, 32);
  return head;
}

function shapeOf(geometry: Geometry | null, z: boolean): Buffer {
  if (geometry?.type === "Point") {
    const shape = Buffer.alloc(20);
    shape.writeInt32LE(1, 0);
    shape.writeDoubleLE(geometry.coordinates[0]!, 4);
    shape.writeDoubleLE(geometry.coordinates[1]!, 12);
    return shape;
  }
  const rings = ringsOf(geometry);
  if (rings.length === 0) return Buffer.alloc(4);
  const points = rings.flat();
  const start = 44 + rings.length * 4;
  const shape = Buffer.alloc(start + points.length * 16 + (z ? 16 + points.length * 8 : 0));
  shape.writeInt32LE(z ? 15 : 5, 0);
  shape.writeInt32LE(rings.length, 36);
  shape.writeInt32LE(points.length, 40);
  let first = 0;
  for (const [i, ring] of rings.entries()) {
    shape.writeInt32LE(first, 44 + i * 4);
    first += ring.length;
  }
  for (const [i, [x, y]] of points.entries()) {
    shape.writeDoubleLE(x!, start + i * 16);
    shape.writeDoubleLE(y!, start + i * 16 + 8);
  }
  return shape;
}

function ringsOf(geometry: Geometry | null): Position[][] {
  if (geometry?.type === "Polygon") return geometry.coordinates;
  return geometry?.type === "MultiPolygon" ? geometry.coordinates.flat() : [];
}
