import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {announce} from "../child.ts";
import {type Page, type PeerRow, peerApp, peerRow} from "./peer.ts";

/** Express + DuckDB over the Parquet file: `duckdb-server.ts FILE`. */
const db = await openDatabase({memoryLimit: "4GB"});
const columns = "record, provenance";
const parcels = `read_parquet(${sqlText(process.argv[2]!)})`;
const from = `SELECT ${columns} FROM ${parcels}`;
const counted = `SELECT ${columns}, (count(*) OVER ())::INTEGER AS total FROM ${parcels}`;
const degreesPerMile = 1 / 69.09;

announce(
  peerApp(
    {
      byId: (id) => rowsOf(`${from} WHERE parcel_id = $id LIMIT 10`, {id}),
      byAddress: (line) => rowsOf(`${from} WHERE starts_with(situs_raw, $line) LIMIT 10`, {line}),
      around({lat, lon, miles}) {
        const [high, narrow] = [miles * degreesPerMile, Math.cos((lat * Math.PI) / 180)];
        return pageOf(
          `${counted} WHERE lat BETWEEN $lat - $high AND $lat + $high AND lon BETWEEN $lon - $wide AND $lon + $wide
        ORDER BY (lat - $lat) ** 2 + ((lon - $lon) * $narrow) ** 2 LIMIT 10`,
          {lat, lon, high, wide: high / narrow, narrow},
        );
      },
      byOwner: (words) =>
        pageOf(
          `${counted} WHERE ${words.map((_, i) => `contains(owner_name, $word${i})`).join(" AND ")}
        ORDER BY owner_name = $name DESC, county_key, parcel_id, parcel_uid LIMIT 10`,
          {name: words.join(" "), ...Object.fromEntries(words.map((word, i) => [`word${i}`, word]))},
        ),
    },
    process.argv[2]!,
  ),
);

async function rowsOf(sql: string, values: Record<string, string>): Promise<PeerRow[]> {
  return (await db.rows<{record: string; provenance: number}>(sql, values)).map(peerRow);
}

async function pageOf(sql: string, values: Record<string, string | number>): Promise<Page> {
  const rows = await db.rows<{record: string; provenance: number; total: number}>(sql, values);
  return {rows: rows.map(peerRow), total: Number(rows[0]?.total ?? 0)};
}
