import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {DeltaView} from "../delta/delta-view.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";

/** Answers from a build older than this carry a notice of its age (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** Cached: every request needs the build's timestamp (ms). */
const builtMs = oncePer(({builtAt}: Generation) => Date.parse(builtAt));

/** One build that the server answers from. It is opened and swapped as a unit; only its delta grows. */
export type Generation = {
  readonly buildId: string;
  /** When the build was made, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly builtAt: string;
  /** The day that all ages are relative to, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly sample: boolean;
  readonly manifest: Manifest;
  /** Null when the build has no market part, or when that part is damaged. */
  readonly market: MarketArtifacts | null;
  /** By two-letter state. A state of the manifest that is absent here is damaged: 503 `build-unavailable`. */
  readonly states: ReadonlyMap<string, StateArtifacts>;
  /** Parcels found on misses since the build; absent when no delta is read. */
  readonly delta?: DeltaView;
};

/**
 * Memoises a function per object, for as long as the object lives. The object must be immutable, and `make` must depend on nothing else.
 */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, {readonly value: Made}>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, {value});
    return value;
  };
}

/** True when answers from this build carry the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - builtMs(generation) > OLD_BUILD_MS;
}
