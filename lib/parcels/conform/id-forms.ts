import {cleanParcelId} from "../parcel-id/clean-parcel-id.ts";
import {parcelIdForms} from "../parcel-id/parcel-id-forms.ts";
import {memberSeparator, pack, unpack} from "./packed-text.ts";

/** Parts of a packed answer of `idForms`. */
export const idParts = ["reject", "id", "tok", "std", "loose", "alts", "altStds"] as const;

/**
 * Reads the ids of a row: from a packed text of raw id and other ids it gives a packed text of `idParts` (lists as
 * members). Other ids that are unusable or equal to the id are left out; the rest is sorted and unique.
 */
export function idForms(packed: string, options: {numeric: boolean; pad: number | null}): string {
  const [raw = null, ...others] = unpack(packed);
  const cleaned = cleanParcelId(padded(raw, options.pad), options);
  const alts = others.flatMap((other) => {
    const alt = cleanParcelId(padded(other, options.pad), options);
    return "id" in alt ? [alt.id] : [];
  });
  if ("reject" in cleaned) return pack([cleaned.reject, raw, null, null, null, members(alts), null]);
  const {tok, std, loose} = parcelIdForms(cleaned.id);
  const own = alts.filter((alt) => alt !== cleaned.id);
  const stds = own.map((alt) => parcelIdForms(alt).std).filter((form) => form !== "");
  return pack([null, cleaned.id, tok, std, loose, members(own), members(stds)]);
}

function padded(id: string | null, pad: number | null): string | null {
  return id !== null && pad !== null && /^\d+$/.test(id) ? id.padStart(pad, "0") : id;
}

function members(values: readonly string[]): string {
  return [...new Set(values)].sort().join(memberSeparator);
}
