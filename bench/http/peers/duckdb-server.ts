import {openDatabase, sqlText} from "../../../lib/duckdb.ts";
import {announce} from "../child.ts";
import {peerApp, peerColumns} from "./peer.ts";

/** Express + DuckDB over the Parquet file: `duckdb-server.ts FILE`. */
const db = await openDatabase({memoryLimit: "4GB"});
const from = `SELECT ${peerColumns.join(", ")} FROM read_parquet(${sqlText(process.argv[2]!)})`;
const degreesPerMile = 1 / 69.09;

announce(
  peerApp({
    byId: (id) => db.rows(`${from} WHERE parcel_id = $id LIMIT 10`, {id}),
    byAddress: (line) => db.rows(`${from} WHERE starts_with(situs_raw, $line) LIMIT 10`, {line}),
    around({lat, lon, miles}) {
      const [high, narrow] = [miles * degreesPerMile, Math.cos((lat * Math.PI) / 180)];
      return db.rows(
        `${from} WHERE lat BETWEEN $lat - $high AND $lat + $high AND lon BETWEEN $lon - $wide AND $lon + $wide
        ORDER BY (lat - $lat) ** 2 + ((lon - $lon) * $narrow) ** 2 LIMIT 10`,
        {lat, lon, high, wide: high / narrow, narrow},
      );
    },
    byOwner: (words) =>
      db.rows(
        `${from} WHERE ${words.map((_, i) => `contains(owner_name, $word${i})`).join(" AND ")} LIMIT 10`,
        Object.fromEntries(words.map((word, i) => [`word${i}`, word])),
      ),
  }),
);
