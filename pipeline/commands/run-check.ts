import {relative} from "node:path";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {messageOf, UserError} from "../../lib/errors.ts";
import {readLeases} from "../../lib/process/leases.ts";
import {isAbandoned, readLock} from "../../lib/process/lock.ts";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {buildFolder, currentBuildId, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest.ts";

/** The state of a lock or of the leases: a fault is one that a person has to look at. */
export type RunState = {readonly fault: boolean; readonly found: string};

/** Says who holds the build lock. An owner who cannot be read is a fault; a dead one is not, as the next command takes over. */
export async function lockState(data: DataFolder): Promise<RunState> {
  const lock = await readLock(data);
  if (lock === null) return {fault: false, found: "free"};
  const since = lock.stats.mtime.toISOString();
  if (isAbandoned(lock))
    return {fault: false, found: `left by a dead process since ${since}; the next command takes it over`};
  if (lock.value === null)
    return {fault: true, found: `its owner cannot be read (${lock.fault}), since ${since}`};
  return {fault: false, found: `held by process ${lock.value.pid} on ${lock.value.host} since ${since}`};
}

/** Says how many servers hold a lease, and names the leases that cannot be read and the damaged files that servers met. */
export async function leaseState(data: DataFolder): Promise<RunState> {
  const {builds, damaged, dead, unreadable} = await readLeases(data);
  const counts = `${builds.size} builds leased, ${dead.length} left by dead servers`;
  const named = unreadable.map(({name, fault}) => `run/${name} cannot be read (${fault})`);
  const met = damaged.map((path) => `${path} is damaged: a server met it`);
  return {fault: named.length + met.length > 0, found: [counts, ...named, ...met].join("; ")};
}

/** Gives the published build. Throws a `UserError` that names the newest retained one where `current` is absent or leads nowhere. */
export async function publishedId(data: DataFolder): Promise<string> {
  let because = `${data.current}: nothing is published.`;
  try {
    const buildId = await currentBuildId(data);
    if (buildId !== null) return buildId;
  } catch (error) {
    because = messageOf(error);
  }
  const [newest] = await retainedBuilds(data);
  const cure =
    newest === undefined
      ? 'Run "cattle build".'
      : `The newest build here is ${newest.buildId}: run "cattle publish ${newest.buildId}".`;
  throw new UserError(`${because} ${cure}`);
}

/** Gives the files of a build that are missing or unreadable, or have another size, in words. */
export async function unsoundFiles(data: DataFolder, buildId: string): Promise<string[]> {
  const dir = buildFolder(data, buildId);
  const faults = await buildFaults(dir, await readManifest(dir), {depth: "sizes"});
  return faults.map(({path, fault}) => `${path}: ${fault}`);
}

/**
 * Gives the damaged lines of all delta segments, live and retired, and what is no segment but has the name of one; empty without a
 * delta. A torn tail does not count as damage.
 */
export async function deltaFaults({delta}: DataFolder): Promise<{path: string; fault: string}[]> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  const damaged = reader.segments().flatMap(({file, state}) => {
    if (state.header === null && state.records > 0) return [{path: file.name, fault: "has no header"}];
    return state.badLines === 0
      ? []
      : [{path: file.name, fault: `${state.badLines} damaged or missing lines`}];
  });
  return [...damaged, ...reader.nonFiles().map(({path, fault}) => ({path: relative(delta, path), fault}))];
}

/** Gives the numbers of live segments, of their records and of their damaged lines, and what is no segment, for `status`. */
export async function deltaSummary({
  delta,
}: DataFolder): Promise<{segments: number; records: number; badLines: number; strange: string[]}> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  const live = reader.segments().filter(({file}) => !file.retired);
  return {
    segments: live.length,
    records: live.reduce((sum, {state}) => sum + state.records, 0),
    badLines: live.reduce((sum, {state}) => sum + state.badLines, 0),
    strange: reader.nonFiles().map(({path, fault}) => `${path}: ${fault}`),
  };
}
