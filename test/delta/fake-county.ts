import {createFindMaker} from "../../lib/delta/find-maker.ts";
import {foundParcel} from "../../lib/delta/found-parcel.ts";
import {createMemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import {foundRecord, recordBytes} from "../../lib/parcels/record/record-maker.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Discovery, DiscoveryStore} from "../../server/delta/delta-view.ts";
import type {Cadastre} from "../../server/parcels/cadastre-port.ts";
import {type InventedParcel, inventedRows} from "../server/parcels/state-fixture.ts";

const records = createFindMaker();

/** The layer of the invented county. */
export const layerId = "us-tx-layer";
const county = "48453";

/** The registered source of the layer, as answers name it. */
export const layer = {
  id: layerId,
  name: "County layer",
  publisher: "Invented county",
  licence: "CC0-1.0",
  owners: {published: true, order: "last_first"},
} as const;

/** A discovery in the layer, as the cadastre client makes it from a reply. */
export function discoveryOf(parcel: Omit<InventedParcel, "county">, vintage = "2026-11-01"): Discovery {
  const [columns = {}] = inventedRows("TX", [{county, ...parcel}]);
  const values = Object.entries(columns).filter(([, value]) => value !== null && value !== undefined);
  const upsert: Omit<DeltaUpsert, "seq" | "observedAt"> = {
    kind: "upsert",
    v: 1,
    key: {state: "TX", county, parcelId: String(columns["parcel_id_tok"])},
    country: "US",
    parcelUid: String(columns["parcel_uid"]),
    row: Object.fromEntries(values),
    provenance: {
      sourceId: layerId,
      vintage,
      vintageBasis: "row_date",
      retrievedAt: "2026-11-20T10:00:00.000Z",
      authority: "county",
    },
    proposedMap: false,
    sourceId: layerId,
    vintage,
    query: "parcel_id",
  };
  return {upsert, source: {sourceId: layerId, entryDigest: "0", countyKey: county}};
}

/** A county that returns parcels by the `tok` form of their number, counts its answers, and can be switched off. */
export type FakeCounty = {
  up: boolean;
  asked: number;
  readonly parcels: {get(tok: string): Discovery | undefined};
};

/** A client that queries the fake county by parcel number and stores discoveries, with the real client's interface. */
export function fakeCadastre(fake: FakeCounty, discoveries: DiscoveryStore): Cadastre {
  return {
    hasRoom: () => true,
    async ask(question) {
      if (question.kind !== "parcel_id") return {status: "unsupported"};
      if (!fake.up) return {status: "unavailable"};
      fake.asked += 1;
      const found = question.readings.flatMap(({spellings}) => fake.parcels.get(spellings.tok) ?? [])[0];
      if (found === undefined) return {status: "empty"};
      const parcels = createMemoryParcels({state: "TX", origin: "cadastre"});
      const {
        columns,
        provenance: originOf,
        observedAt,
      } = foundParcel({
        ...found.upsert,
        seq: 1,
        observedAt: new Date().toISOString(),
      });
      const [text] = await records.make([columns]);
      const context = {originOf, observedAt, asOf: "2026-11-21", sources: () => undefined};
      parcels.add({columns, record: foundRecord(recordBytes(text!), context)});
      return {status: "found", set: parcels.set, keep: () => discoveries.append(found)};
    },
  };
}
