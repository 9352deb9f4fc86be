import {spawnSync} from "node:child_process";
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {parcelSourcesDir, readParcelSource} from "../lib/registry/parcel-sources.ts";
import {openDatabase, sqlText} from "../lib/sql/duckdb.ts";
import {buildState} from "../pipeline/parcels/build-state.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";
import {ParcelSource} from "../schemas/parcel-source.ts";
import {tenth} from "./figures.ts";
import {machineLine} from "./machine.ts";
import {type Place, writeRollCsv} from "./parcels/roll-csv.ts";

/**
 * From a county file to a complete state, on generated Texas rows, against the usual alternatives: ours (all files and keys, by
 * stage), PostgreSQL + PostGIS (load and the four corresponding indexes), DuckDB (the CSV as Parquet).
 *
 *   node bench/parcels-build.ts [rows]      default: 5,000,000 rows
 *
 * One run each, in sequence. A peer that is not installed is reported as not measured.
 */
const AS_OF = "2026-11-21";
/** All rows lie in Travis County, because points outside their county would stop the source. */
const county: Place = {fips: "48453", west: -98.1, south: 30.05, width: 0.6, height: 0.5};

const [first, second] = process.argv.slice(2);
if (first === "--ours") await ours(second!);
else await compare(Number(first ?? 5_000_000));

async function compare(rows: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "bench-parcels-"));
  chmodSync(root, 0o755);
  try {
    console.log(machineLine());
    const csv = await generate(root, rows);
    console.log(`${rows} generated rows, ${Math.round(statSync(csv).size / 1e6)} MB of CSV\n`);
    const duckdb = await seconds(() => rewrite(csv, join(root, "rewritten.parquet")));
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--ours", root], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (run.status !== 0) throw new Error("our build failed");
    const mine = JSON.parse(run.stdout) as {total: number; peakMb: number; stages: Stages};
    const postgis = postgisSeconds(root, csv);
    console.table({
      "ours: all files and keys": {
        seconds: mine.total.toFixed(1),
        "times DuckDB": (mine.total / duckdb).toFixed(1),
        "peak MB": mine.peakMb,
      },
      "PostgreSQL + PostGIS: load, 4 indexes": {
        seconds: postgis?.toFixed(1) ?? "not measured: not installed",
        "times DuckDB": postgis === null ? "" : (postgis / duckdb).toFixed(1),
      },
      "DuckDB: CSV to Parquet": {seconds: duckdb.toFixed(1), "times DuckDB": "1.0"},
    });
    console.log("\nours by stage");
    console.table(mine.stages);
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

async function seconds(run: () => Promise<void> | void): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

async function generate(root: string, rows: number): Promise<string> {
  const dir = join(root, "raw", "parcels", "us-tx-bench");
  mkdirSync(dir, {recursive: true});
  const path = join(dir, "parcels.csv");
  await writeRollCsv(path, {rows, state: "TX", firstZip: 76_000, places: [county]});
  return path;
}

async function rewrite(csv: string, to: string): Promise<void> {
  const db = await openDatabase();
  await db.run(
    `COPY (SELECT * FROM read_csv(${sqlText(csv)}, all_varchar = true)) TO ${sqlText(to)} (FORMAT parquet, COMPRESSION zstd)`,
  );
  db.close();
}

type Stages = Record<string, {seconds: number; "CPU seconds": number}>;

async function ours(root: string): Promise<void> {
  const texas = readParcelSource(join(parcelSourcesDir, "us-tx-stratmap.json"));
  const {crs: _crs, compression: _compression, ...rest} = texas;
  const entry = ParcelSource.parse({
    ...rest,
    id: "us-tx-bench",
    format: "csv",
    fields: {...texas.fields, lon: {from: "LON"}, lat: {from: "LAT"}},
    accept: {minRows: 0, maxRejectShare: 1, maxDropShare: 1, rows: []},
  });
  const stages: Stages = {};
  const started = performance.now();
  let before = {now: started, cpu: process.cpuUsage()};
  let stage = "start";
  const onStage = (next: string) => {
    const now = performance.now();
    const {user, system} = process.cpuUsage(before.cpu);
    const known = stages[stage] ?? {seconds: 0, "CPU seconds": 0};
    stages[stage] = {
      seconds: tenth(known.seconds + (now - before.now) / 1000),
      "CPU seconds": tenth(known["CPU seconds"] + (user + system) / 1e6),
    };
    stage = next;
    before = {now, cpu: process.cpuUsage()};
  };
  await buildState({
    state: "TX",
    country: "US",
    entries: [entry],
    files: await listRawFiles(join(root, "raw")),
    outDir: join(root, "out"),
    asOf: AS_OF,
    tempDir: join(root, "temp"),
    onStage,
  });
  onStage("end");
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0);
  console.log(
    JSON.stringify({total: (performance.now() - started) / 1000, peakMb: Math.round(peakKb / 1024), stages}),
  );
}

/** Seconds that PostgreSQL needs; null if it is not installed. The server is private to this bench and stopped here. */
function postgisSeconds(root: string, csv: string): number | null {
  const bin = "/usr/lib/postgresql/15/bin";
  if (!existsSync(join(bin, "initdb")) || !existsSync("/usr/share/postgresql/15/extension/postgis.control"))
    return null;
  const data = join(root, "postgres");
  mkdirSync(data);
  const asPostgres = (command: string) => {
    const run = spawnSync("runuser", ["-u", "postgres", "--", "sh", "-c", command], {encoding: "utf8"});
    if (run.status !== 0) throw new Error(`${command}: ${run.stderr}`);
    return run.stdout;
  };
  spawnSync("chown", ["postgres", data]);
  asPostgres(`${bin}/initdb -D ${data} -A trust >/dev/null`);
  const options = `-k ${data} -c listen_addresses= -c shared_buffers=1GB -c maintenance_work_mem=1GB -c max_wal_size=16GB`;
  asPostgres(`${bin}/pg_ctl -D ${data} -o "${options}" -w start >/dev/null`);
  try {
    const sql = (text: string) =>
      asPostgres(`psql -q -v ON_ERROR_STOP=1 -h ${data} postgres -c ${JSON.stringify(text)}`);
    sql("CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm");
    const started = performance.now();
    const header = spawnSync("head", ["-n", "1", csv], {encoding: "utf8"}).stdout.trim();
    const columns = header.split(",").map((name) => `${name.replaceAll('"', "").toLowerCase()} text`);
    // A logged table: what it acknowledges is on disk, as with what we publish.
    sql(`CREATE TABLE parcels (${columns.join(", ")})`);
    sql(`COPY parcels FROM '${csv}' CSV HEADER`);
    sql(
      "ALTER TABLE parcels ADD COLUMN geom geometry(Point, 4326) GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lon::float8, lat::float8), 4326)) STORED",
    );
    sql("CREATE INDEX ON parcels (prop_id)");
    sql("CREATE INDEX ON parcels USING gin (situs_addr gin_trgm_ops)");
    sql("CREATE INDEX ON parcels USING gin (owner_name gin_trgm_ops)");
    sql("CREATE INDEX ON parcels USING gist (geom)");
    sql("ANALYZE parcels");
    return (performance.now() - started) / 1000;
  } finally {
    asPostgres(`${bin}/pg_ctl -D ${data} -m immediate stop >/dev/null`);
  }
}
