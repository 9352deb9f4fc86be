import {type AddressContext, parseAddress} from "@open-cattle/us-address";
import type {MemoryRow} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {PrintedRow} from "../../packages/us-address/test/written-lines.ts";

/** A row as a build stores it of a printed address. */
export function addressRow(
  {situs, city, zip, others = []}: PrintedRow,
  {at, county, context}: {at: number; county: string; context: AddressContext},
): MemoryRow {
  const parsed = parseAddress(situs, context);
  const {number, numberLo, numberHi, fraction, pre, name, type, post, unitType, unit} = parsed;
  return {
    columns: {
      parcel_uid: `${county}-${at}`,
      parcel_id: String(at),
      state: context.state ?? null,
      county_key: county,
      situs_raw: situs,
      situs_number: number,
      situs_number_lo: numberLo,
      situs_number_hi: numberHi ?? numberLo,
      situs_fraction: fraction,
      situs_pre: pre,
      situs_name: name,
      situs_type: type,
      situs_post: post,
      situs_unit_type: unitType,
      situs_unit: unit,
      situs_status: parsed.status,
      alt_situs: others,
      city: city ?? parsed.city,
      zip: zip ?? parsed.zip,
      flags: parsed.dropped > 0 ? ["partly_read"] : [],
    },
    record: {} as never,
  };
}
