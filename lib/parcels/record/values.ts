import {roundHalfAway} from "../../rounding.ts";
import type {AddressStatus, ParsedAddress, ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelRow} from "../parcel-row.ts";

/** Members of a record with what is known: null and undefined are left out (an unknown field is never `null`). */
export function known(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== null && value !== undefined && value !== "") left[name] = value;
  }
  return left;
}

/** A number to so many decimals; null stays null. */
export function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : roundHalfAway(value, decimals);
}

/** `YYYY-MM-DD` as `YYYYMMDD`; null stays null. */
export function compactDate(date: string | null): string | null {
  return date === null ? null : date.replaceAll("-", "");
}

/** The parts of a row's address as they are compared and printed; the end of a range is null where there is no range. */
export function rowAddress(row: ParcelRow): ScoredAddress {
  const low = row.number("situs_number_lo");
  const high = row.number("situs_number_hi");
  return {
    number: row.text("situs_number"),
    numberLo: low,
    numberHi: high === low ? null : high,
    fraction: row.text("situs_fraction"),
    pre: row.text("situs_pre"),
    name: row.text("situs_name"),
    type: row.text("situs_type"),
    post: row.text("situs_post"),
    unitType: row.text("situs_unit_type"),
    unit: row.text("situs_unit"),
    city: row.text("city"),
    zip: row.text("zip"),
    status: (row.text("situs_status") ?? "blank") as AddressStatus,
    raw: row.text("situs_raw"),
  };
}

/** House number with its fraction: `123 1/2`; null without a number. */
export function houseNumber({number, fraction}: Pick<ParsedAddress, "number" | "fraction">): string | null {
  return number === null || fraction === null ? number : `${number} ${fraction}`;
}
