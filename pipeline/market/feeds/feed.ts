import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {ListSource} from "../../../schemas/list-source.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {FeedReader} from "../feed-reader.ts";
import type {ContextRules} from "../signals/context.ts";
import type {ListContent} from "../signals/lists/list-tables.ts";
import type {SignalReader, SignalReading} from "../signals/reading.ts";

/** An invented file of a feed: its name, its text, and the day of its fetch where that is not the as-of date. */
export type SampleFile = {readonly name: string; readonly text: string; readonly fetchedOn?: string};

type Feed = {
  /** Registry id that its rows cite where they name no other; null for reference geography, which has none. */
  readonly source: MarketSourceId | null;
  /** Words by which the beginning of a file is known as its own where readers of other feeds take the file too. */
  readonly sign?: RegExp;
  /** True for a fallback feed, tried last: its reader accepts any table with a column of names, which may also be one of parcels. */
  readonly takesAnyTable?: true;
  /** What `cattle sample` writes for it: the names of its files in `data/reference/samples/<feed>/`, or a function that invents them. */
  readonly sample: readonly string[] | ((asOf: string) => readonly SampleFile[]);
};

/** Price reports, which are read into the staging tables. */
export type PriceFeed = Feed & {readonly kind: "prices"; readonly read: FeedReader};

/** Signals, which fill tables of `signals/` in a build. */
export type SignalFeed = Feed & {
  readonly kind: "signals";
  readonly source: MarketSourceId;
  readonly tables: readonly SignalTable[];
  readonly read: SignalReader;
  /** Adds to its tables in the database what they say only once all files are read, such as a change against the week before. */
  readonly finish?: (db: Database, setting: {asOf: string; futuresLicensed: boolean}) => Promise<void>;
  /** Where its signals stand in answers; without it, in the files of analysts alone. */
  readonly context?: readonly ContextRules[];
};

/** Lists of firms, read by the maps of `data/sources/lists/`: facts of venues and counts, no rows of a table. */
export type ListFeed = Feed & {
  readonly kind: "lists";
  readonly read: (
    input: {readonly file: RawFile; readonly content: ListContent},
    lists: readonly ListSource[],
  ) => SignalReading;
};

/** Reference geography, whose files are read together. */
export type GeographyFeed = Feed & {
  readonly kind: "geography";
  readonly read: (db: Database, files: readonly RawFile[]) => Promise<FileReport[]>;
};

/** All that the project knows of one feed of the market; every list of feeds follows from these. */
export type FeedDefinition = PriceFeed | SignalFeed | ListFeed | GeographyFeed;
