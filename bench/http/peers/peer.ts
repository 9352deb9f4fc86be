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

/** Ten rows of a search, and how many there are in all. */
export type Page = {readonly rows: readonly unknown[]; readonly total: number};

/** The rows that a peer looks up. */
export type Peer = {
  /** At most ten rows. */
  byId(id: string): Promise<unknown[]> | unknown[];
  /** At most ten rows; the first part of an address line, as it is printed. */
  byAddress(line: string): Promise<unknown[]> | unknown[];
  /** The nearest within the radius. */
  around(place: {lat: number; lon: number; miles: number}): Promise<Page> | Page;
  /** Names that hold every word: the name as it was asked first, then by county, number and id, as we order them. */
  byOwner(words: readonly string[]): Promise<Page> | Page;
};

/**
 * Express over a peer with the paths and parameters of our endpoints. It answers rows and the exact total of a search, and
 * nothing else: no key, no limits, no evidence, no normalisation, no misspelt words; whatever it leaves out is to its advantage.
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
    response.json(await peer.around(place));
  });
  app.get(`${path}/owner-search`, async ({query}, response) => {
    response.json(await peer.byOwner(String(query["owner"]).split(" ")));
  });
  return app;
}
