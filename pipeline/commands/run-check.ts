import {relative} from "node:path";
import {isAbandoned, readLock} from "@open-cattle/safe-files";
import {countWithNoun} from "../../lib/counts.ts";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {messageOf, UserError} from "../../lib/errors.ts";
import {buildLock, readLeases} from "../../lib/process/run-folder.ts";
import {buildFolder, currentBuildId, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../lib/storage/manifest-file.ts";

/** State of the lock or the leases; `fault` means that a person must look at it. */
export type RunState = {readonly fault: boolean; readonly found: string};

/** Describes who holds the build lock. An unreadable owner is a fault; a dead one is not, since the next command takes over. */
export async function lockState(data: DataFolder): Promise<RunState> {
  const lock = await readLock(buildLock(data));
  if (lock === null) return {fault: false, found: "free"};
  const since = lock.stats.mtime.toISOString();
  if (isAbandoned(lock))
    return {fault: false, found: `left by a dead process since ${since}; the next command takes it over`};
  if (lock.value === null)
    return {fault: true, found: `its owner cannot be read (${lock.fault}), since ${since}`};
  return {fault: false, found: `held by process ${lock.value.pid} on ${lock.value.host} since ${since}`};
}

/** Counts the leases, and names unreadable ones and the damaged files that servers have met. */
export async function leaseState(data: DataFolder): Promise<RunState> {
  const {builds, damaged, dead, unreadable} = await readLeases(data);
  const counts = `${countWithNoun(builds.size, "build")} leased, ${dead.length} left by dead servers`;
  const named = unreadable.map(({name, fault}) => `run/${name} cannot be read (${fault})`);
  const met = damaged.map((path) => `${path} is damaged: a server met it`);
  return {fault: named.length + met.length > 0, found: [counts, ...named, ...met].join("; ")};
}

/** Returns the published build. If `current` is missing or dangling, throws a `UserError` that names the newest retained build. */
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
      ? 'The sample is in data/demo (CATTLE_DATA=data/demo); for real data run "cattle nightly".'
      : `The newest build here is ${newest.buildId}: run "cattle publish ${newest.buildId}".`;
  throw new UserError(`${because} ${cure}`);
}

/** Describes the files of a build that are missing, unreadable or of the wrong size. */
export async function unsoundFiles(data: DataFolder, buildId: string): Promise<string[]> {
  const dir = buildFolder(data, buildId);
  const faults = await buildFaults(dir, await readManifest(dir), {depth: "sizes"});
  return faults.map(({path, fault}) => `${path}: ${fault}`);
}

/**
 * Returns the damaged lines of all delta segments, live and retired, and entries that are named like segments but are none; empty without a
 * delta. A torn tail does not count as damage.
 */
export async function deltaFaults({delta}: DataFolder): Promise<{path: string; fault: string}[]> {
  const reader = new DeltaReader(delta);
  const unreadable = await reader.pollReadable(() => undefined);
  const damaged = reader.segments().flatMap(({file, state}) => {
    if (state.header === null && state.records > 0) return [{path: file.name, fault: "has no header"}];
    return state.badLines === 0
      ? []
      : [{path: file.name, fault: `${state.badLines} damaged or missing lines`}];
  });
  const unread = unreadable.map(({file, error}) => ({path: file.name, fault: messageOf(error)}));
  return [
    ...damaged,
    ...unread,
    ...reader.nonFiles().map(({path, fault}) => ({path: relative(delta, path), fault})),
  ];
}

/** Summarises the delta for `status`: numbers of live segments, records and damaged lines, and entries that are no segments. */
export async function deltaSummary({
  delta,
}: DataFolder): Promise<{segments: number; records: number; badLines: number; strange: string[]}> {
  const reader = new DeltaReader(delta);
  const unreadable = await reader.pollReadable(() => undefined);
  const live = reader.segments().filter(({file}) => !file.retired);
  return {
    segments: live.length,
    records: live.reduce((sum, {state}) => sum + state.records, 0),
    badLines: live.reduce((sum, {state}) => sum + state.badLines, 0),
    strange: [
      ...reader.nonFiles().map(({path, fault}) => `${path}: ${fault}`),
      ...unreadable.map(({file, error}) => `${file.path}: cannot be read: ${messageOf(error)}`),
    ],
  };
}
