import {mkdir, readFile, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {MARKET, partOfPath, tablePath} from "../../../lib/storage/build-layout.ts";
import {buildFolder, dataFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {type BuildResult, build} from "../../../pipeline/publish/build.ts";
import {wholeBuild} from "../../raw-build.ts";

/** One build of a series: its folder of market files and its report on the raw files. */
export type WeeklyBuild = BuiltMarket & {result: BuildResult};

/** The folder of a build and its as-of date. */
export type BuiltMarket = {asOf: string; dir: string};

/** Writes a raw file with its meta file, below `<root>/raw/market/`. */
export async function putRaw(
  root: string,
  path: string,
  {content, retrievedAt}: {content: string | Buffer; retrievedAt: string},
): Promise<void> {
  const target = join(root, "raw", "market", path);
  await mkdir(dirname(target), {recursive: true});
  await writeFile(target, content);
  await writeFile(`${target}.meta.json`, JSON.stringify({retrieved_at: retrievedAt}));
}

/** Runs `cattle build --as-of` on the raw folder of a root, into a separate data folder, with the project's own stages. */
export async function buildOn(root: string, asOf: string, data = "data"): Promise<WeeklyBuild> {
  const rawDir = join(root, "raw");
  const folder = dataFolder(join(root, data));
  const result = await build(wholeBuild({rawDir, data: folder, asOf}));
  return {asOf, result, dir: buildFolder(folder, result.buildId)};
}

/** Digests of the market files of a build, as its manifest has them. */
export async function marketDigests({dir}: WeeklyBuild): Promise<Record<string, string>> {
  const manifest = await readManifest(dir);
  const there = (await filesBelow(dir)).filter((path) => partOfPath(path) === MARKET);
  const named = (manifest.market?.files ?? []).map(({path, sha256}) => [path, sha256] as const);
  if (named.length !== there.length) throw new Error(`${named.length} files named, ${there.length} there`);
  return Object.fromEntries(named);
}

/** A database for querying the Parquet files of several builds. */
export async function opened<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openDatabase();
  try {
    return await use(db);
  } finally {
    db.close();
  }
}

/** SQL of a table of a build. */
export function tableOf({dir}: BuiltMarket, table: string): string {
  return `read_parquet(${sqlText(join(dir, tablePath(table)))})`;
}

/** Records whose age is not the days from their last sale to the as-of date. */
export async function wrongAges(db: Database, now: WeeklyBuild): Promise<unknown[]> {
  const tables = ["county_prices", "state_prices", "latest_prices"];
  const parts = tables.map(
    (table) => `SELECT record_key, age_days FROM ${tableOf(now, table)}
    WHERE age_days IS DISTINCT FROM date_diff('day', last_sale_date, DATE ${sqlText(now.asOf)}) OR age_days < 0`,
  );
  return db.rows(parts.join(" UNION ALL "));
}

/** Text of a file of the corpus. */
export async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8");
}
