import type {Stats} from "node:fs";
import {link, rename, rm, stat} from "node:fs/promises";
import {dirname, join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {FileFault, messageOf} from "./file-fault.ts";
import {makeOwnFolder, privateFolder} from "./own-folder.ts";
import {isStaleTorn, type OwnedFile, readOwnedFile, siblingPath, writeBeside} from "./owned-file.ts";
import {asIdentity, isProvenDead, ownIdentity, type ProcessIdentity} from "./process-identity.ts";
import {writeNew} from "./whole-file.ts";

/** Releases the lock; so does disposing it. */
export type Release = (() => Promise<void>) & AsyncDisposable;

/** The lock is held by a process that may be alive. */
class LockHeld extends FileFault {}

export type LockOptions = {
  /** When given, waits for a held lock and calls this with its holder; otherwise a held lock is an error. */
  readonly wait?: (held: string) => void;
};

/** Size of `spare` beside the locks, which reserves space so that a lock can be written on a full disk, for the work that frees it. */
const spareBytes = 64 * 1024;
/** Grace period for a lock whose owner cannot be read, because nothing shows whether that owner is alive. */
const unprovableMs = 24 * 3_600_000;
const tries = 20;
/** Polling interval for a held lock. */
const waitMs = 500;

/**
 * Takes a lock, so that one process at a time does some work, and returns the function that releases it. The lock is written under
 * another name, synced and linked, so that it is never half written. A lock that is torn or whose owner is proven dead is taken over;
 * of two processes that try, one wins. Throws a `FileFault` that names the owner of any other lock, or the reason why the lock
 * cannot be written.
 */
export async function takeLock(path: string, {wait}: LockOptions = {}): Promise<Release> {
  for (let lastShownHolder = ""; ; ) {
    try {
      return await lockOnce(path);
    } catch (error) {
      if (!(error instanceof LockHeld) || wait === undefined) throw error;
      if (lastShownHolder !== error.message) wait(error.message);
      lastShownHolder = error.message;
      await sleep(waitMs);
    }
  }
}

async function lockOnce(path: string): Promise<Release> {
  makeOwnFolder(dirname(path), privateFolder);
  const own = await writeOwn(path);
  const mine = await stat(own);
  try {
    await acquire(own, path);
    await rm(own);
  } catch (error) {
    await rm(own, {force: true});
    await release(path, mine);
    throw error;
  }
  const released = () => release(path, mine);
  return Object.assign(released, {[Symbol.asyncDispose]: released});
}

/** Reads a lock; null when there is none. */
export function readLock(path: string): Promise<OwnedFile<ProcessIdentity> | null> {
  return readOwnedFile(path, asIdentity);
}

/** True for a lock that the next command may take over. */
export function isAbandoned(lock: OwnedFile<ProcessIdentity>, now: number = Date.now()): boolean {
  if (lock.value !== null) return isProvenDead(lock.value);
  return isStaleTorn(lock, now) || now - lock.stats.mtimeMs > unprovableMs;
}

/** Writes this process's lock beside the final name; on a full disk it frees the spare bytes first. */
async function writeOwn(path: string): Promise<string> {
  const write = () => writeBeside(path, ownIdentity());
  try {
    return await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOSPC") throw error;
      await rm(sparePath(path), {force: true});
      return write();
    });
  } catch (error) {
    throw new FileFault(`${path}: cannot be written: ${messageOf((error as Error).cause ?? error)}.`);
  }
}

/**
 * Links the written file to the lock's name. Throws a `FileFault` when a process that may be alive holds the
 * lock.
 */
async function acquire(own: string, path: string): Promise<void> {
  for (let n = 0; n < tries; n++) {
    if (await isLinked(own, path)) return;
    if ((await abandonedStats(path)) === null) continue;
    // Only the holder of the claim may remove another process's lock, and it checks that lock again first.
    const claim = `${path}.claim`;
    await acquire(own, claim);
    try {
      await removeAbandoned(path);
    } finally {
      await rm(claim, {force: true});
    }
  }
  throw new FileFault(`${path}: other processes kept taking the lock first.`);
}

async function isLinked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * The stats of an abandoned lock; null when there is no lock. Throws a `FileFault` for a lock that may be
 * held.
 */
async function abandonedStats(path: string): Promise<Stats | null> {
  const lock = await readOwnedFile(path, asIdentity);
  if (lock === null) return null;
  if (isAbandoned(lock)) return lock.stats;
  const owner =
    lock.value === null
      ? `its owner cannot be read (${lock.fault})`
      : `held by process ${lock.value.pid} on ${lock.value.host}`;
  throw new LockHeld(`${path}: ${owner}. If nothing runs there, remove the file.`);
}

/** Removes the abandoned lock, but not a file that was put in its place meanwhile. */
async function removeAbandoned(path: string): Promise<void> {
  const abandoned = await abandonedStats(path);
  if (abandoned === null) return;
  const deadPath = siblingPath(path, "dead");
  await rename(path, deadPath);
  if (!isSame(abandoned, await stat(deadPath))) {
    await link(deadPath, path);
    await rm(deadPath);
    throw new FileFault(`${path}: changed while it was taken over. Run the command again.`);
  }
  await rm(deadPath);
}

/** Removes this process's own lock only, and reserves spare bytes for the next one. */
async function release(path: string, mine: Stats): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there === null || !isSame(mine, there)) return;
  await reserveSpare(sparePath(path));
  await rm(path, {force: true});
}

/** True for the same file. The time is compared too, because inode numbers are reused. */
function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.mtimeMs === b.mtimeMs;
}

function sparePath(lock: string): string {
  return join(dirname(lock), "spare");
}

async function reserveSpare(path: string): Promise<void> {
  try {
    await writeNew(path, Buffer.alloc(spareBytes), {mode: 0o600});
  } catch {
    // It exists already, or the disk is full; `writeNew` has then removed its partial file.
  }
}
