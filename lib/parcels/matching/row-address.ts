import type {AddressStatus, ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../artifacts.ts";
import type {RowPlace} from "../place/place-question.ts";

/** Gives the parts of a row's address as they are compared; the end of a range is null where there is no range. */
export function rowAddress({parcels}: ParcelSet, row: number): ScoredAddress {
  const text = (column: string) => parcels.string(column).at(row);
  const low = parcels.number("situs_number_lo").at(row);
  const high = parcels.number("situs_number_hi").at(row);
  return {
    number: text("situs_number"),
    numberLo: low,
    numberHi: high === low ? null : high,
    fraction: text("situs_fraction"),
    pre: text("situs_pre"),
    name: text("situs_name"),
    type: text("situs_type"),
    post: text("situs_post"),
    unitType: text("situs_unit_type"),
    unit: text("situs_unit"),
    city: text("city"),
    zip: text("zip"),
    status: (text("situs_status") ?? "blank") as AddressStatus,
    raw: text("situs_raw"),
  };
}

/** Gives the city, ZIP and county of a row. */
export function rowPlace({parcels}: ParcelSet, row: number): RowPlace {
  return {
    city: parcels.string("city").at(row),
    zip: parcels.string("zip").at(row),
    county: parcels.string("county_key").at(row),
  };
}
