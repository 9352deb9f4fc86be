import type {Data} from "apache-arrow";

const nothing = new Uint8Array(0);

/** The validity bitmap of a batch: null when no value is null, empty when all are, so that neither case touches a page. */
export function nullsOf(data: Data): Uint8Array | null {
  if (data.nullCount === 0) return null;
  return data.nullCount === data.length ? nothing : data.nullBitmap;
}

/** True when every value of every batch is null. */
export function isEmpty(batches: readonly Data[]): boolean {
  return batches.every((data) => nullsOf(data) === nothing);
}

/** True when the value at an index is null by its validity bitmap; without a bitmap no value is. */
export function isNullAt(bitmap: Uint8Array | null, index: number): boolean {
  return bitmap !== null && ((bitmap[index >>> 3] ?? 0) & (1 << (index & 7))) === 0;
}
