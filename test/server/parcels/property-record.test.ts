import {describe, expect, it} from "vitest";
import {type ProvenanceEntry, wireProvenance} from "../../../lib/parcels/record/provenance.ts";
import type {SourceEntry} from "../../../lib/parcels/record/source-facts.ts";
import {joinedPieces, recordPieces} from "../../../lib/parcels/record/stored-record.ts";
import {PropertyRecord} from "../../../schemas/parcel-record.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {type InventedParcel, type InventedProvenance, inventedSource, writeState} from "./state-fixture.ts";

const aggregate: InventedProvenance = {
  source: "us-zz-invented",
  vintage: "2025-08-01",
  basis: "row_date",
  retrieved: "2026-11-14T03:10:00Z",
  authority: "aggregate",
};

async function recordOf(
  parcel: Partial<InventedParcel>,
  {
    provenance = [aggregate],
    source = inventedSource,
  }: {provenance?: InventedProvenance[]; source?: SourceEntry} = {},
) {
  const whole = {county: "48453", id: "0241101058", ...parcel};
  const set = await writeState(temporaryFolder(), "TX", {
    parcels: [whole],
    provenance,
    sources: () => source,
  });
  return PropertyRecord.parse(JSON.parse(joinedPieces(recordPieces(set.record(0), {})).toString()));
}

type WithPage = {
  default: ProvenanceEntry & {sourceUrl?: string};
  fields: Record<string, Partial<ProvenanceEntry>>;
};

const provenanceOf = (record: object) => (record as {provenance: WithPage}).provenance;

describe("the property record", () => {
  it("has the facts of the row under the names of the field table, and nothing that is unknown", async () => {
    const record = await recordOf({
      situs: "12500 FM 1826, AUSTIN, TX 78737",
      owner: "HARLOW DALE M\nQUISTAD JUNE",
      lon: -97.94021234567,
      lat: 30.1871,
      columns: {acres: 162.5, acres_basis: "deeded", use_code: "D1", use_code_system: "tx-state-category"},
    });
    expect({...record, provenance: null}).toEqual({
      _id: "48453-0241101058",
      parcelUid: "48453-0241101058",
      parcelId: "0241101058",
      state_parcelId: "TX-0241101058",
      state_parcelIdSTD: "TX-0241101058",
      address: "12500 FM 1826",
      addressFull: "12500 FM 1826, AUSTIN, TX 78737",
      addressRaw: "12500 FM 1826, AUSTIN, TX 78737",
      streetNumber: "12500",
      street: "FM 1826",
      city: "AUSTIN",
      zipCode: "78737",
      county: "COUNTY 48453",
      state: "TX",
      country: "US",
      fipsState: "48",
      fipsCounty: "453",
      latitude: 30.1871,
      longitude: -97.9402123,
      location: {type: "Point", coordinates: [-97.9402123, 30.1871]},
      pointMethod: "centroid",
      acres: 162.5,
      landArea: 7_078_500,
      acresBasis: "deeded",
      ownerName: "HARLOW DALE M; QUISTAD JUNE",
      ownerKind: "persons",
      useCode: "D1",
      landUseDetail: {codeSystem: "tx-state-category", code: "D1", method: "none"},
      provenance: null,
    });
  });

  it("prints dates as YYYYMMDD and an instant, and a currency where there is money", async () => {
    const record = await recordOf({
      columns: {
        transfer_date: "2009-02-25",
        recording_date: "2009-03-01",
        market_value: 39390,
        market_year: 2025,
        land_value: 39390,
        value_kind: "market",
        currency: "USD",
      },
    });
    expect(record).toMatchObject({
      transferDate: "20090225",
      transferDateObject: "2009-02-25T00:00:00.000Z",
      recordingDate: "20090301",
      totalMarketValue: 39390,
      totalLandValue: 39390,
      valuePartsKind: "market",
      marketValueYear: 2025,
      currency: "USD",
    });
    const unknownKind = await recordOf({columns: {land_value: 5, currency: "USD"}});
    for (const member of ["totalLandValue", "valuePartsKind", "currency"])
      expect(unknownKind).not.toHaveProperty(member);
    expect(await recordOf({columns: {currency: "USD"}})).not.toHaveProperty("currency");
  });

  it("keeps withheld owners, and legal lines as an address, out", async () => {
    const withheld = await recordOf({owner: "CONFIDENTIAL", columns: {mail_line1: "1 MAIN ST"}});
    expect(Object.keys(withheld).filter((name) => name.startsWith("owner"))).toEqual([]);
    const legal = await recordOf({situs: "SE17-19-10W"});
    expect(legal).toMatchObject({addressRaw: "SE17-19-10W"});
    expect(legal).not.toHaveProperty("address");
  });
});

