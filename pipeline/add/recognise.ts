import {readFile} from "node:fs/promises";
import {basename} from "node:path";
import {countWords} from "../../lib/counts.ts";
import {UserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {type FeedName, marketFeeds} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {readSignals} from "../market/context/read-signals.ts";
import {decodedText} from "../market/documents/content-kind.ts";
import {feedEntries, feeds, feedsOfKind} from "../market/feeds/feeds.ts";
import {asOfDate} from "../market/models/build-facts.ts";
import {ModelRun} from "../market/models/model-run.ts";
import {readFiles} from "../market/read-files.ts";
import {openList} from "../market/signals/lists/open-list.ts";
import {createMarketTables} from "../market/staging/market-tables.ts";
import {createStaging} from "../market/staging/stage-tables.ts";
import {openRawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {entriesOf} from "./recognise-entry.ts";

/** The result of a feed's reader on a file: rows accepted, rows rejected, and how it recognised them. */
type FeedReading = {
  readonly feed: FeedName;
  readonly accepted: number;
  readonly rejected: number;
  /** True if a specific map of `data/sources/lists/` matched, rather than a general one. */
  readonly isMapped: boolean;
};

/** The feeds that a file may belong to. */
type FeedsOf = {
  /** By its format alone. */
  readonly shaped: FeedName | null;
  /** As a table of names. */
  readonly tables: readonly FeedName[];
  /** By a known format in which every row is bad, such as alerts without times. */
  readonly poor: FeedName | null;
};

/** The folder of a raw file: a market feed, or a parcel entry. */
export type RawFolder = {readonly kind: "market" | "parcels"; readonly feedOrEntryId: string};

/** The folder determined from a file's content; several if a person must choose; none, with the reason. */
export type Recognised =
  | {readonly folder: RawFolder}
  | {readonly choices: readonly RawFolder[]; readonly reason: string};

/** Larger files are only tried as parcels: no market feed has files this large, and market readers hold the whole file. */
const largestMarketFile = 256 * 2 ** 20;

/**
 * Determines a file's folder by trying the readers of all feeds and entries on its content. Its name counts only where it tells the state
 * of a licence list. Changes nothing. Throws for a broken disk.
 */
export async function recognise(
  file: RawFile,
  {registry, tempDir}: {registry: readonly ParcelSource[]; tempDir: string},
): Promise<Recognised> {
  const none = {shaped: null, poor: null, tables: []};
  const feeds = file.sizeBytes > largestMarketFile ? none : await feedsOf(file, tempDir);
  if (feeds.shaped !== null) return {folder: market(feeds.shaped)};
  const parcels = await entriesOf(file, registry, tempDir);
  const [entry, ...others] = parcels.entries.map((id): RawFolder => ({kind: "parcels", feedOrEntryId: id}));
  if (entry !== undefined && others.length === 0) return {folder: entry};
  if (entry !== undefined)
    return {choices: [entry, ...others], reason: "several entries read its columns equally well"};
  const [table, ...more] = feeds.tables;
  if (table !== undefined && more.length === 0) return {folder: market(table)};
  if (table !== undefined)
    return {choices: feeds.tables.map(market), reason: "a table of names that fits several feeds"};
  if (feeds.poor !== null) return {folder: market(feeds.poor)};
  return {choices: [], reason: reasonOf(parcels.rows, parcels.fault)};
}

function market(feed: FeedName): RawFolder {
  return {kind: "market", feedOrEntryId: feed};
}

function reasonOf(rows: number, fault: string | null): string {
  if (rows > 1)
    return `a table of ${countWords(rows)} rows that no feed and no entry knows; if it has parcels, "cattle sources check" proposes an entry`;
  return fault ?? "no reader of a feed or of a parcel file takes a row of it";
}

/** Lists the feeds for messages and help, one per line. */
export function feedLines(): string {
  return Object.entries(marketFeeds)
    .map(([feed, about]) => `  ${feed.padEnd(11)} ${about}`)
    .join("\n");
}

/**
 * Returns the feeds that a file may belong to, by trying their readers; none if no reader accepts a row. The file is not changed. Throws
 * for a broken disk.
 */
export async function feedsOf(file: RawFile, tempDir: string): Promise<FeedsOf> {
  const text = await beginning(file);
  const readings = [...(await signalReadings(file, tempDir)), ...(await marketReadings(file, tempDir, text))];
  return {
    shaped: shapedFeed(readings, text),
    tables: tableFeeds(readings, (await listWords(file, tempDir)) ?? text),
    poor: poorFeed(readings),
  };
}

function shapedFeed(readings: readonly FeedReading[], text: string): FeedName | null {
  const good = goodFeeds(readings, {anyTable: false});
  return (good.find(({sign}) => sign?.test(text)) ?? good[0])?.name ?? null;
}

function poorFeed(readings: readonly FeedReading[]): FeedName | null {
  const [only, ...others] = feedEntries.filter(
    ([name, {takesAnyTable}]) => !takesAnyTable && readings.some(({feed}) => feed === name),
  );
  return others.length === 0 ? (only?.[0] ?? null) : null;
}

function tableFeeds(readings: readonly FeedReading[], text: string): FeedName[] {
  const good = goodFeeds(readings, {anyTable: true});
  const mapped = good.filter(({name}) => readings.some(({feed, isMapped}) => feed === name && isMapped));
  const signed = good.filter(({sign}) => sign?.test(text.replaceAll("_", " ")));
  const [best = good] = [mapped, signed].filter(({length}) => length === 1);
  return best.map(({name}) => name);
}

/** Feeds whose readers accepted at least as many rows of a file as they rejected, most specific first. */
function goodFeeds(readings: readonly FeedReading[], {anyTable}: {anyTable: boolean}) {
  return feedEntries
    .filter(([name, {takesAnyTable = false}]) => {
      const good = ({feed, accepted, rejected}: FeedReading) =>
        feed === name && accepted > 0 && accepted >= rejected;
      return takesAnyTable === anyTable && readings.some(good);
    })
    .map(([name, {sign}]) => ({name, sign}));
}

async function signalReadings(file: RawFile, tempDir: string): Promise<FeedReading[]> {
  const readings: FeedReading[] = [];
  for (const [feed] of [...feedsOfKind("signals"), ...feedsOfKind("lists")]) {
    using db = await openDatabase({tempDirectory: tempDir});
    const asOf = "9999-12-31";
    const run = new ModelRun(db).give(asOfDate, asOf);
    // A licence list without a column of states has its state in its name.
    const path = `market/${feed}/${basename(file.path)}`;
    const {reports, lists} = await readSignals(run, [{...file, feedOrEntryId: feed, path}], {asOf, tempDir});
    const report = reports[0]!;
    if (report.status !== "read") continue;
    const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0);
    if (report.accepted + report.merged + rejected === 0) continue;
    const isMapped = lists.some(({reading}) => !reading.list.general);
    readings.push({feed, accepted: report.accepted + report.merged, rejected, isMapped});
  }
  return readings;
}

/** Reads a file as a price report and as geography; a reader that does not fail has found its columns. */
async function marketReadings(file: RawFile, tempDir: string, text: string): Promise<FeedReading[]> {
  const isTopology = /"type"\s*:\s*"Topology"/.test(text);
  using db = await openDatabase({tempDirectory: tempDir});
  await createMarketTables(db);
  await createStaging(db);
  const readings: FeedReading[] = [];
  for (const [feed] of feedsOfKind("prices")) {
    const [outcome] = await readFiles(db, [{...file, feedOrEntryId: feed}], tempDir);
    if (outcome === undefined || !("outcome" in outcome)) continue;
    const [staged] = await db.rows<{n: number}>(
      "SELECT ((SELECT count(*) FROM raw_rows) + (SELECT count(*) FROM raw_headers))::INTEGER AS n",
    );
    const accepted = (staged?.n ?? 0) + outcome.outcome.otherAccepted;
    if (accepted > 0) readings.push({feed, accepted, rejected: 0, isMapped: false});
    await db.run("DELETE FROM staged_rows; DELETE FROM raw_headers");
  }
  const [geo] = await feeds.geo.read(db, [{...file, feedOrEntryId: "geo"}]);
  if (geo?.status === "read" && (geo.accepted > 0 || isTopology))
    readings.push({feed: "geo", accepted: 1, rejected: 0, isMapped: false});
  return readings;
}

/** The first lines of a list that is not plain text, such as a worksheet; null if it cannot be opened as a list. */
async function listWords(file: RawFile, tempDir: string): Promise<string | null> {
  try {
    const {tables} = await openList(file, tempDir);
    const lines = tables.flatMap((table) => table.lines.slice(0, 50));
    return lines.length === 0 ? null : lines.map((line) => line.map(({text}) => text).join(" ")).join("\n");
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

async function beginning(file: RawFile): Promise<string> {
  const content = await openRawContent(file).catch(() => null);
  if (content === null) return "";
  const bytes = await content.bytes().catch(() => readFile(file.absolutePath));
  return decodedText(bytes.subarray(0, 1 << 16));
}
