/** A validity bitmap of Arrow that is being filled: a set bit means a value. */
export type Nulls = {readonly bitmap: Uint8Array<ArrayBuffer>; count: number};

/** A bitmap of `length` values without a null; the bits after the last value are 0. */
export function noNulls(length: number): Nulls {
  const bitmap = new Uint8Array((length + 7) >>> 3).fill(0xff);
  if ((length & 7) !== 0) bitmap[bitmap.length - 1] = (1 << (length & 7)) - 1;
  return {bitmap, count: 0};
}

/** A bitmap of `length` nulls. */
export function allNulls(length: number): Nulls {
  return {bitmap: new Uint8Array((length + 7) >>> 3), count: length};
}

/** Marks a value as null. A second call for the same value would count it twice. */
export function markNull(nulls: Nulls, index: number): void {
  const byte = index >>> 3;
  nulls.bitmap[byte] = (nulls.bitmap[byte] ?? 0) & ~(1 << (index & 7));
  nulls.count += 1;
}

/** Bytes of 0 or 1 packed to bits, the lowest bit first. */
export function packBits(flags: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array((flags.length + 7) >>> 3);
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] !== 0) packed[i >>> 3] = (packed[i >>> 3] ?? 0) | (1 << (i & 7));
  }
  return packed;
}
