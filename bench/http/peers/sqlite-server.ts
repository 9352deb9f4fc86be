import {DatabaseSync} from "node:sqlite";
import {type PeerRow, servePeer} from "./peer.ts";

/**
 * SQLite (R*Tree, FTS5): `sqlite-server.ts FILE`, then the arguments of `servePeer`. Statements are prepared once, pages are
 * memory-mapped.
 */
const db = new DatabaseSync(process.argv[2]!, {readOnly: true});
db.exec("PRAGMA mmap_size = 30000000000; PRAGMA cache_size = -400000");
const columns = "p.record, p.provenance, p.county_key AS countyKey";
const milesPerDegree = 69.09;
const byId = db.prepare(`SELECT ${columns} FROM parcels p WHERE p.parcel_id = ? LIMIT 10`);
const byAddress = db.prepare(
  `SELECT ${columns} FROM parcels p WHERE p.situs_raw >= ? AND p.situs_raw < ? LIMIT 10`,
);
const byOwner = db.prepare(
  `SELECT ${columns}, count(*) OVER () AS total FROM owners o JOIN parcels p ON p.rowid = o.rowid WHERE owners MATCH :words
  ORDER BY p.owner_name = :name DESC, p.county_key, p.parcel_id, p.parcel_uid LIMIT 10`,
);
const around = db.prepare(
  `SELECT ${columns}, count(*) OVER () AS total,
    ${milesPerDegree} * sqrt((p.lat - :lat) * (p.lat - :lat) + (p.lon - :lon) * (p.lon - :lon) * :squeeze) AS miles
  FROM places b JOIN parcels p ON p.rowid = b.id
  WHERE b.min_lon <= :east AND b.max_lon >= :west AND b.min_lat <= :north AND b.max_lat >= :south ORDER BY miles LIMIT 10`,
);

servePeer({
  byId: (id) => rowsOf(byId.all(id)),
  byAddress: (line) => rowsOf(byAddress.all(line, `${line}\u{10FFFF}`)),
  around({lat, lon, miles}) {
    const [high, narrow] = [miles / milesPerDegree, Math.cos((lat * Math.PI) / 180)];
    const wide = high / narrow;
    const box = {":west": lon - wide, ":east": lon + wide, ":south": lat - high, ":north": lat + high};
    return rowsOf(around.all({...box, ":lat": lat, ":lon": lon, ":squeeze": narrow * narrow}));
  },
  byOwner: (words) =>
    rowsOf(byOwner.all({":words": words.map((word) => `"${word}"`).join(" "), ":name": words.join(" ")})),
});

function rowsOf(rows: ReturnType<typeof byId.all>): PeerRow[] {
  return rows as PeerRow[];
}
