import {messageOf, UserError} from "../../lib/errors.ts";
import {readLeases} from "../../lib/process/leases.ts";
import {isAbandoned, readLock} from "../../lib/process/lock.ts";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest.ts";
import {retainedBuilds} from "../../lib/storage/retained-builds.ts";

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
