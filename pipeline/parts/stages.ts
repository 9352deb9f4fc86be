import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {MarketStageResult, StateStageResult} from "../../schemas/part-file.ts";
import type {MarketInput} from "../market/build-market.ts";
import type {StateRequest} from "../parcels/build-state.ts";
import type {PullOfPage} from "../raw/meta-file.ts";

/** The facts of a parcel source that the build uses; the stage itself reads the whole entry. */
export type SourceEntry = {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly publisher?: string | undefined;
  readonly authority?: string | undefined;
  readonly url?: string | undefined;
  readonly attribution?: string | undefined;
  /** Maximum share of a county's rows that the source may lose from one build to the next. */
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

/** The sources that a state needs in order to be live (`data/sources/waves.json`). */
export type Wave = {readonly state: string; readonly required: readonly string[]};

/** The stages of a build and their registry; tests substitute their own. */
export type Stages<Entry extends SourceEntry = SourceEntry> = {
  readonly entries: readonly Entry[];
  /** Returns a state's layers that are only queried on a miss; found parcels name them. */
  layers(country: "US" | "CA", state: string): readonly SourceEntry[];
  /** Returns the entry for a pulled layer without its own, or why it cannot be read; null for an unknown id. */
  entryOfPull?(id: string, layer: PullOfPage["layer"]): Entry | string | null;
  readonly waves: readonly Wave[];
  readonly marketFeeds: readonly string[];
  readonly marketSources: readonly {id: string; name: string; terms: string; publisher: string}[];
  /** True if futures settlements may be published; an input of the market's files. */
  readonly futuresLicensed?: boolean;
  /** Digest over the code that makes a part, because other code may make other bytes. */
  codeDigest(stage: "market" | "parcels"): string;
  /** Returns the names of published test vectors that the program fails to reproduce. */
  failedVectors?(): Promise<string[]>;
  buildMarket(input: MarketInput): Promise<MarketStageResult>;
  buildState(input: StateRequest<Entry>): Promise<StateStageResult>;
};
