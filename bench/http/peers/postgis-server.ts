import pg from "pg";
import {type PeerRow, servePeer} from "./peer.ts";

/**
 * PostgreSQL with PostGIS: `postgis-server.ts SOCKET_FOLDER`, then the arguments of `servePeer`. Prepared statements over a
 * pool of eight connections.
 */
const pool = new pg.Pool({host: process.argv[2]!, user: "postgres", database: "postgres", max: 8});
const columns = 'record::text AS record, provenance, county_key AS "countyKey"';
const metresPerMile = 1609.344;

async function rowsOf(name: string, text: string, values: unknown[]): Promise<PeerRow[]> {
  return (await pool.query<PeerRow>({name, text, values})).rows;
}

servePeer({
  byId: (id) => rowsOf("id", `SELECT ${columns} FROM parcels WHERE parcel_id = $1 LIMIT 10`, [id]),
  byAddress: (line) =>
    rowsOf("address", `SELECT ${columns} FROM parcels WHERE situs_raw ILIKE $1 LIMIT 10`, [`${line}%`]),
  around: ({lat, lon, miles}) =>
    rowsOf(
      "around",
      `SELECT ${columns}, count(*) OVER () AS total, (place <-> ST_MakePoint($1::float8, $2::float8)::geography) / ${metresPerMile} AS miles
       FROM parcels WHERE ST_DWithin(place, ST_MakePoint($1::float8, $2::float8)::geography, $3::float8)
       ORDER BY place <-> ST_MakePoint($1::float8, $2::float8)::geography LIMIT 10`,
      [lon, lat, miles * metresPerMile],
    ),
  byOwner: (words) =>
    rowsOf(
      `owner ${words.length}`,
      `SELECT ${columns}, count(*) OVER () AS total FROM parcels WHERE ${words.map((_, i) => `owner_name ILIKE $${i + 2}`).join(" AND ")}
       ORDER BY owner_name = $1 DESC, county_key, parcel_id, parcel_uid LIMIT 10`,
      [words.join(" "), ...words.map((word) => `%${word}%`)],
    ),
});
