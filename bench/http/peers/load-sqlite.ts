import {existsSync, renameSync, rmSync} from "node:fs";
import {DatabaseSync} from "node:sqlite";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {peerColumns} from "./peer.ts";

/** Makes an SQLite file of the rows, once: b-trees on numbers and addresses, an R*Tree of points, and FTS5 of owners. */
export async function loadSqlite(rowsParquet: string, file: string): Promise<void> {
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, {force: true});
  const db = new DatabaseSync(unfinished);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN");
  db.exec(`CREATE TABLE parcels (${peerColumns.join(", ")})`);
  await insertAll(db, rowsParquet);
  db.exec("CREATE INDEX by_id ON parcels (parcel_id); CREATE INDEX by_address ON parcels (situs_raw)");
  db.exec("CREATE VIRTUAL TABLE places USING rtree(id, min_lon, max_lon, min_lat, max_lat)");
  db.exec("INSERT INTO places SELECT rowid, lon, lon, lat, lat FROM parcels");
  db.exec("CREATE VIRTUAL TABLE owners USING fts5(owner_name, content = '', detail = none)");
  db.exec("INSERT INTO owners (rowid, owner_name) SELECT rowid, owner_name FROM parcels");
  db.exec("COMMIT; ANALYZE");
  db.close();
  renameSync(unfinished, file);
}

async function insertAll(db: DatabaseSync, rowsParquet: string): Promise<void> {
  const insert = db.prepare(`INSERT INTO parcels VALUES (${peerColumns.map(() => "?").join(", ")})`);
  const source = await openDatabase();
  const texts = peerColumns.map((name) =>
    ["lon", "lat"].includes(name) ? `${name}::DOUBLE AS ${name}` : name,
  );
  const rows = await source.connection.stream(
    `SELECT ${texts.join(", ")} FROM read_parquet(${sqlText(rowsParquet)})`,
  );
  for (
    let chunk = await rows.fetchChunk();
    chunk !== null && chunk.rowCount > 0;
    chunk = await rows.fetchChunk()
  ) {
    for (const row of chunk.getRows()) insert.run(...(row as (string | number | null)[]));
  }
  source.close();
}
