import {type ParcelIdForms, parcelIdForms} from "./parcel-id-forms.ts";

/** How well a row's parcel number fits a query's. */
export type ParcelIdMatch = {
  readonly type: "exact" | "normalized" | "fuzzy";
  readonly score: number;
  /** 0 raw, 1 tok, 2 std, 3 loose: a lookup stops at the lowest level that has hits. */
  readonly level: 0 | 1 | 2 | 3;
  readonly alternate: boolean;
};

const levels = [
  {form: "raw", type: "exact", score: 1, alternateScore: 0.98},
  {form: "tok", type: "normalized", score: 0.98, alternateScore: 0.96},
  {form: "std", type: "normalized", score: 0.95, alternateScore: 0.93},
  {form: "loose", type: "fuzzy", score: 0.8, alternateScore: 0.78},
] as const;

/**
 * The first level (raw, tok, std, loose) at which a row's parcel number, then one of its other ids, equals the query;
 * null when none does (docs/design/parcels.md section 5.1).
 */
export function parcelIdMatchLevel(
  query: string | ParcelIdForms,
  rowId: string | null,
  altIds: readonly string[] = [],
): ParcelIdMatch | null {
  const asked = typeof query === "string" ? parcelIdForms(query) : query;
  const own = rowId === null ? null : parcelIdForms(rowId);
  const others = altIds.map((id) => parcelIdForms(id));
  for (const [at, {form, type, score, alternateScore}] of levels.entries()) {
    const wanted = asked[form];
    if (wanted === "") continue;
    const level = at as ParcelIdMatch["level"];
    if (own?.[form] === wanted) return {type, score, level, alternate: false};
    if (others.some((other) => other[form] === wanted)) {
      return {type, score: alternateScore, level, alternate: true};
    }
  }
  return null;
}
