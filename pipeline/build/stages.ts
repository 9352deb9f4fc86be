import type {RawFile} from "../../lib/raw-files.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {StateMade} from "../../schemas/part-file.ts";

export type {StateMade} from "../../schemas/part-file.ts";

/** What the build needs to know of a parcel source; the stage itself reads the whole entry. */
export type SourceEntry = {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly attribution?: string | undefined;
  readonly coverage: {readonly country: "US" | "CA"; readonly state: string};
};

/** What a state needs to be live (`data/sources/waves.json`). */
export type Wave = {readonly state: string; readonly required: readonly string[]};

export type MarketInput = {
  files: RawFile[];
  outDir: string;
  asOf: string;
  /** `market/` of the build that change statuses compare with. */
  previousMarketDir: string | null;
  sample: boolean;
  tempDir: string;
};
export type MarketMade = {
  files: FileReport[];
  rows: Record<string, number>;
  sources: {id: string; sourceDate: string | null; retrievedAt: string | null}[];
};

export type StateInput<Entry> = {
  state: string;
  country: "US" | "CA";
  entries: Entry[];
  files: RawFile[];
  outDir: string;
  /** Day of the newest file, at most the as-of date: dates after it cannot be true. */
  asOf: string;
  tempDir: string;
};

/** The stages of a build and the registry that they work from: tests put their own in place of these. */
export type Stages<Entry extends SourceEntry = SourceEntry> = {
  readonly entries: readonly Entry[];
  readonly waves: readonly Wave[];
  readonly marketFeeds: readonly string[];
  readonly marketSources: readonly {id: string; name: string; terms: string; publisher: string}[];
  /** Whether settlements of futures may leave: an input of the market's files like any other. */
  readonly futuresLicensed?: boolean;
  /** Digest over the code that makes a part: other code makes other bytes. */
  codeDigest(stage: "market" | "parcels"): string;
  buildMarket(input: MarketInput): Promise<MarketMade>;
  buildState(input: StateInput<Entry>): Promise<StateMade>;
};
