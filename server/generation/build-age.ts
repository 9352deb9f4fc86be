import type {Generation} from "./generation.ts";

/** Answers of a build that is older than this carry a notice of its age (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** The instant of a build (ms), and the values of `Last-Modified` before and after it becomes old. */
type BuildTimes = {builtMs: number; modified: string; modifiedWhenOld: string};

/** The times are kept, because every answer needs them and a generation never changes them. */
const timesOf = new WeakMap<Generation, BuildTimes>();

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - buildTimes(generation).builtMs > OLD_BUILD_MS;
}

/** Gives `Last-Modified` of the answers of a build; it changes once more, when the build becomes old. */
export function lastModified(generation: Generation, old: boolean): string {
  const {modified, modifiedWhenOld} = buildTimes(generation);
  return old ? modifiedWhenOld : modified;
}

function buildTimes(generation: Generation): BuildTimes {
  const known = timesOf.get(generation);
  if (known !== undefined) return known;
  const builtMs = Date.parse(generation.builtAt);
  const made = {
    builtMs,
    modified: new Date(builtMs).toUTCString(),
    modifiedWhenOld: new Date(builtMs + OLD_BUILD_MS).toUTCString(),
  };
  timesOf.set(generation, made);
  return made;
}
