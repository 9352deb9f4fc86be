import {type Binary, type Data, type DataType, makeData, type Utf8, type Vector} from "apache-arrow";
import {UserError} from "../../errors.ts";
import {
  type BytesKind,
  binaryType,
  type FixedArray,
  type FixedKind,
  fixedStorage,
  textType,
} from "./columns.ts";
import {type Nulls, packBits} from "./nulls.ts";

/** Most bytes of text in a batch: Arrow's offsets are signed 32-bit numbers. */
export const maxTextBytes = 2 ** 31 - 1;

/** One batch of a fixed-width column. */
export function fixedData(kind: FixedKind, values: FixedArray, nulls: Nulls): Data {
  return makeData({
    type: fixedStorage[kind].type,
    length: values.length,
    nullCount: nulls.count,
    nullBitmap: nulls.bitmap,
    data: stored(kind, values),
  } as Parameters<typeof makeData>[0]);
}

function stored(kind: FixedKind, values: FixedArray): FixedArray | BigInt64Array {
  if (kind === "bool") return packBits(values as Uint8Array);
  return kind === "int64" ? BigInt64Array.from(values, BigInt) : values;
}

/** One batch of a text, list or binary column; `offsets` has one more item than there are values. */
export function bytesData(
  kind: BytesKind,
  offsets: Int32Array,
  bytes: Uint8Array,
  nulls: Nulls,
): Data<Utf8 | Binary> {
  return makeData({
    type: kind === "binary" ? binaryType : textType,
    length: offsets.length - 1,
    nullCount: nulls.count,
    nullBitmap: nulls.bitmap,
    valueOffsets: offsets,
    data: bytes,
  } as Parameters<typeof makeData>[0]) as Data<Utf8 | Binary>;
}

/** One batch of texts. */
export function textData(offsets: Int32Array, bytes: Uint8Array, nulls: Nulls): Data<Utf8> {
  return bytesData("text", offsets, bytes, nulls) as Data<Utf8>;
}

/** One batch of a dictionary column. All batches of a column must share one dictionary object. */
export function dictionaryData(
  type: DataType,
  codes: Int32Array | Int16Array,
  dictionary: Vector<Utf8>,
  nulls: Nulls,
): Data {
  return makeData({
    type,
    length: codes.length,
    nullCount: nulls.count,
    nullBitmap: nulls.bitmap,
    data: codes,
    dictionary,
  } as Parameters<typeof makeData>[0]);
}

/** The offsets of texts with these byte lengths; a negative length counts as 0. Throws a `UserError` beyond 2 GiB. */
export function offsetsOf(lengths: Int32Array, name: string): Int32Array<ArrayBuffer> {
  const offsets = new Int32Array(lengths.length + 1);
  let end = 0;
  for (let i = 0; i < lengths.length; i++) {
    end += Math.max(lengths[i] ?? 0, 0);
    if (end > maxTextBytes) {
      throw new UserError(`column ${name}: more than 2 GiB of text in ${i + 1} rows. Write smaller batches.`);
    }
    offsets[i + 1] = end;
  }
  return offsets;
}
