import {Builder, ByteBuffer} from "flatbuffers";
import {expect, test} from "vitest";
import {readFeature} from "../src/flatgeobuf-tables.ts";

const value = (width: number, write: (view: DataView) => void) => {
  const bytes = new Uint8Array(width);
  write(new DataView(bytes.buffer));
  return bytes;
};

/** A feature with these properties, and with bytes that stand behind them. */
function featureOf(properties: readonly number[], behind?: Buffer): ByteBuffer {
  const builder = new Builder();
  const other = behind === undefined ? 0 : builder.createByteVector(behind);
  const list = builder.createByteVector(Uint8Array.from(properties));
  builder.startObject(3);
  builder.addFieldOffset(0, other, 0);
  builder.addFieldOffset(1, list, 0);
  builder.finish(builder.endObject());
  return new ByteBuffer(builder.asUint8Array());
}

function cellsOf(feature: ByteBuffer, columns: readonly {name: string; type: number}[]) {
  const head = {geometryType: 0, columns, features: 1, indexNodeSize: 0, crs: null};
  return readFeature(feature, head, new Set(columns.map(({name}) => name))).cells;
}

test.each<[type: number, written: Uint8Array, cell: unknown]>([
  [0, value(1, (view) => view.setInt8(0, -2)), -2],
  [1, value(1, (view) => view.setUint8(0, 254)), 254],
  [2, value(1, (view) => view.setUint8(0, 1)), true],
  [2, value(1, (view) => view.setUint8(0, 0)), false],
  [3, value(2, (view) => view.setInt16(0, -258, true)), -258],
  [4, value(2, (view) => view.setUint16(0, 65_278, true)), 65_278],
  [5, value(4, (view) => view.setInt32(0, -16_909_060, true)), -16_909_060],
  [6, value(4, (view) => view.setUint32(0, 4_278_058_236, true)), 4_278_058_236],
  [7, value(8, (view) => view.setBigInt64(0, -72_623_859_790_382_856n, true)), -72_623_859_790_382_856n],
  [8, value(8, (view) => view.setBigUint64(0, 2n ** 64n - 3n, true)), 2n ** 64n - 3n],
  [9, value(4, (view) => view.setFloat32(0, 0.1, true)), 0.1],
  [10, value(8, (view) => view.setFloat64(0, 0.1, true)), 0.1],
])("reads a number of column type %i, and the column after it", (type, written, cell) => {
  const bytes = featureOf([0, 0, ...written, 1, 0, 7]);
  const columns = [
    {name: "number", type},
    {name: "next", type: 1},
  ];
  expect(cellsOf(bytes, columns)).toEqual({number: cell, next: 7});
});

test("a text may end with its row, but not reach into what stands behind it", () => {
  const street = (length: number) => {
    const bytes = featureOf([0, 0, length, 0, 0, 0, ...Buffer.from("ROAD")], Buffer.from("behind the row"));
    return cellsOf(bytes, [{name: "street", type: 11}]);
  };
  expect(street(4)).toEqual({street: "ROAD"});
  expect(() => street(5)).toThrow(RangeError);
});

/** The geometry of a feature of these coordinates, by default a polygon, whose table does not say where rings end. */
function geometryAt(xy: readonly number[], geometryType = 3) {
  const builder = new Builder();
  builder.startVector(8, xy.length, 8);
  for (const each of xy.toReversed()) builder.addFloat64(each);
  const numbers = builder.endVector();
  builder.startObject(2);
  builder.addFieldOffset(1, numbers, 0);
  const geometry = builder.endObject();
  builder.startObject(1);
  builder.addFieldOffset(0, geometry, 0);
  builder.finish(builder.endObject());
  const head = {geometryType, columns: [], features: 1, indexNodeSize: 0, crs: null};
  return readFeature(new ByteBuffer(builder.asUint8Array()), head, new Set()).geometry;
}

test("reads a polygon without the ends of its rings as one ring, and one without points as none", () => {
  expect(geometryAt([0, 0, 2, 0, 2, 1, 0, 0])).toEqual({
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [0, 0],
      ],
    ],
  });
  expect(geometryAt([])).toBeNull();
});

test.each([
  [1, [-98.5, 39.25], {type: "Point", coordinates: [-98.5, 39.25]}],
  [1, [], null],
  [4, [-98.5, 39.25], {type: "MultiPoint", coordinates: [[-98.5, 39.25]]}],
])("reads a geometry of kind %i at %j", (geometryType, xy, geometry) => {
  expect(geometryAt(xy, geometryType)).toEqual(geometry);
});

test("refuses a list that would begin before the feature, and one of fewer than no members", () => {
  const damaged = (damage: (bytes: ByteBuffer, list: number) => void) => {
    const bytes = featureOf([0, 0, 7]);
    const table = bytes.readInt32(0);
    damage(bytes, table + bytes.__offset(table, 6));
    return () => cellsOf(bytes, [{name: "number", type: 1}]);
  };
  const beginningAt = (start: number) => damaged((bytes, list) => bytes.writeInt32(list, start - 4 - list));
  const ofLength = (count: number) =>
    damaged((bytes, list) => bytes.writeInt32(list + bytes.readInt32(list), count));
  expect(ofLength(3)()).toEqual({number: 7});
  expect(ofLength(0)()).toEqual({});
  expect(ofLength(-1)).toThrow("a list of -1");
  expect(beginningAt(3)).toThrow("at byte 3 of");
  // The first four bytes are the place of the table: read as a length they lead to a column that is not there, and not out of the feature.
  expect(beginningAt(4)).toThrow("a column that the header does not name");
});
