import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {type Database, openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {marketServing, tablePath} from "../../../../lib/storage/build-layout.ts";
import {buildMarket, type MarketResult} from "../../../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../../../pipeline/raw/raw-files.ts";
import type {FileReport} from "../../../../schemas/build-report.ts";
import type {ReferencePage} from "../../../../schemas/reference-page.ts";
import type {Venue} from "../../../../schemas/vocabulary/venue.ts";

export type SignalBuild = {
  dir: string;
  outDir: string;
  /** Its files for serving. */
  serving: string;
  result: MarketResult;
  report(path: string): FileReport;
  table(name: string, columns?: string): Promise<Record<string, unknown>[]>;
  close(): void;
};

type Input = {
  /** Content by path below `market/`; objects are written as JSON. Each gets a meta file. */
  files: Readonly<Record<string, string | Buffer | object>>;
  asOf?: string;
  futuresLicensed?: boolean;
  venues?: readonly Venue[];
  previousDir?: string | null;
  pages?: readonly ReferencePage[];
};

/** Builds the market from invented raw files in a folder of its own; `close` removes it. */
export async function signalBuild({
  files,
  asOf = "2026-11-21",
  futuresLicensed = false,
  venues = [],
  previousDir = null,
  pages = [],
}: Input): Promise<SignalBuild> {
  const dir = mkdtempSync(join(tmpdir(), "signal-build-"));
  for (const [path, content] of Object.entries(files)) {
    const target = join(dir, "raw/market", path);
    mkdirSync(dirname(target), {recursive: true});
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    writeFileSync(target, isText ? content : JSON.stringify(content));
    if (!path.endsWith(".meta.json"))
      writeFileSync(`${target}.meta.json`, JSON.stringify({retrieved_at: `${asOf}T05:00:00Z`}));
  }
  const outDir = join(dir, "out");
  const result = await buildMarket({
    files: await listRawFiles(join(dir, "raw")),
    outDir,
    asOf,
    previousDir,
    sample: false,
    tempDir: join(dir, "temp"),
    venues,
    pages,
    futuresLicensed,
  });
  const db: Database = await openDatabase();
  return {
    dir,
    outDir,
    serving: join(outDir, marketServing),
    result,
    report: (path) => result.files.find((report) => report.path === `market/${path}`)!,
    table: (name, columns = "*") =>
      db.rows(`SELECT ${columns} FROM read_parquet(${sqlText(join(outDir, tablePath(name)))})`),
    close() {
      db.close();
      rmSync(dir, {recursive: true, force: true});
    },
  };
}
