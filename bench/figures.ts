/** The quantile of sorted numbers. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Rounds to one decimal. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
