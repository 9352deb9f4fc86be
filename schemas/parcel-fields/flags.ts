/** Cleaning codes that answers include, because they affect provenance or limitations (`docs/design/parcels.md` section 5). */
export const statedFlags = [
  "area_mismatch",
  "situs_is_mailing",
  "value_parts_contradict",
  "duplicate_id",
  "shared_outline",
  "open_range_possible",
] as const;
export type StatedFlag = (typeof statedFlags)[number];
