import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {announce} from "../child.ts";
import {type Page, peerApp, peerColumns} from "./peer.ts";

/** Express + DuckDB over the Parquet file: `duckdb-server.ts FILE`. */
const db = await openDatabase({memoryLimit: "4GB"});
const columns = peerColumns.join(", ");
const parcels = `read_parquet(${sqlText(process.argv[2]!)})`;
const from = `SELECT ${columns} FROM ${parcels}`;
const counted = `SELECT ${columns}, (count(*) OVER ())::INTEGER AS total FROM ${parcels}`;
const degreesPerMile = 1 / 69.09;

announce(
  peerApp({
    byId: (id) => db.rows(`${from} WHERE parcel_id = $id LIMIT 10`, {id}),
    byAddress: (line) => db.rows(`${from} WHERE starts_with(situs_raw, $line) LIMIT 10`, {line}),
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
  }),
);

async function pageOf(sql: string, values: Record<string, string | number>): Promise<Page> {
  const rows = await db.rows(sql, values);
  return {rows, total: Number(rows[0]?.["total"] ?? 0)};
}
