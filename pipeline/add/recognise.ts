import {readFile} from "node:fs/promises";
import {basename} from "node:path";
import {decodedText} from "@open-cattle/usda-reports";
import {countWords} from "../../lib/counts.ts";
import {isUserError} from "../../lib/errors.ts";
import {asOfDate} from "../../lib/models/build-facts.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {type FeedName, marketFeeds} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {readSignals} from "../market/context/read-signals.ts";
import {feedEntries, feeds, feedsOfKind} from "../market/feeds/feeds.ts";
import {readFiles} from "../market/read-files.ts";
import {openList} from "../market/signals/lists/open-list.ts";
import {raw_rows} from "../market/staging/staged-models.ts";
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
    return `a table of ${countWords(rows)} rows that fits no feed and no entry; if it has parcels, "cattle sources check" proposes an entry`;
  return fault ?? "no reader of feeds or parcel files accepts a row of it";
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
  using db = await openDatabase({tempDirectory: tempDir});
  const run = new ModelRun(db).give(asOfDate, "9999-12-31");
  const readings = [
    ...(await signalReadings(run, file, tempDir)),
    ...(await marketReadings(run, file, tempDir, text)),
  ];
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

/** Reads a file as each kind of signals and lists. */
async function signalReadings(run: ModelRun, file: RawFile, tempDir: string): Promise<FeedReading[]> {
  const asFeeds = [...feedsOfKind("signals"), ...feedsOfKind("lists")].map(([feed]) => asFeed(file, feed));
  const {reports, lists} = await readSignals(run, asFeeds, {asOf: "9999-12-31", tempDir});
  return reports.flatMap(({path, unit, status, accepted: rows, merged, rejected: reasons}): FeedReading[] => {
    const rejected = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    // Rows of two feeds with one key are merged, so that accepted and merged ones are told apart by chance.
    const accepted = rows + merged;
    if (status !== "read" || accepted + rejected === 0) return [];
    const isMapped = lists.some((list) => list.file.path === path && !list.reading.list.general);
    return [{feed: unit as FeedName, accepted, rejected, isMapped}];
  });
}

/** The file as one in the folder of a feed; a licence list without a column of states has its state in its name. */
function asFeed(file: RawFile, feed: FeedName): RawFile {
  return {...file, feedOrEntryId: feed, path: `market/${feed}/${basename(file.path)}`};
}

/** Reads a file as a price report and as geography; a reader that does not fail has found its columns. */
async function marketReadings(
  run: ModelRun,
  file: RawFile,
  tempDir: string,
  text: string,
): Promise<FeedReading[]> {
  const asFeeds = feedsOfKind("prices").map(([feed]) => ({...file, feedOrEntryId: feed}));
  const outcomes = (await readFiles(run, asFeeds, tempDir)).filter((outcome) => "outcome" in outcome);
  await run.make(raw_rows);
  const staged = await run.db.rows<{file_no: number; n: number}>(
    "SELECT file_no, count(*)::INTEGER AS n FROM (SELECT file_no FROM raw_rows UNION ALL SELECT file_no FROM raw_headers) GROUP BY file_no",
  );
  const readings = outcomes.flatMap(({feed, fileNo, outcome}): FeedReading[] => {
    const rows = staged.find((one) => one.file_no === fileNo)?.n ?? 0;
    const accepted = rows + outcome.otherAccepted;
    return accepted > 0 ? [{feed: feed as FeedName, accepted, rejected: 0, isMapped: false}] : [];
  });
  const isTopology = /"type"\s*:\s*"Topology"/.test(text);
  const [geo] = await feeds.geo.read(run, [{...file, feedOrEntryId: "geo"}]);
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
    if (isUserError(error)) return null;
    throw error;
  }
}

async function beginning(file: RawFile): Promise<string> {
  const content = await openRawContent(file).catch(() => null);
  if (content === null) return "";
  const bytes = await content.bytes().catch(() => readFile(file.absolutePath));
  return decodedText(bytes.subarray(0, 1 << 16));
}
