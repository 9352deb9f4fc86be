import pg from "pg";
import {announce} from "../child.ts";
import {type Page, type PeerRow, peerApp} from "./peer.ts";

/** Express + PostgreSQL with PostGIS: `postgis-server.ts SOCKET_FOLDER ROWS`. Prepared statements over a pool of eight connections. */
const pool = new pg.Pool({host: process.argv[2]!, user: "postgres", database: "postgres", max: 8});
const columns = "record, provenance";
const metresPerMile = 1609.344;

type Found = PeerRow & {readonly total?: string};

/** The driver parses the column of type `json`. */
async function rowsOf(name: string, text: string, values: unknown[]): Promise<Found[]> {
  return (await pool.query<Found>({name, text, values})).rows;
}

/** Rows that each say how many there are. */
async function pageOf(name: string, text: string, values: unknown[]): Promise<Page> {
  const rows = await rowsOf(name, text, values);
  return {rows, total: Number(rows[0]?.total ?? 0)};
}

announce(
  peerApp(
    {
      byId: (id) => rowsOf("id", `SELECT ${columns} FROM parcels WHERE parcel_id = $1 LIMIT 10`, [id]),
      byAddress: (line) =>
        rowsOf("address", `SELECT ${columns} FROM parcels WHERE situs_raw ILIKE $1 LIMIT 10`, [`${line}%`]),
      around: ({lat, lon, miles}) =>
        pageOf(
          "around",
          `SELECT ${columns}, count(*) OVER () AS total FROM parcels
        WHERE ST_DWithin(place, ST_MakePoint($1::float8, $2::float8)::geography, $3::float8)
        ORDER BY place <-> ST_MakePoint($1::float8, $2::float8)::geography LIMIT 10`,
          [lon, lat, miles * metresPerMile],
        ),
      byOwner: (words) =>
        pageOf(
          `owner ${words.length}`,
          `SELECT ${columns}, count(*) OVER () AS total FROM parcels WHERE ${words.map((_, i) => `owner_name ILIKE $${i + 2}`).join(" AND ")}
        ORDER BY owner_name = $1 DESC, county_key, parcel_id, parcel_uid LIMIT 10`,
          [words.join(" "), ...words.map((word) => `%${word}%`)],
        ),
    },
    process.argv[3]!,
  ),
);
