import type {Cells} from "../../../lib/parcels/conform/cells.ts";

/** Width and reader of the values by type of column (`ColumnType`); a text has its length in front. */
const numbers: readonly ([width: number, read: (view: DataView, at: number) => unknown] | null)[] = [
  [1, (view, at) => view.getInt8(at)],
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getUint8(at) !== 0],
  [2, (view, at) => view.getInt16(at, true)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, (view, at) => view.getBigInt64(at, true)],
  [8, (view, at) => view.getBigUint64(at, true)],
  [4, (view, at) => Number(view.getFloat32(at, true).toPrecision(7))],
  [8, (view, at) => view.getFloat64(at, true)],
];
const binaryType = 14;

export type FgbColumn = {readonly name: string; readonly type: number};

/**
 * Gives the wanted cells in the properties of a feature, which are pairs of column number and value without nulls. Whole numbers
 * of 64 bits keep all digits. Throws a RangeError for damage.
 */
export function cellsOf(
  properties: Uint8Array,
  columns: readonly FgbColumn[],
  wanted: ReadonlySet<string>,
): Cells {
  const view = viewOf(properties);
  const cells: Record<string, unknown> = {};
  for (let at = 0; at < properties.byteLength; ) {
    const {name, type} = columns[view.getUint16(at, true)] ?? unknownColumn(at);
    at += 2;
    const number = numbers[type];
    if (number !== undefined && number !== null) {
      if (wanted.has(name)) cells[name] = number[1](view, at);
      at += number[0];
      continue;
    }
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > properties.byteLength) throw new RangeError(`a text of ${length} bytes`);
    if (wanted.has(name) && type !== binaryType)
      cells[name] = Buffer.from(properties.buffer, properties.byteOffset + at, length).toString("utf8");
    at += length;
  }
  return cells;
}

function unknownColumn(at: number): never {
  throw new RangeError(`a column that the header does not name, at byte ${at} of the properties`);
}

/** Gives a view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
