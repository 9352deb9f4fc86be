import type {Generation} from "./generation.ts";

/** Age of a build from which its answers say so (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

/** When a build was made (ms) and when its answers last changed, as the header `Last-Modified` says it. */
type BuildTimes = {builtMs: number; modified: string; modifiedWhenOld: string};

/** Every answer asks for them, and a generation never changes them. */
const timesOf = new WeakMap<Generation, BuildTimes>();

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - buildTimes(generation).builtMs > OLD_BUILD_MS;
}

/** `Last-Modified` of the answers of a build: they change once more, when it becomes old. */
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
