import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {type PeerRow, servePeer} from "./peer.ts";

/** DuckDB over the Parquet file: `duckdb-server.ts FILE`, then the arguments of `servePeer`. */
const db = await openDatabase({memoryLimit: "4GB"});
const columns = 'record, provenance, county_key AS "countyKey"';
const parcels = `read_parquet(${sqlText(process.argv[2]!)})`;
const from = `SELECT ${columns} FROM ${parcels}`;
const counted = `SELECT ${columns}, count(*) OVER () AS total`;
const milesPerDegree = 69.09;

servePeer({
  byId: (id) => rowsOf(`${from} WHERE parcel_id = $id LIMIT 10`, {id}),
  byAddress: (line) => rowsOf(`${from} WHERE starts_with(situs_raw, $line) LIMIT 10`, {line}),
  around({lat, lon, miles}) {
    const [high, narrow] = [miles / milesPerDegree, Math.cos((lat * Math.PI) / 180)];
    return rowsOf(
      `${counted}, ${milesPerDegree} * sqrt((lat - $lat) ** 2 + ((lon - $lon) * $narrow) ** 2) AS miles FROM ${parcels}
       WHERE lat BETWEEN $lat - $high AND $lat + $high AND lon BETWEEN $lon - $wide AND $lon + $wide ORDER BY miles LIMIT 10`,
      {lat, lon, high, wide: high / narrow, narrow},
    );
  },
  byOwner: (words) =>
    rowsOf(
      `${counted} FROM ${parcels} WHERE ${words.map((_, i) => `contains(owner_name, $word${i})`).join(" AND ")}
       ORDER BY owner_name = $name DESC, county_key, parcel_id, parcel_uid LIMIT 10`,
      {name: words.join(" "), ...Object.fromEntries(words.map((word, i) => [`word${i}`, word]))},
    ),
});

function rowsOf(sql: string, values: Record<string, string | number>): Promise<PeerRow[]> {
  return db.rows<PeerRow>(sql, values);
}
