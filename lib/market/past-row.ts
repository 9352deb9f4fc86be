/** What is true of a row of a past sale, one bit each, from the lowest: columns of the build's `cell_rows`; `w_of_break`: the weight is the middle of its break. */
export const rowFlags = [
  "weight_spans_bins",
  "weight_estimated",
  "w_imputed",
  "usable",
  "head_excluded",
  "implausible",
  "outlier",
  "w_of_break",
] as const;
export type RowFlag = (typeof rowFlags)[number];

/** Whether a flag is set. */
export function hasFlag(flags: number, flag: RowFlag): boolean {
  return (flags & (1 << rowFlags.indexOf(flag))) !== 0;
}
