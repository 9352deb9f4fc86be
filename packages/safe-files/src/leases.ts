import {randomBytes} from "node:crypto";
import {rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, privateFolder} from "./own-folder.ts";
import {isStaleTorn, namesIn, readOwnedFile, sweepLeftovers, writeBeside} from "./owned-file.ts";
import {isProvenDead, ownIdentity, type ProcessIdentity} from "./process-identity.ts";
import {syncFolder} from "./whole-file.ts";

const ending = ".lease.json";

/** What a lease says, beside the process that holds it. */
export type LeaseRecord = {readonly process: ProcessIdentity};

/** The lease of this process: a file that says what it uses. */
type HeldLease<Said> = {
  /** Says something else; the old content stays until the new one is on disk. Rejects when the folder cannot be written. */
  moveTo(said: Said): Promise<void>;
  /** Removes the lease; a lease that is already gone is not an error. */
  release(): Promise<void>;
};

/** The leases of a folder. */
type Leases<Lease> = {
  /** Those of all processes that are not proven dead. */
  readonly held: readonly Lease[];
  /** Names of leases of dead processes, and of torn ones that nobody is still writing. */
  readonly dead: readonly string[];
  /** Leases that cannot be read, with the reason. */
  readonly unreadable: readonly {name: string; fault: string}[];
};

/** A lease of this process in a folder; its file is created when it first says something. */
export function holdLease<Lease extends LeaseRecord>(folder: string): HeldLease<Omit<Lease, "process">> {
  const path = join(folder, `${process.pid}-${randomBytes(4).toString("hex")}${ending}`);
  return {
    async moveTo(said) {
      makeOwnFolder(folder, privateFolder);
      await renameOrRemove(await writeBeside(path, {...said, process: ownIdentity()}), path);
      await syncFolder(folder);
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

/** Reads all leases of a folder; `as` gives null for a value of another form. A damaged or unreadable one is reported, not thrown. */
export async function readLeases<Lease extends LeaseRecord>(
  folder: string,
  as: (json: unknown) => Lease | null,
  now: number = Date.now(),
): Promise<Leases<Lease>> {
  const held: Lease[] = [];
  const dead: string[] = [];
  const unreadable: {name: string; fault: string}[] = [];
  for (const name of (await namesIn(folder)).filter((each) => each.endsWith(ending))) {
    const file = await readOwnedFile(join(folder, name), as);
    if (file === null) continue;
    if (isStaleTorn(file, now) || (file.value !== null && isProvenDead(file.value.process))) dead.push(name);
    else if (file.value !== null) held.push(file.value);
    else unreadable.push({name, fault: file.fault ?? ""});
  }
  return {held, dead, unreadable};
}

/** Removes the leases of dead processes and their temporary files beside locks and leases, and returns their names. */
export async function sweepLeases(
  folder: string,
  as: (json: unknown) => LeaseRecord | null,
  now: number = Date.now(),
): Promise<string[]> {
  const {dead} = await readLeases(folder, as, now);
  for (const name of dead) await rm(join(folder, name), {force: true});
  return [...dead, ...(await sweepLeftovers(folder, now))];
}
