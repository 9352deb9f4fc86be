import {readFile} from "node:fs/promises";
import {UserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import type {MarketFeed} from "../../schemas/market-feed.ts";
import {readZips} from "../market/geo/zips.ts";
import {readFiles} from "../market/read-files.ts";
import type {DirectoryReading} from "../market/signals/directory/reader.ts";
import {openList} from "../market/signals/lists/open-list.ts";
import {isSignalFeed, readSignals} from "../market/signals/read-signals.ts";
import {createStaging} from "../market/staging.ts";
import {createMarketTables} from "../market/tables.ts";
import {openRawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";

/** The outcome of reading a file with the reader of a feed: rows that it took, rows that it rejected, and how it knew them. */
export type FeedReading = {
  readonly feed: MarketFeed;
  readonly accepted: number;
  readonly rejected: number;
  /** True where a particular map of `data/sources/lists/` read it, and not one of usual words. */
  readonly isMapped: boolean;
};

/** Feeds whose files have a shape of their own, the most particular first. */
const ownShape = [
  "nws",
  "echo",
  "diesel",
  "usdm",
  "nass",
  "futures",
  "aphis",
  "ams-text",
  "lmr",
  "mars",
  "geo",
] as const satisfies readonly MarketFeed[];

/** Feeds that take any table with a name in it. */
const anyTable = ["directory", "dealers", "references"] as const satisfies readonly MarketFeed[];

/** The feeds that a file may belong to. */
export type FeedsOf = {
  /** By its shape alone. */
  readonly shaped: MarketFeed | null;
  /** As a table of names. */
  readonly tables: readonly MarketFeed[];
  /** By a shape all of whose rows are bad, such as alerts without times. */
  readonly poor: MarketFeed | null;
};

/**
 * Gives the feeds that a file belongs to, by having their readers read it; none where no reader takes a row. The file is not
 * changed. Throws for a broken disk.
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

function shapedFeed(readings: readonly FeedReading[], text: string): MarketFeed | null {
  const good = ownShape.filter((feed) =>
    readings.some((one) => one.feed === feed && one.accepted > 0 && one.accepted >= one.rejected),
  );
  // Both services list their reports, and answer, in envelopes that look alike.
  if (good.includes("lmr") && good.includes("mars")) return isDatamart(text) ? "lmr" : "mars";
  return good[0] ?? null;
}

function poorFeed(readings: readonly FeedReading[]): MarketFeed | null {
  const [only, ...others] = ownShape.filter((feed) => readings.some((one) => one.feed === feed));
  return others.length === 0 ? (only ?? null) : null;
}

/** Keys of the Datamart's statistics end in a colon, and its list names the sections of each report. */
function isDatamart(text: string): boolean {
  return /"[a-zA-Z]+:"\s*:/.test(text) || /"sectionNames"\s*:\s*\[\s*"/.test(text);
}

const licenceWords = /\b(licen[cs]e+s?|permit|bond(ed)?|surety|registration|expir\w*|dealers?)\b/i;
const rosterWords = /\b(sale.?days?|auctions?|stock.?yards?|sale.?barns?|livestock market|slug)\b/i;

function tableFeeds(readings: readonly FeedReading[], text: string): MarketFeed[] {
  const good = anyTable.filter((feed) =>
    readings.some((one) => one.feed === feed && one.accepted > 0 && one.accepted >= one.rejected),
  );
  const mapped = good.filter((feed) => readings.some((one) => one.feed === feed && one.isMapped));
  if (mapped.length === 1) return mapped;
  const words = text.replaceAll("_", " ");
  if (good.includes("references") && /\bkind\b/i.test(words)) return ["references"];
  const [licences, roster] = [licenceWords.test(words), rosterWords.test(words)];
  if (!good.includes("dealers") || !good.includes("directory") || licences === roster) return good;
  return good.filter((feed) => feed !== (licences ? "directory" : "dealers"));
}

async function signalReadings(file: RawFile, tempDir: string): Promise<FeedReading[]> {
  const db = await openDatabase({tempDirectory: tempDir});
  try {
    const readings: FeedReading[] = [];
    for (const feed of [...ownShape, ...anyTable].filter(isSignalFeed)) {
      const {reports, readFiles: read} = await readSignals(db, [{...file, unit: feed}], {
        asOf: "9999-12-31",
        tempDir,
      });
      const report = reports[0]!;
      if (report.status !== "read") continue;
      const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0);
      if (report.accepted + report.merged + rejected === 0) continue;
      const list = read.flatMap(({reading}) =>
        "list" in reading ? [(reading as DirectoryReading).list] : [],
      );
      const isMapped = list.some(({general}) => !general);
      readings.push({feed, accepted: report.accepted + report.merged, rejected, isMapped});
    }
    return readings;
  } finally {
    db.close();
  }
}

/** Reads a file as a price report and as geography; a reader that does not fail has found its columns. */
async function marketReadings(file: RawFile, tempDir: string, text: string): Promise<FeedReading[]> {
  const isTopology = /"type"\s*:\s*"Topology"/.test(text);
  const db = await openDatabase({tempDirectory: tempDir});
  try {
    await createMarketTables(db);
    await createStaging(db);
    const readings: FeedReading[] = [];
    for (const feed of ["ams-text", "mars"] as const) {
      const [outcome] = await readFiles(db, [{...file, unit: feed}], tempDir);
      if (outcome === undefined || !("outcome" in outcome)) continue;
      const [staged] = await db.rows<{n: number}>(
        "SELECT ((SELECT count(*) FROM raw_rows) + (SELECT count(*) FROM raw_headers))::INTEGER AS n",
      );
      const accepted = (staged?.n ?? 0) + outcome.outcome.otherAccepted;
      if (accepted > 0) readings.push({feed, accepted, rejected: 0, isMapped: false});
      await db.run("DELETE FROM staged_rows; DELETE FROM raw_headers");
    }
    const [geo] = await readZips(db, [{...file, unit: "geo"}]);
    if (geo?.status === "read" && (geo.accepted > 0 || isTopology))
      readings.push({feed: "geo", accepted: 1, rejected: 0, isMapped: false});
    return readings;
  } finally {
    db.close();
  }
}

/** The first lines of a list that is no text, such as a worksheet; null where it cannot be opened as a list. */
async function listWords(file: RawFile, tempDir: string): Promise<string | null> {
  try {
    const content = await openList(file, tempDir);
    const lines = (content?.ways[0] ?? []).flatMap((table) => table.lines.slice(0, 50));
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
  return bytes.subarray(0, 1 << 16).toString("utf8");
}
