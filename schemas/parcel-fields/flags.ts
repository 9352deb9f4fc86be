/** Cleaning codes that an answer tells, because provenance or limitations follow from them (`docs/design/parcels.md` section 5). */
export const statedFlags = [
  "area_mismatch",
  "situs_is_mailing",
  "value_parts_contradict",
  "duplicate_id",
  "shared_outline",
  "open_range_possible",
] as const;
export type StatedFlag = (typeof statedFlags)[number];
