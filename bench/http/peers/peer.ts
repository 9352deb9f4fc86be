import express, {type Express} from "express";

/** The columns of `rows.parquet` that a peer answers with. */
export const peerColumns = [
  "parcel_uid",
  "parcel_id",
  "county_key",
  "county_name",
  "situs_raw",
  "city",
  "zip",
  "owner_name",
  "acres",
  "market_value",
  "market_year",
  "land_use_category",
  "lon",
  "lat",
] as const;

/** What a peer looks up; each gives at most ten rows. */
export type Peer = {
  byId(id: string): Promise<unknown[]> | unknown[];
  /** The first part of an address line, as it is printed. */
  byAddress(line: string): Promise<unknown[]> | unknown[];
  around(place: {lat: number; lon: number; miles: number}): Promise<unknown[]> | unknown[];
  /** Names that hold every word. */
  byOwner(words: readonly string[]): Promise<unknown[]> | unknown[];
};

/**
 * Express over a peer with the paths and parameters of our endpoints. It answers rows and nothing else: no exact total, no key, no
 * limits, no evidence, no normalisation; whatever it leaves out is to its advantage.
 */
export function peerApp(peer: Peer): Express {
  const app = express();
  const path = "/public/land-agent/property";
  app.get(`${path}/parcel-id-lookup`, async ({query}, response) => {
    response.json({rows: await peer.byId(String(query["parcelId"]))});
  });
  app.get(`${path}/address-lookup`, async ({query}, response) => {
    response.json({rows: await peer.byAddress(String(query["address"]))});
  });
  app.get(`${path}/location-search`, async ({query}, response) => {
    const place = {
      lat: Number(query["latitude"]),
      lon: Number(query["longitude"]),
      miles: Number(query["radius"]),
    };
    response.json({rows: await peer.around(place)});
  });
  app.get(`${path}/owner-search`, async ({query}, response) => {
    response.json({rows: await peer.byOwner(String(query["owner"]).split(" "))});
  });
  return app;
}
