import {isNullText} from "../null-text.ts";
import {parcelIdForms} from "./parcel-id-forms.ts";

/** The reason why a parcel number is unusable, which rejects the row (codes of docs/design/parcels.md section 5). */
type ParcelIdReject = "null_id" | "non_parcel" | "id_precision_lost" | "control_character";

/** A usable parcel number, trimmed and otherwise as published, or the reason why it is unusable. */
type CleanParcelId = {readonly id: string} | {readonly reject: ParcelIdReject};

/** Words in the place of a parcel number, in `std` form: land that is no parcel, and lines of sums. */
export const notParcels: ReadonlySet<string> = new Set(
  "ROW WATER PARENT GAP TOTAL TOTALS SUBTOTAL GRANDTOTAL".split(" "),
);
const numericExponent = /^[+-]?\d+(?:\.\d*)?E[+-]?\d+$/i;
// A spreadsheet writes long numbers as 4.10106E+11; `12E5` without the sign may be a printed id.
const spreadsheetExponent = /^\d(?:\.\d+)?E\+\d{1,3}$/i;
const zeroDecimals = /^(\d+)\.0+$/;

/**
 * Cleans a parcel number. In a `numeric` source column, `.0` is dropped and digits beyond 2^53 are lost already. A text
 * keeps its zeros, suffix letters and decimals.
 */
export function cleanParcelId(
  value: string | number | bigint | null | undefined,
  {numeric = false}: {numeric?: boolean} = {},
): CleanParcelId {
  if (value === null || value === undefined) return {reject: "null_id"};
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return {reject: "id_precision_lost"};
  }
  const id = idText(String(value), numeric || typeof value !== "string");
  if (id === null) return {reject: "id_precision_lost"};
  if (/\p{Cc}/u.test(id)) return {reject: "control_character"};
  if (isNullText(id)) return {reject: "null_id"};
  const {std} = parcelIdForms(id);
  if (/^0*$/.test(std)) return {reject: "null_id"};
  return notParcels.has(std) ? {reject: "non_parcel"} : {id};
}

function idText(value: string, numeric: boolean): string | null {
  const id = value.trim();
  if ((numeric ? numericExponent : spreadsheetExponent).test(id)) return null;
  return numeric ? (zeroDecimals.exec(id)?.[1] ?? id) : id;
}
