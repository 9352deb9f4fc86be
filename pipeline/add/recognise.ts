import {type FeedName, marketFeeds} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {entriesOf} from "./recognise-entry.ts";
import {feedsOf} from "./recognise-feed.ts";

/** The folder of a raw file: a feed of the market, or an entry of the parcels. */
export type RawFolder = {readonly side: "market" | "parcels"; readonly unit: string};

/** The place that a file's content gives it; several where a person has to choose; none with the reason. */
export type Recognised =
  | {readonly folder: RawFolder}
  | {readonly choices: readonly RawFolder[]; readonly reason: string};

/** Files above this size are looked at as parcels alone: no market feed has files so large, and each reader holds its file. */
const largestMarketFile = 256 * 2 ** 20;

/**
 * Says into which folder a file belongs, by having the readers of all feeds and entries look at it (not at its name). Nothing is
 * changed. Throws for a broken disk.
 */
export async function recognise(
  file: RawFile,
  {registry, tempDir}: {registry: readonly ParcelSource[]; tempDir: string},
): Promise<Recognised> {
  const none = {shaped: null, poor: null, tables: []};
  const feeds = file.sizeBytes > largestMarketFile ? none : await feedsOf(file, tempDir);
  if (feeds.shaped !== null) return {folder: market(feeds.shaped)};
  const parcels = await entriesOf(file, registry, tempDir);
  const [entry, ...others] = parcels.entries.map((id): RawFolder => ({side: "parcels", unit: id}));
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
  return {side: "market", unit: feed};
}

function reasonOf(rows: number, fault: string | null): string {
  if (rows > 1)
    return `a table of ${rows.toLocaleString("en-US")} rows that no feed and no entry knows; if it has parcels, "cattle sources check" proposes an entry`;
  return fault ?? "no reader of a feed or of a parcel file takes a row of it";
}

/** Gives the list of the feeds for messages and help: a line for each. */
export function feedLines(): string {
  return Object.entries(marketFeeds)
    .map(([feed, about]) => `  ${feed.padEnd(11)} ${about}`)
    .join("\n");
}
