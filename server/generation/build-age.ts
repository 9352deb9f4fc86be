import type {Generation} from "./generation.ts";
import {oncePer} from "./once-per.ts";

/** Answers of a build that is older than this carry a notice of its age (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** Every request needs the instant (ms) of its build. */
const builtMs = oncePer(({builtAt}: Generation) => Date.parse(builtAt));

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - builtMs(generation) > OLD_BUILD_MS;
}
