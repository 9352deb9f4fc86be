import {ParcelSource} from "../../../../schemas/parcel-source.ts";

/** An entry that reads the sample rows. */
export const sampleEntry: ParcelSource = ParcelSource.parse({
  id: "us-tx-sample",
  name: "Sample parcels",
  publisher: "Sample county",
  authority: "county",
  coverage: {country: "US", state: "TX", counties: ["48453"]},
  licence: "CC0-1.0",
  terms: {store: true, redistributeOwners: true},
  ids: {raw: "parcel_no", alt: ["account"]},
  vintage: [{edition: "2026-01-01"}],
  fields: {situs_raw: {from: "address"}, owner_raw: {from: "owner"}},
  area: {from: "acreage", unit: "acres"},
  owners: {published: true, order: "last_first"},
  use: {systems: ["tx-state-category"], codeFrom: "use_code"},
  accept: {minRows: 0, maxRejectShare: 0.5, maxDropShare: 0.5, rows: []},
});
