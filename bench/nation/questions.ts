import {join} from "node:path";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import type {Served} from "./server.ts";

/** A kind of question with its questions: request paths, and the state of the parcel meant. */
export type Kind = {readonly name: string; readonly asked: readonly {state: string; path: string}[]};

const base = "/public/land-agent/property";

type Row = {state: string; id: string; address: string; owner: string; lat: number; lon: number};

/** Makes questions of each kind about rows spread over all states, with and without the state. */
export async function questions(tables: string, ofState: number): Promise<Kind[]> {
  const db = await openDatabase();
  const files = sqlText(join(tables, "parcels", "*", "parcels.parquet"));
  const rows =
    await db.rows<Row>(`SELECT state, parcel_id AS id, situs_raw AS address, split_part(owner_name, ' &', 1) AS owner, lat, lon
    FROM read_parquet(${files}, hive_partitioning = true) WHERE lat IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY state ORDER BY hash(parcel_id)) <= ${Math.ceil(ofState)} ORDER BY hash(parcel_id)`);
  db.close();
  const kind = (name: string, path: string, values: (row: Row) => Record<string, string | number>): Kind => ({
    name,
    asked: rows.map((row) => {
      const words = Object.entries(values(row)).map(([key, value]): [string, string] => [key, String(value)]);
      return {state: row.state, path: `${base}/${path}?${new URLSearchParams(words)}`};
    }),
  });
  return [
    kind("parcel number with its state", "parcel-id-lookup", ({id, state}) => ({parcelId: id, state})),
    kind("parcel number without", "parcel-id-lookup", ({id}) => ({parcelId: id})),
    kind("address with its state", "address-lookup", ({address, state}) => ({address, state})),
    kind("address without", "address-lookup", ({address}) => ({address})),
    kind("owner with a state", "owner-search", ({owner, state}) => ({owner, state})),
    kind("owner without", "owner-search", ({owner}) => ({owner})),
    kind("location, 1 mile", "location-search", ({lat, lon}) => ({latitude: lat, longitude: lon, radius: 1})),
  ];
}

/** Asks the questions in sequence; returns the milliseconds of each, sorted. */
export async function timesOf(served: Served, asked: Kind["asked"]): Promise<number[]> {
  const times: number[] = [];
  for (const {path} of asked) times.push(await served.ask(path));
  return times.sort((a, b) => a - b);
}
