/** True where the validity bitmap says that there is no value; without a bitmap every value is there. */
export function isNullAt(bitmap: Uint8Array | null, index: number): boolean {
  return bitmap !== null && ((bitmap[index >>> 3] ?? 0) & (1 << (index & 7))) === 0;
}
