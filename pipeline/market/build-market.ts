import {mkdir, rm} from "node:fs/promises";
import {basename} from "node:path";
import {ConfigError} from "../../lib/errors.ts";
import {asOfDate, build_facts} from "../../lib/models/build-facts.ts";
import type {AnyModel} from "../../lib/models/model.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {type Database, onOneThread, openDatabase} from "../../lib/sql/duckdb.ts";
import {SqlError} from "../../lib/sql/sql-error.ts";
import {sqlPath} from "../../lib/sql/sql-path.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {marketFiles} from "../../schemas/market-files.ts";
import type {MadeModel} from "../../schemas/model-report.ts";
import type {MarketStageResult} from "../../schemas/part-file.ts";
import type {ReferencePage} from "../../schemas/reference-page.ts";
import type {Venue} from "../../schemas/vocabulary/venue.ts";
import {faultOfFile, isSystemFault} from "../raw/document-reader.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {licenceLine} from "../tables/footer.ts";
import {sale_cells} from "./answers/aggregates.ts";
import {derived_measures} from "./answers/derived-measures.ts";
import {answerModels, makeAnswers} from "./answers/make-answers.ts";
import {cell_rows} from "./answers/price-cells.ts";
import {history_areas, history_weeks, price_history} from "./answers/price-history.ts";
import {current_issues, sold_issues, state_weeks} from "./answers/sold-issues.ts";
import {gatherVenues, withUnregisteredVenues} from "./answers/venue-places.ts";
import {mergeListings} from "./context/merge-listings.ts";
import {quarantine} from "./context/quarantine.ts";
import {readSignals} from "./context/read-signals.ts";
import {
  contributingSources,
  context as signalContext,
  signals as signalModels,
} from "./context/signal-context.ts";
import {feedOf, feeds} from "./feeds/feeds.ts";
import {zips} from "./feeds/zips.ts";
import {servingModels, writeServingFiles} from "./files/serving.ts";
import {writeAnswerFiles, writeSignalFiles, writeTableFiles, writtenTables} from "./files/write-tables.ts";
import {readShrunkIssues} from "./normalise/issue-versions.ts";
import {normalisedModels, readMarket} from "./read-market.ts";
import {coded_issues, coded_words} from "./records/coded-rows.ts";
import {loadMarketSources} from "./reference/market-sources.ts";
import {readVenueIds, withKeptIds} from "./reference/venue-ids.ts";
import {loadVenues} from "./reference/venues.ts";
import {futuresLicensed} from "./signals/signal-futures.ts";
import {signal_rejects, signalTables} from "./signals/signal-tables.ts";

export type MarketInput = {
  readonly files: readonly RawFile[];
  /** Folder laid out like a build (`lib/storage/build-layout.ts`); replaced if it exists. */
  readonly outDir: string;
  readonly asOf: string;
  /** Folder of the previous build, for change statuses; null makes every record new. */
  readonly previousDir: string | null;
  readonly sample: boolean;
  /** Digest over the inputs, for the footers of the files. */
  readonly inputsSha256?: string;
  /** DuckDB memory limit, in DuckDB's notation. */
  readonly memoryLimit?: string;
  readonly tempDir: string;
  /** True if the deployment may redistribute exchange settlements; else no futures value is published. */
  readonly futuresLicensed?: boolean;
  /** True if a much shorter issue may replace a longer one. */
  readonly acceptShrunk?: boolean;
  /** A DuckDB file to be made, with all models of the market; without it they are dropped when they are no longer needed. */
  readonly modelsFile?: string;
  /** Venue registry; `data/reference/venues.json` by default. */
  readonly venues?: readonly Venue[];
  /** Shipped pointers to reference pages; none by default. */
  readonly pages?: readonly ReferencePage[];
};

/**
 * What a market build reports: each input file in input order, the row count of each Parquet table, issue versions with a fifth
 * fewer rows or head than the version before, the sources that contributed an accepted row, and the models as they were made.
 */
export type MarketResult = Required<MarketStageResult>;

/**
 * Reads the market feeds and writes the market files of a build: Parquet for analysts, Arrow for serving. The same inputs give
 * the same bytes: no clock and no build id enters the files. A bad input file is named in its report; one that breaks the build
 * itself is found, reported as `failed` and skipped. Throws for a fault of ours or of the registry.
 */
