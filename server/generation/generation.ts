import type {StateArtifacts} from "../../lib/parcels/artifacts.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {DeltaView} from "../delta/delta-view.ts";
import type {MarketArtifacts} from "../market/artifacts.ts";

/** One build as the server answers from it: opened whole, swapped by exchanging one reference. Only its delta grows. */
export type Generation = {
  readonly buildId: string;
  /** Instant of the build, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly builtAt: string;
  /** Day from which every age counts, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly sample: boolean;
  readonly manifest: Manifest;
  /** Null where the build holds no market part, or a damaged one. */
  readonly market: MarketArtifacts | null;
  /** By two-letter state. A state that the manifest has and this has not is damaged: 503 `build-unavailable`. */
  readonly states: ReadonlyMap<string, StateArtifacts>;
  /** Parcels found on a miss since; absent where no delta is read. */
  readonly delta?: DeltaView;
};
