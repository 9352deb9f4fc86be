import {randomBytes} from "node:crypto";
import {rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {Lease} from "../../schemas/lease.ts";
import type {DataFolder} from "../storage/data-folder.ts";
import {makeOwnFolder, privateFolder} from "../system/own-folder.ts";
import {isProvenDead, ownIdentity} from "../system/process-identity.ts";
import {syncFolder} from "../system/sync-folder.ts";
import {isStaleTorn, namesIn, readRunFile, sweepLeftovers, writeBeside} from "./run-file.ts";

const SUFFIX = ".lease.json";

/** The lease of this process: a file in `run/` that names the build it serves. */
export type HeldLease = {
  /**
   * Names another build, and the damaged files found in it; the old content stays until the new one is on
   * disk. Rejects when `run/` cannot be written.
   */
  moveTo(buildId: string, damaged?: readonly string[]): Promise<void>;
  /** Removes the lease; a lease that is already gone is not an error. */
  release(): Promise<void>;
};

/** The leases of a data folder. */
export type Leases = {
  /** Builds that servers may have open: those of all leases except where the process is proven dead. */
  readonly builds: ReadonlySet<string>;
  /** Damaged files that servers found while serving: paths below the data folder, sorted. */
  readonly damaged: readonly string[];
  /** Leases of dead servers, and torn ones that nobody is still writing. */
  readonly dead: readonly string[];
  /** Leases whose build is unknown, with the reason. */
  readonly unreadable: readonly {name: string; fault: string}[];
};

/** A lease of this process; its file is created when it first names a build. */
export function holdLease({run}: DataFolder): HeldLease {
  const path = join(run, `${process.pid}-${randomBytes(4).toString("hex")}${SUFFIX}`);
  return {
    async moveTo(buildId, damaged = []) {
      const lease: Lease = {
        build_id: buildId,
        process: ownIdentity(),
        ...(damaged.length === 0 ? {} : {damaged: [...damaged]}),
      };
      makeOwnFolder(run, privateFolder);
      await renameOrRemove(await writeBeside(path, lease), path);
      await syncFolder(run);
    },
    release: () => rm(path, {force: true}),
  };
}

async function renameOrRemove(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    await rm(from, {force: true});
    throw error;
  }
}

/** Reads all leases. A damaged or unreadable one is reported, not thrown. */
export async function readLeases({run}: DataFolder, now: number = Date.now()): Promise<Leases> {
  const builds = new Set<string>();
  const damaged = new Set<string>();
  const dead: string[] = [];
  const unreadable: {name: string; fault: string}[] = [];
  for (const name of (await namesIn(run)).filter((each) => each.endsWith(SUFFIX))) {
    const file = await readRunFile(join(run, name), Lease);
    if (file === null) continue;
    if (isStaleTorn(file, now) || (file.value !== null && isProvenDead(file.value.process))) dead.push(name);
    else if (file.value !== null) {
      builds.add(file.value.build_id);
      for (const path of file.value.damaged ?? []) damaged.add(path);
    } else unreadable.push({name, fault: file.fault ?? ""});
  }
  return {builds, damaged: [...damaged].sort(), dead, unreadable};
}

/** Removes the leases of dead servers and the temporary files of dead processes, and returns their names. */
export async function sweepRun(data: DataFolder, now: number = Date.now()): Promise<string[]> {
  const {dead} = await readLeases(data, now);
  for (const name of dead) await rm(join(data.run, name), {force: true});
  return [...dead, ...(await sweepLeftovers(data.run, now))];
}