export async function buildMarket(input: MarketInput): Promise<MarketResult> {
  const {made, failing} = await skipFailingFiles(
    input.files,
    (files) => buildOnce({...input, files}),
    mayBeOfFile,
  );
  const failed = new Map(
    [...failing].map(
      ([{path, feedOrEntryId}, thrown]) =>
        [path, fileWithoutRows(path, feedOrEntryId, "failed", faultOfFile(thrown, path))] as const,
    ),
  );
  const reports = new Map(made.files.map((report) => [report.path, report]));
  return {...made, files: input.files.flatMap(({path}) => reports.get(path) ?? failed.get(path) ?? [])};
}

/** False for a fault of the machine, of the registry or of our own SQL, which no input file causes. */
function mayBeOfFile(thrown: unknown): boolean {
  const isOurs = thrown instanceof ConfigError || (thrown instanceof SqlError && thrown.isOfStatement);
  return !isOurs && !isSystemFault(thrown);
}

/** The models that a market build makes for its files and for later steps; all others are made on the way to these. */
export const marketModels: readonly AnyModel[] = [
  ...normalisedModels,
  ...[build_facts, sold_issues, current_issues, cell_rows, sale_cells, state_weeks],
  ...answerModels,
  ...[price_history, history_weeks, history_areas, derived_measures],
  ...Object.values(signalModels),
  ...[signal_rejects, signalContext, quarantine, zips],
  ...[coded_words, coded_issues, ...Object.values(servingModels)],
];

async function buildOnce(input: MarketInput): Promise<MarketResult> {
  await rm(input.outDir, {recursive: true, force: true});
  await mkdir(input.outDir, {recursive: true});
  await mkdir(input.tempDir, {recursive: true});
  const {memoryLimit, tempDir: tempDirectory, modelsFile: path} = input;
  if (path !== undefined) await rm(path, {force: true});
  using db = await openDatabase({
    tempDirectory,
    ...(memoryLimit === undefined ? {} : {memoryLimit}),
    ...(path === undefined ? {} : {path}),
  });
  return await build(db, input);
}

async function build(db: Database, input: MarketInput): Promise<MarketResult> {
  const {files, outDir, asOf, sample, tempDir, previousDir} = input;
  const registry = loadMarketSources();
  const run = new ModelRun(db, {outputs: marketModels, keep: input.modelsFile !== undefined}).give(
    asOfDate,
    asOf,
  );
  const late = files.filter((file) => fetchedAfter(file, asOf));
  const knownFiles = files.filter((file) => !fetchedAfter(file, asOf));
  const areas = knownFiles.filter(({feedOrEntryId}) => feedOf(feedOrEntryId, "geography"));
  const signalFiles = knownFiles.filter(
    ({feedOrEntryId}) => feedOf(feedOrEntryId, "signals") ?? feedOf(feedOrEntryId, "lists"),
  );
  const priced = knownFiles.filter((file) => !areas.includes(file) && !signalFiles.includes(file));
  const signals = await readSignals(run, signalFiles, {asOf, tempDir, pages: input.pages ?? []});
  const keptIds = await readVenueIds(db, previousDir);
  const {venues: registered, contradictions: listed} = mergeListings(
    withKeptIds(input.venues ?? loadVenues(), keptIds),
    signals.lists,
  );
  const reports = [
    ...late.map((file) => notYetFetched(file, asOf)),
    ...(await readMarket({
      run,
      files: priced,
      asOf,
      venues: registered,
      acceptShrunk: input.acceptShrunk ?? false,
    })),
    ...(await feeds.geo.read(run, areas)),
    ...signals.reports,
  ];
  const venues = await gatherVenues(db, registered, sample);
  const assumedAt = new Set(
    knownFiles.flatMap((file) => (file.retrievedAtFrom === "assumed" ? [file.retrievedAt] : [])),
  );
  const context = {asOf, sample, registry, assumedAt};
  run.give(futuresLicensed, input.futuresLicensed ?? false);
  await makeAnswers(run, {context, venues, listed, previousDir, lists: signals.lists, keptIds});
  await onOneThread(db, async () => {
    await run.make(
      price_history,
      quarantine,
      ...Object.values(signalModels),
      signalContext,
      derived_measures,
    );
  });
  const licence = licenceLine(registry.map(({id, terms}) => ({id, licence: terms})));
  const stamp = {part: MARKET, inputsSha256: input.inputsSha256 ?? null, asOf, sample, licence};
  await writeTableFiles(run, {outDir, stamp});
  await onOneThread(db, async () => {
    await writeAnswerFiles(db, {outDir, stamp});
    await writeSignalFiles(db, {outDir, stamp});
    await writeServingFiles(run, outDir);
  });
  const finalReports = await withUnregisteredVenues(db, reports, venues);
  const byPath = new Map(finalReports.map((report) => [report.path, report]));
  return {
    files: files.flatMap((file) => byPath.get(file.path) ?? []),
    rows: await rowCounts(run),
    shrunk: await readShrunkIssues(db),
    sources: await contributingSources(run),
    models: withoutPath(run.report(), previousDir),
  };
}

