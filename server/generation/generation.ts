import type {StateArtifacts} from "../../lib/parcels/artifacts.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {DeltaView} from "../delta/delta-view.ts";
import type {MarketArtifacts} from "../market/artifacts.ts";

/** Answers of a build that is older than this carry a notice of its age (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** Every request needs the instant (ms) of its build. */
const builtMs = oncePer(({builtAt}: Generation) => Date.parse(builtAt));

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

/**
 * Gives a function that makes something of an object once, and keeps it as long as the object. The object must not change, and `make`
 * must depend on it alone.
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

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - builtMs(generation) > OLD_BUILD_MS;
}