describe("provenance on the wire", () => {
  it("section 2.2: holds the shared entry once, and by field only the members that differ", async () => {
    const record = await recordOf(
      {
        lon: -97.7,
        lat: 30.3,
        situs: "12500 FM 1826",
        columns: {
          use_code: "D1",
          land_use_category: "agriculture",
          land_use_method: "state_table",
          land_use_confidence: 0.7,
          market_value: 39390,
          market_year: 2025,
          currency: "USD",
          prov_value: 1,
        },
      },
      {provenance: [aggregate, {...aggregate, vintage: "2025", basis: "roll_year"}]},
    );
    const {default: usual, fields} = provenanceOf(record);
    expect(usual).toEqual({
      source: "us-zz-invented",
      vintage: "2025-08-01",
      vintageBasis: "row_date",
      confidence: 0.95,
      retrievedAt: "2026-11-14T03:10:00Z",
    });
    const parsed = {confidence: 0.93};
    const value = {vintage: "2025", vintageBasis: "roll_year", confidence: 0.86};
    expect(fields).toEqual({
      address: parsed,
      addressFull: parsed,
      currency: value,
      landUseDetail: {confidence: 0.67},
      landUseCategory: {confidence: 0.67},
      latitude: {confidence: 0.92},
      location: {confidence: 0.92},
      longitude: {confidence: 0.92},
      marketValueYear: value,
      pointMethod: {confidence: 0.92},
      residential: {confidence: 0.67},
      street: parsed,
      streetNumber: parsed,
      totalMarketValue: value,
    });
    expect(Object.keys(fields)).toEqual(Object.keys(fields).sort());
  });

  it("gives every fact an entry whose members come from its own source", async () => {
    const county = {...aggregate, source: "us-zz-county", authority: "county", vintage: "2026-10-01"};
    const record = await recordOf(
      {owner: "HARLOW DALE", columns: {prov_owner: 1}},
      {provenance: [aggregate, county]},
    );
    const {default: usual, fields} = provenanceOf(record);
    expect({...usual, ...fields["ownerName"]}).toMatchObject({
      source: "us-zz-county",
      vintage: "2026-10-01",
      confidence: 1,
    });
    expect({...usual, ...fields["parcelId"]}).toMatchObject({source: "us-zz-invented", confidence: 0.95});
  });

  it("lowers facts of joined tables, read towns, converted areas and contradicted areas", async () => {
    const source = {
      ...inventedSource,
      fields: {assessed_value: {from: "roll.total"}, situs_raw: {from: "SITUS"}},
      joins: [{prefix: "roll", on: {ours: "ID", theirs: "ID"}, many: "first" as const}],
      area: {from: "ACRES", unit: "acres" as const},
    };
    const record = await recordOf(
      {
        situs: "1 MAIN ST, AUSTIN",
        columns: {
          acres: 2,
          acres_basis: "deeded",
          flags: ["area_mismatch"],
          assessed_value: 100,
          currency: "USD",
        },
      },
      {source, provenance: [{...aggregate, authority: "county", vintage: "2026-10-01"}]},
    );
    const {fields} = provenanceOf(record);
    expect(fields).toMatchObject({
      totalAssessedValue: {confidence: 0.97},
      city: {confidence: 0.98},
      acres: {confidence: 0.8},
      landArea: {confidence: 0.78},
    });
  });

  it("lowers place and computed area of an outline with a curve that was not read", async () => {
    const flags = ["outline_partly_read", "partly_read"];
    const columns = {acres: 2, acres_basis: "computed", point_method: "centroid", flags};
    const record = await recordOf(
      {lon: -97.94, lat: 30.18, columns},
      {provenance: [{...aggregate, authority: "county", vintage: "2026-10-01"}]},
    );
    const {default: usual, fields} = provenanceOf(record);
    const confidences = ["parcelId", "longitude", "acres"].map(
      (name) => ({...usual, ...fields[name]}).confidence,
    );
    expect(confidences).toEqual([1, 0.78, 0.72]);
    expect(record).toMatchObject({flags});
  });

  it("lowers a mailing address of which a town was not read, and no address of the land", async () => {
    const flags = ["mail_partly_read", "partly_read"];
    const columns = {owner_name: "HARLOW DALE", mail_line1: "PO BOX 12 SMALLPLACE", mail_state: "NE", flags};
    const of = async (more: string[]) => {
      const record = await recordOf(
        {situs: "1 MAIN ST, AUSTIN", columns: {...columns, flags: [...more, ...flags]}},
        {provenance: [{...aggregate, authority: "county", vintage: "2026-10-01"}]},
      );
      const {default: usual, fields} = provenanceOf(record);
      return ["ownerName", "ownerAddressLine1", "ownerState", "address"].map(
        (name) => ({...usual, ...fields[name]}).confidence,
      );
    };
    expect(await of([])).toEqual([1, 0.8, 0.8, 0.98]);
    expect(await of(["address_partly_read"])).toEqual([1, 0.8, 0.8, 0.78]);
  });

  it("gives the page of the parcel only where every fact is of one source", async () => {
    const source_url = "https://county.example.org/1";
    const one = await recordOf({columns: {source_url}});
    expect(provenanceOf(one).default.sourceUrl).toBe(source_url);
    const two = await recordOf(
      {owner: "HARLOW DALE", columns: {source_url, prov_owner: 1}},
      {provenance: [aggregate, {...aggregate, source: "us-zz-county"}]},
    );
    expect(JSON.stringify(provenanceOf(two))).not.toContain("county.example.org");
  });

  it("takes the earliest entry of the record where two are shared by as many facts", () => {
    const entry = {source: "us-zz-invented", vintageBasis: "row_date", confidence: 1};
    const entries = new Map([
      ["parcelId", {...entry, vintage: "2025-08-01"}],
      ["ownerName", {...entry, vintage: "2026-10-01"}],
    ]);
    expect(wireProvenance(entries).default.vintage).toBe("2025-08-01");
  });
});
