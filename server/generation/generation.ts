import type {StateArtifacts} from "../../lib/parcels/artifacts.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {DeltaView} from "../delta/delta-view.ts";
import type {MarketArtifacts} from "../market/artifacts.ts";

/** One build that the server answers from. It is opened and swapped whole; only its delta grows. */
export type Generation = {
  readonly buildId: string;
  /** Instant of the build, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly builtAt: string;
  /** Day from which every age is counted, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly sample: boolean;
  readonly manifest: Manifest;
  /** Null when the build has no market part, or a damaged one. */
  readonly market: MarketArtifacts | null;
  /** By two-letter state. A state of the manifest that is absent here is damaged: 503 `build-unavailable`. */
  readonly states: ReadonlyMap<string, StateArtifacts>;
  /** Parcels that were found on a miss since the build; absent when no delta is read. */
  readonly delta?: DeltaView;
};
