import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {MarketMade, StateMade} from "../../schemas/part-file.ts";
import type {MarketInput} from "../market/build-market.ts";
import type {StateRequest} from "../parcels/build-state.ts";
import type {PullOfPage} from "../raw/raw-meta.ts";

/** The facts of a parcel source that the build uses; the stage itself reads the whole entry. */
export type SourceEntry = {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly publisher?: string | undefined;
  readonly authority?: string | undefined;
  readonly url?: string | undefined;
  readonly attribution?: string | undefined;
  /** Share of a county's rows that a source may lose from one build to the next. */
  readonly accept?: {readonly maxDropShare: number} | undefined;
  readonly terms?: ParcelSource["terms"] | undefined;
  readonly owners?: ParcelSource["owners"];
  readonly coverage: {
    readonly country: "US" | "CA";
    readonly state: string;
    readonly counties?: "all" | readonly string[];
    readonly places?: readonly string[] | undefined;
  };
};

/** The sources that a state needs to be live (`data/sources/waves.json`). */
export type Wave = {readonly state: string; readonly required: readonly string[]};

/** The stages of a build and the registry that they work from: tests put their own in place of these. */
export type Stages<Entry extends SourceEntry = SourceEntry> = {
  readonly entries: readonly Entry[];
  /** Gives the layers of a state that are only queried on a miss; found parcels name them. */
  layers(country: "US" | "CA", state: string): readonly SourceEntry[];
  /** Gives the entry by which a pulled layer without an entry of its own is read, or the reason why it is not; null for an unknown id. */
  entryOfPull?(id: string, layer: PullOfPage["layer"]): Entry | string | null;
  readonly waves: readonly Wave[];
  readonly marketFeeds: readonly string[];
  readonly marketSources: readonly {id: string; name: string; terms: string; publisher: string}[];
  /** True where settlements of futures may be published; the market's files depend on it like on any input. */
  readonly futuresLicensed?: boolean;
  /** Gives the digest over the code that makes a part, because other code may make other bytes. */
  codeDigest(stage: "market" | "parcels"): string;
  /** Gives the names of published test vectors that the program does not reproduce. */
  failedVectors?(): Promise<string[]>;
  buildMarket(input: MarketInput): Promise<MarketMade>;
  buildState(input: StateRequest<Entry>): Promise<StateMade>;
};
