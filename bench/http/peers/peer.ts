import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import express, {type Express} from "express";

/** The columns of `rows.parquet`: what a peer searches, and the record as a JSON document, as a user would store it. */
export const peerColumns = [
  "parcel_uid",
  "parcel_id",
  "county_key",
  "situs_raw",
  "owner_name",
  "lon",
  "lat",
  "record",
  "provenance",
] as const;

/** A row of a peer: the record, parsed, and the number of its provenance. */
export type PeerRow = {readonly record: Readonly<Record<string, unknown>>; readonly provenance: number};

/** Ten rows of a search, and how many there are in all. */
export type Page = {readonly rows: readonly PeerRow[]; readonly total: number};

/** The rows that a peer looks up. */
export type Peer = {
  /** At most ten rows. */
  byId(id: string): Promise<PeerRow[]> | PeerRow[];
  /** At most ten rows; the first part of an address line, as it is printed. */
  byAddress(line: string): Promise<PeerRow[]> | PeerRow[];
  /** The nearest within the radius. */
  around(place: {lat: number; lon: number; miles: number}): Promise<Page> | Page;
  /** Names that hold every word: the name as it was asked first, then by county, number and id, as we order them. */
  byOwner(words: readonly string[]): Promise<Page> | Page;
};

/** Reads the record of a row that a database gives as text. */
export function peerRow({record, provenance}: {record: string; provenance: number | bigint}): PeerRow {
  return {record: JSON.parse(record) as PeerRow["record"], provenance: Number(provenance)};
}

/** The members of an answer beside its records: as many as ours, and the same for every question. */
const metadata = {
  coverage: [{state: "TX", county: "ARANSAS", countyKey: "48007", status: "planned"}],
  sources: [{id: "us-zz-invented", name: "Invented land parcels", licence: "CC0-1.0", vintage: "2025-08-01"}],
  lookup: {origin: "dataset", cadastreStatus: "not_asked"},
  limitations: [
    "Generated sample data: no real parcel, owner or value.",
    "Parcel data is public centroid and assessor-attribute context only; it is not survey, title, ownership, boundary, appurtenance or water-right evidence.",
    "Owner names are as last published by the source and may be out of date.",
    "The point is a representative point of the parcel, not a corner, an entrance or a surveyed position.",
    "Land use category is derived from a local code and may differ from the present use.",
  ],
  generatedAt: "2026-11-22T02:12:20.468Z",
  buildId: "20261121-000000",
};

const exact = {type: "exact", score: 1, notes: []};

/**
 * Express over a peer with the paths and parameters of our endpoints. It answers whole records with their provenance (kept in memory:
 * there are few), the exact total of a search and an envelope like ours, by `res.json`. It has no key, no limits, no metrics, no
 * normalisation and no misspelt words; whatever it leaves out is to its advantage. `rowsFile` is `rows.parquet`.
 */
export function peerApp(peer: Peer, rowsFile: string): Express {
  const app = express();
  const path = "/public/land-agent/property";
  const texts = JSON.parse(readFileSync(join(dirname(rowsFile), "provenance.json"), "utf8")) as unknown[];
  const propertyOf = ({record, provenance}: PeerRow) => ({
    ...record,
    provenance: texts[provenance],
    match: exact,
  });
  const one = ([row]: readonly PeerRow[], applied: unknown) => {
    const query = {applied, ignored: [], resolution: {}};
    return {property: row === undefined ? null : propertyOf(row), metadata: {query, ...metadata}};
  };
  const several = ({rows, total}: Page, applied: unknown) => {
    const page = {limit: 10, offset: 0, count: rows.length, total, nextOffset: total > 10 ? 10 : null};
    const query = {applied, ignored: [], resolution: {}};
    return {properties: rows.map(propertyOf), metadata: {...page, query, ...metadata}};
  };
  app.get(`${path}/parcel-id-lookup`, async ({query}, response) => {
    response.json(one(await peer.byId(String(query["parcelId"])), query));
  });
  app.get(`${path}/address-lookup`, async ({query}, response) => {
    response.json(one(await peer.byAddress(String(query["address"])), query));
  });
  app.get(`${path}/location-search`, async ({query}, response) => {
    const place = {
      lat: Number(query["latitude"]),
      lon: Number(query["longitude"]),
      miles: Number(query["radius"]),
    };
    response.json(several(await peer.around(place), query));
  });
  app.get(`${path}/owner-search`, async ({query}, response) => {
    response.json(several(await peer.byOwner(String(query["owner"]).split(" ")), query));
  });
  return app;
}
