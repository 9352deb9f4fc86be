import {DatabaseSync} from "node:sqlite";
import {announce} from "../child.ts";
import {type Page, type PeerRow, peerApp, peerRow} from "./peer.ts";

/** Express + SQLite (R*Tree, FTS5): `sqlite-server.ts FILE ROWS`. Statements are prepared once, pages are mapped. */
const db = new DatabaseSync(process.argv[2]!, {readOnly: true});
db.exec("PRAGMA mmap_size = 30000000000; PRAGMA cache_size = -400000");
const columns = "p.record, p.provenance";
const degreesPerMile = 1 / 69.09;
const byId = db.prepare(`SELECT ${columns} FROM parcels p WHERE p.parcel_id = ? LIMIT 10`);
const byAddress = db.prepare(
  `SELECT ${columns} FROM parcels p WHERE p.situs_raw >= ? AND p.situs_raw < ? LIMIT 10`,
);
const byOwner = db.prepare(
  `SELECT ${columns}, count(*) OVER () AS total FROM owners o JOIN parcels p ON p.rowid = o.rowid WHERE owners MATCH :words
  ORDER BY p.owner_name = :name DESC, p.county_key, p.parcel_id, p.parcel_uid LIMIT 10`,
);
const around = db.prepare(
  `SELECT ${columns}, count(*) OVER () AS total FROM places b JOIN parcels p ON p.rowid = b.id
  WHERE b.min_lon <= :east AND b.max_lon >= :west AND b.min_lat <= :north AND b.max_lat >= :south
  ORDER BY (p.lat - :lat) * (p.lat - :lat) + (p.lon - :lon) * (p.lon - :lon) * :squeeze LIMIT 10`,
);

announce(
  peerApp(
    {
      byId: (id) => rowsOf(byId.all(id)),
      byAddress: (line) => rowsOf(byAddress.all(line, `${line}\u{10FFFF}`)),
      around({lat, lon, miles}) {
        const [high, narrow] = [miles * degreesPerMile, Math.cos((lat * Math.PI) / 180)];
        const wide = high / narrow;
        const box = {":west": lon - wide, ":east": lon + wide, ":south": lat - high, ":north": lat + high};
        return pageOf(around.all({...box, ":lat": lat, ":lon": lon, ":squeeze": narrow * narrow}));
      },
      byOwner: (words) =>
        pageOf(byOwner.all({":words": words.map((word) => `"${word}"`).join(" "), ":name": words.join(" ")})),
    },
    process.argv[3]!,
  ),
);

type Found = ReturnType<typeof byOwner.all>;

function rowsOf(rows: Found): PeerRow[] {
  return rows.map((row) => peerRow(row as {record: string; provenance: number}));
}

function pageOf(rows: Found): Page {
  return {rows: rowsOf(rows), total: Number(rows[0]?.["total"] ?? 0)};
}
