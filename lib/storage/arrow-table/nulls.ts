import type {Data} from "apache-arrow";

const nothing = new Uint8Array(0);

/** Validity bitmap of a batch: null where every value is there, without a byte where none is, so that no page is touched for it. */
export function nullsOf(data: Data): Uint8Array | null {
  if (data.nullCount === 0) return null;
  return data.nullCount === data.length ? nothing : data.nullBitmap;
}

/** True where no batch holds a value. */
export function isEmpty(batches: readonly Data[]): boolean {
  return batches.every((data) => nullsOf(data) === nothing);
}

/** True where the validity bitmap says that there is no value; without a bitmap every value is there. */
export function isNullAt(bitmap: Uint8Array | null, index: number): boolean {
  return bitmap !== null && ((bitmap[index >>> 3] ?? 0) & (1 << (index & 7))) === 0;
}
