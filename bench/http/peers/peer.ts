import {join} from "node:path";
import {mapFile, openArrowTable} from "@open-cattle/mapped-index";
import express, {type Express} from "express";
import {provenanceReader} from "../../../lib/parcels/record/provenance-file.ts";
import {benchGeneration, openBenchState} from "../../parcels/state.ts";
import {benchedApp} from "../benched-app.ts";
import {announce} from "../child.ts";
import {peerEndpoints} from "./peer-endpoints.ts";

/** Columns of `rows.parquet`: search keys, and the record as a JSON document, as a user would store it. */
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

/** A row of a peer: its record as a JSON document, its provenance number, and its distance if a place was given. */
export type PeerRow = {
  readonly record: string;
  readonly provenance: number;
  readonly countyKey: string;
  readonly miles?: number;
  /** Total hits of the search over all pages. */
  readonly total?: number | bigint | string;
};

type Found<T> = Promise<readonly T[]> | readonly T[];

/** Lookups of a peer: at most ten rows, with `total` for a search. */
export type Peer = {
  byId(id: string): Found<PeerRow>;
  /** The street part of an address line, as printed. */
  byAddress(line: string): Found<PeerRow>;
  /** The nearest rows within the radius, with `miles`. */
  around(place: {lat: number; lon: number; miles: number}): Found<PeerRow>;
  /** Names that contain every word: the exact name first, then by county, number and id, as we sort them. */
  byOwner(words: readonly string[]): Found<PeerRow>;
};

/**
 * Serves a peer as the last arguments say: `FOLDER ROWS app` inside our application over the state in the folder, `FOLDER ROWS
 * bare` in plain Express.
 */
export function servePeer(peer: Peer): void {
  const [folder, rows, way] = process.argv.slice(-3) as [string, string, "app" | "bare"];
  const path = join(folder, "provenance.arrow");
  const provenanceOf = provenanceReader(openArrowTable(mapFile(path).buffer, path), path);
  const generation = benchGeneration(openBenchState(folder, Number(rows)));
  announce(
    way === "app"
      ? benchedApp(peerEndpoints(peer, provenanceOf), generation)
      : bareApp(peer, (number) => JSON.parse(provenanceOf(number).json.toString())),
  );
}

/** Members of an answer beside its records: as many as ours, and constant. */
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
 * Plain Express over a peer, with the paths and parameters of our endpoints. It answers whole records with their provenance
 * (few, so kept in memory), the exact total of a search and an envelope like ours, with `res.json`. It has no key, limits,
 * metrics, normalisation or misspelt words: every omission favours the peer.
 */
function bareApp(peer: Peer, readProvenance: (number: number) => unknown): Express {
  const app = express();
  const path = "/public/land-agent/property";
  const provenances: unknown[] = [];
  const propertyOf = ({record, provenance}: PeerRow) => {
    provenances[provenance] ??= readProvenance(provenance);
    return {...JSON.parse(record), provenance: provenances[provenance], match: exact};
  };
  const one = ([row]: readonly PeerRow[], applied: unknown) => {
    const query = {applied, ignored: [], resolution: {}};
    return {property: row === undefined ? null : propertyOf(row), metadata: {query, ...metadata}};
  };
  const several = (rows: readonly PeerRow[], applied: unknown) => {
    const total = Number(rows[0]?.total ?? 0);
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
