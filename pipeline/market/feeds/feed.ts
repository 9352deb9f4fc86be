import type {AnyModel} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {FeedReader} from "../documents/feed-reader.ts";
import type {SampleFile} from "../samples/sample-reports.ts";
import type {ContextRules} from "../signals/context.ts";
import type {SignalReader} from "../signals/reading.ts";

type Feed = {
  /** Registry id that its rows cite by default; null for reference geography, which has no source id. */
  readonly source: MarketSourceId | null;
  /** Pattern by which the start of a file identifies this feed when readers of other feeds accept the file too. */
  readonly sign?: RegExp;
  /** True for a fallback feed, tried last: its reader accepts any table with a column of names, even one of parcels. */
  readonly takesAnyTable?: true;
  /** What `cattle sample` writes: names of files in `data/reference/samples/<feed>/`, or a function that generates them. */
  readonly sample: readonly string[] | ((asOf: string) => readonly SampleFile[]);
};

/** Price reports, read into the staging tables. */
export type PriceFeed = Feed & {readonly kind: "prices"; readonly read: FeedReader};

/** Signals, which fill the tables in `signals/` of a build. */
export type SignalFeed = Feed & {
  readonly kind: "signals";
  readonly source: MarketSourceId;
  readonly tables: readonly SignalTable[];
  readonly read: SignalReader;
  /** The models that complete its gathered tables, for example with the change against the week before. */
  readonly completes?: () => Readonly<Partial<Record<SignalTable, AnyModel>>>;
  /** Where answers carry its signals; without it they are only in the files for analysts. */
  readonly context?: readonly ContextRules[];
  /** Models that these rules read beside their table. */
  readonly contextReads?: readonly AnyModel[];
};

/** Lists of firms, read by the maps of `data/sources/lists/` into counts and facts of venues rather than table rows. */
export type ListFeed = Feed & {readonly kind: "lists"};

/** Reference geography; its files are read together. */
export type GeographyFeed = Feed & {
  readonly kind: "geography";
  readonly read: (run: ModelRun, files: readonly RawFile[]) => Promise<FileReport[]>;
};

/** Everything about one market feed; every list of feeds is derived from these. */
export type FeedDefinition = PriceFeed | SignalFeed | ListFeed | GeographyFeed;
