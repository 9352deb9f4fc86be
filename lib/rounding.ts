/**
 * Rounds half away from zero on the shortest decimal form of the value, so that binary noise does not decide:
 * 2.675 with 2 decimals is 2.68, -0.955 is -0.96. Numbers too large or too small for plain decimals come back as they are.
 */
export function roundHalfAway(value: number, decimals: number): number {
  // A number that its own nearest multiple gives back has no further decimals; half of all come out here.
  const scale = 10 ** decimals;
  if (Math.abs(value) < 1e15 / scale && Math.round(value * scale) / scale === value) return value;
  const text = String(Math.abs(value));
  if (!Number.isFinite(value)) throw new RangeError(`Cannot round ${value}.`);
  if (text.includes("e")) return text.includes("e-") ? 0 : value;
  const [whole = "0", fraction = ""] = text.split(".");
  if (fraction.length <= decimals) return value;
  const digits = whole + fraction.slice(0, decimals);
  const up = fraction.charCodeAt(decimals) >= 0x35 ? 1 : 0;
  // Up to 15 digits are exact as a number, which is quicker.
  const rounded = digits.length > 15 ? Number(BigInt(digits) + BigInt(up)) : Number(digits) + up;
  const magnitude = rounded / 10 ** decimals;
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude;
}
