import {cpSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";

export const OLDER = "20200101-0a0b0c";
export const history = "tables/price_history.parquet";
export const historyRows = 600_000;

/** Adds a retained build beside a build of the sample, whose price history is a table of more than 24 MiB, which sockets do not hold. Returns its bytes. */
export async function writeOlderBuild({dir, builds}: {dir: string; builds: string}): Promise<Buffer> {
  const folder = join(builds, OLDER);
  cpSync(dir, folder, {recursive: true, dereference: true});
  const db = await openDatabase();
  const noise = Array.from({length: 6}, (_, at) => `hash(i + ${at * historyRows}) AS noise${at}`).join(", ");
  await db.run(
    `COPY (SELECT i AS week, ${noise} FROM range(${historyRows}) r(i)) TO '${join(folder, history)}' (COMPRESSION zstd)`,
  );
  db.close();
  const bytes = readFileSync(join(folder, history));
  const manifest = await readManifest(dir);
  const market = manifest.market!;
  const files = market.files.map((file) => (file.path === history ? {...file, size: bytes.length} : file));
  const older = {...manifest, build_id: OLDER, market: {...market, files}};
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(older));
  return bytes;
}
