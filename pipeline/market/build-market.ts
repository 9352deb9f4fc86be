import {mkdir} from "node:fs/promises";
import {type Database, openDatabase} from "../../lib/duckdb.ts";
import {loadMarketSources} from "../../lib/market-sources.ts";
import type {RawFile} from "../../lib/raw-files.ts";
import {loadVenues} from "../../lib/venues.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import {marketFiles} from "../../schemas/market-files.ts";
import type {Venue} from "../../schemas/venue.ts";
import {makeLastKnown} from "./answers/last-known.ts";
import {makeAnswers} from "./answers/make-answers.ts";
import {gatherVenues} from "./answers/venue-facts.ts";
import {fillAnswerTables} from "./files/answer-tables.ts";
import {writeAnswerFiles, writeTableFiles} from "./files/parquet.ts";
import {writeServingFiles} from "./files/serving.ts";
import {readZips} from "./geo/zips.ts";
import {readMarket} from "./read-market.ts";

export type BuildMarketInput = {
  readonly files: readonly RawFile[];
  /** Folder of the build's `market/`; made when absent. */
  readonly outDir: string;
  readonly asOf: string;
  /** `market/` of the build that change statuses compare with; null makes every record new. */
  readonly previousMarketDir: string | null;
  readonly sample: boolean;
  readonly tempDir: string;
  /** Registry of venues; that of `data/reference/venues.json` when absent. */
  readonly venues?: readonly Venue[];
};

export type MarketResult = {
  /** One per input file, in the order of the input. */
  readonly files: FileReport[];
  /** Rows of each Parquet table. */
  readonly rows: Record<string, number>;
  /** Sources that contributed an accepted row, with the newest date they state. */
  readonly sources: {id: string; sourceDate: string | null; retrievedAt: string | null}[];
};

/**
 * Reads the market feeds and writes `market/` of a build: Parquet for analysts, Arrow for serving. The same inputs give the
 * same bytes: nothing of the clock or the build id goes into the files. Throws for a fault of ours or of the registry; a bad
 * input file is told in its report.
 */
export async function buildMarket(input: BuildMarketInput): Promise<MarketResult> {
  await mkdir(input.outDir, {recursive: true});
  await mkdir(input.tempDir, {recursive: true});
  const db = await openDatabase({tempDirectory: input.tempDir});
  try {
    return await build(db, input);
  } finally {
    db.close();
  }
}

async function build(db: Database, input: BuildMarketInput): Promise<MarketResult> {
  const {files, outDir, asOf, sample, tempDir} = input;
  const registry = loadMarketSources();
  const registered = input.venues ?? loadVenues();
  const geo = files.filter((file) => file.unit === "geo");
  const priced = files.filter((file) => file.unit !== "geo");
  const reports = [
    ...(await readMarket({db, files: priced, asOf, venues: registered})),
    ...(await readZips(db, geo, asOf, tempDir)),
  ];
  const {facts, venues} = await gatherVenues(db, registered, sample);
  const context = {asOf, sample, registry};
  const answers = await makeAnswers(db, {context, venues, facts, previousMarketDir: input.previousMarketDir});
  await makeLastKnown(db);
  await fillAnswerTables(db, answers, {facts, registry, tempDir});
  await writeTableFiles(db, outDir);
  await writeAnswerFiles(db, outDir);
  await writeServingFiles(db, outDir);
  const byPath = new Map(reports.map((report) => [report.path, report]));
  return {
    files: files.flatMap((file) => byPath.get(file.path) ?? []),
    rows: await countRows(db),
    sources: await contributingSources(db),
  };
}

async function countRows(db: Database): Promise<Record<string, number>> {
  const tables = [
    "price_rows",
    "price_rows_superseded",
    "sale_events",
    "quarantine",
    ...Object.keys(marketFiles),
  ];
  const counts = tables.map((table) => `(SELECT count(*)::INTEGER FROM ${table}) AS ${table}`);
  const [row] = await db.rows<Record<string, number>>(`SELECT ${counts.join(", ")}`);
  return row ?? {};
}

async function contributingSources(db: Database): Promise<MarketResult["sources"]> {
  return db.rows(`
    SELECT source_id AS id, max(report_end_date) AS "sourceDate",
      strftime(max(ingested_at), '%Y-%m-%dT%H:%M:%SZ') AS "retrievedAt"
    FROM price_rows GROUP BY source_id ORDER BY source_id`);
}
