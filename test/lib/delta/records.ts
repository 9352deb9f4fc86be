import type {NewDeltaRecord, ProcessIdentity} from "../../../schemas/delta-record.ts";

export const writer: ProcessIdentity = {
  host: "test",
  bootId: "boot-1",
  pidNamespace: "pid:[1]",
  pid: 4711,
  startTicks: "1",
};

/** An invented find of the parcel with this number. */
export function find(parcelId: string, raw?: Record<string, unknown>): NewDeltaRecord {
  return {
    kind: "upsert",
    v: 1,
    key: {state: "AZ", county: "04005", parcelId},
    country: "US",
    parcelUid: `04005-${parcelId}`,
    row: {parcel_id: parcelId, owner_name: "HARLOW DALE Ñ", lon: -111.5, lat: 35.1},
    provenance: {
      sourceId: "us-az-coconino",
      vintage: "2026-10-01",
      vintageBasis: "row_date",
      retrievedAt: "2026-11-21T00:00:00.000Z",
      authority: "county",
    },
    proposedMap: true,
    ...(raw === undefined ? {} : {raw}),
    sourceId: "us-az-coconino",
    vintage: "2026-10-01",
    query: "parcel_id",
  };
}
