import type {Generation} from "./generation.ts";

/** Answers of a build that is older than this carry a notice of its age (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** The instants (ms) of builds are kept, because every request needs one and a generation never changes it. */
const builtMsOf = new WeakMap<Generation, number>();

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - builtMs(generation) > OLD_BUILD_MS;
}

function builtMs(generation: Generation): number {
  const known = builtMsOf.get(generation);
  if (known !== undefined) return known;
  const ms = Date.parse(generation.builtAt);
  builtMsOf.set(generation, ms);
  return ms;
}
