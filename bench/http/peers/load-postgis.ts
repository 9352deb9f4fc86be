import {spawnSync} from "node:child_process";
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync} from "node:fs";
import {dirname, join} from "node:path";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {childProcesses} from "../../../test/child-processes.ts";
import {peerColumns} from "./peer.ts";

const bin = "/usr/lib/postgresql/15/bin";
const types: Readonly<Record<string, string>> = {
  record: "json",
  provenance: "smallint",
  lon: "float8",
  lat: "float8",
};

/** A private PostgreSQL server on a socket in `folder`. */
export type Postgres = {
  readonly folder: string;
  /** Its processes: one per connection, and the shared ones. */
  processes(): readonly number[];
  stop(): void;
};

/**
 * Starts PostgreSQL + PostGIS with the rows and their four indexes (b-tree, two trigram, GiST over geography), loaded once and
 * kept in `folder`. Null if it is not installed.
 */
export async function startPostgis(rowsParquet: string, folder: string): Promise<Postgres | null> {
  const installed =
    existsSync(join(bin, "initdb")) && existsSync("/usr/share/postgresql/15/extension/postgis.control");
  if (!installed) return null;
  const isLoaded = existsSync(join(folder, "loaded"));
  if (!isLoaded) initialise(folder);
  // Every parent folder belongs to whoever runs the bench.
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    if (above.includes("cattle-bench")) chmodSync(above, 0o755);
  }
  const options = `-k ${folder} -c listen_addresses= -c shared_buffers=2GB -c maintenance_work_mem=2GB -c max_wal_size=16GB -c effective_cache_size=12GB -c random_page_cost=1.1`;
  asPostgres(`${bin}/pg_ctl -D ${folder} -o "${options}" -l ${folder}/log -w start >/dev/null`);
  const stop = () => {
    asPostgres(`${bin}/pg_ctl -D ${folder} -m fast -w stop >/dev/null`);
  };
  try {
    if (!isLoaded) await load(rowsParquet, folder);
    sql(folder, "CREATE EXTENSION IF NOT EXISTS pg_prewarm; SELECT pg_prewarm('parcels')");
  } catch (error) {
    stop();
    throw error;
  }
  return {folder, processes: () => processesIn(folder), stop};
}

function processesIn(folder: string): number[] {
  const main = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
  return [main, ...childProcesses(main)];
}

function initialise(folder: string): void {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  spawnSync("chown", ["postgres", folder]);
  asPostgres(`${bin}/initdb -D ${folder} -A trust >/dev/null`);
}

async function load(rowsParquet: string, folder: string): Promise<void> {
  const csv = `${rowsParquet}.csv`;
  const db = await openDatabase();
  await db.run(
    `COPY (SELECT ${peerColumns.join(", ")} FROM read_parquet(${sqlText(rowsParquet)})) TO ${sqlText(csv)} (FORMAT csv, HEADER false)`,
  );
  db.close();
  chmodSync(csv, 0o644);
  sql(folder, "CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm");
  sql(
    folder,
    `CREATE UNLOGGED TABLE parcels (${peerColumns.map((name) => `${name} ${types[name] ?? "text"}`).join(", ")})`,
  );
  sql(folder, `COPY parcels FROM '${csv}' CSV`);
  rmSync(csv);
  sql(
    folder,
    "ALTER TABLE parcels ADD COLUMN place geography(Point) GENERATED ALWAYS AS (ST_MakePoint(lon, lat)::geography) STORED",
  );
  sql(folder, "CREATE INDEX ON parcels (parcel_id)");
  sql(folder, "CREATE INDEX ON parcels USING gin (situs_raw gin_trgm_ops)");
  sql(folder, "CREATE INDEX ON parcels USING gin (owner_name gin_trgm_ops)");
  sql(folder, "CREATE INDEX ON parcels USING gist (place)");
  sql(folder, "VACUUM ANALYZE parcels");
  sql(folder, "CHECKPOINT");
  asPostgres(`touch ${folder}/loaded`);
}

function sql(folder: string, text: string): void {
  asPostgres(`psql -q -v ON_ERROR_STOP=1 -h ${folder} postgres -c ${JSON.stringify(text)} >/dev/null`);
}

function asPostgres(command: string): void {
  const run = spawnSync("runuser", ["-u", "postgres", "--", "sh", "-c", command], {encoding: "utf8"});
  if (run.status !== 0) throw new Error(`${command}: ${run.stderr}`);
}