/** The models with the folder of the build before by its name alone, which is another on another machine. */
function withoutPath(models: readonly MadeModel[], dir: string | null): MadeModel[] {
  const path = dir === null ? null : sqlPath(dir).slice(1, -1);
  return models.map((model) => ({
    ...model,
    sql: path === null ? model.sql : (model.sql?.replaceAll(path, basename(dir!)) ?? null),
  }));
}

/** True for a file whose meta says that it was fetched after the as-of date: a build of that date could not have had it. */
function fetchedAfter({retrievedAtFrom, retrievedAt}: RawFile, asOf: string): boolean {
  return retrievedAtFrom === "meta" && retrievedAt.slice(0, 10) > asOf;
}

function notYetFetched({path, feedOrEntryId, retrievedAt}: RawFile, asOf: string): FileReport {
  return fileWithoutRows(
    path,
    feedOrEntryId,
    "left_out",
    `fetched ${retrievedAt}, after the as-of date ${asOf}`,
  );
}

/** The number of rows of each table that was written, by its place below `tables/`. */
async function rowCounts(run: ModelRun): Promise<Record<string, number>> {
  const byName = new Map(marketModels.map((one) => [one.name, one]));
  const tables = [...writtenTables, ...Object.keys(marketFiles)].map(
    (name) => [name, byName.get(name)!] as const,
  );
  const signals = signalTables.map((table) => [`signals/${table}`, signalModels[table]] as const);
  const counts: Record<string, number> = {};
  for (const [name, counted] of [...tables, ...signals]) counts[name] = await run.count(counted);
  return counts;
}

/**
 * Calls `make` with files. If it throws, bisects for the failing file and tries again without it; returns the result and the
 * skipped files with their errors. Rethrows an error for which `mayBeOfFile` is false, one that comes without any file too, and one that
 * no single file causes.
 */
export async function skipFailingFiles<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
  mayBeOfFile: (thrown: unknown) => boolean,
): Promise<{made: Made; failing: Map<File, unknown>}> {
  const failing = new Map<File, unknown>();
  for (;;) {
    const left = files.filter((file) => !failing.has(file));
    const outcome = await tried(left, make);
    if ("made" in outcome) return {made: outcome.made, failing};
    if (!mayBeOfFile(outcome.thrown) || "thrown" in (await tried([], make))) throw outcome.thrown;
    const failingOne = await failingFile(left, make);
    if (failingOne === null) throw outcome.thrown;
    failing.set(failingOne.file, failingOne.thrown);
  }
}

type Tried<Made> = {made: Made} | {thrown: unknown};

async function tried<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
): Promise<Tried<Made>> {
  try {
    return {made: await make(files)};
  } catch (thrown) {
    return {thrown};
  }
}

/** The file that fails on its own; null if neither half of a failing list fails. */
async function failingFile<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
): Promise<{file: File; thrown: unknown} | null> {
  const middle = Math.ceil(files.length / 2);
  for (const half of [files.slice(0, middle), files.slice(middle)]) {
    const [file] = half;
    const outcome = file === undefined ? {} : await tried(half, make);
    if (file === undefined || !("thrown" in outcome)) continue;
    return half.length === 1 ? {file, thrown: outcome.thrown} : failingFile(half, make);
  }
  return null;
}
