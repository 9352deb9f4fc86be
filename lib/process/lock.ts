import type {Stats} from "node:fs";
import {link, mkdir, rename, rm, stat} from "node:fs/promises";
import {dirname, join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {ProcessIdentity} from "../../schemas/delta-record.ts";
import {messageOf, UserError} from "../errors.ts";
import type {DataFolder} from "../storage/data-folder.ts";
import {writeNew} from "../storage/whole-file.ts";
import {isProvenDead, ownIdentity} from "./process-identity.ts";
import {besideOf, isForsaken, type RunFile, readRunFile, writeBeside} from "./run-file.ts";

/** Releases the lock, as its disposal does. */
type Release = (() => Promise<void>) & AsyncDisposable;

/** The fault of a lock that a process holds which may be alive. */
class LockHeld extends UserError {}

type LockOptions = {
  /** Waits for a lock that is held, and is told who holds it; else a held lock is a fault. */
  readonly wait?: (held: string) => void;
};

/** Bytes kept back in `run/spare`, so that `gc` can write its lock on a full disk. */
const spareBytes = 64 * 1024;
/** An owner who cannot be read is left alone so long, because nothing tells whether it lives. */
const unprovableMs = 24 * 3_600_000;
const tries = 20;
/** Time between two looks at a lock that is waited for. */
const waitMs = 500;

/**
 * Takes `run/build.lock`, so that one build works on a data folder at a time, and gives the function that releases it. The
 * lock is written under another name, synced and linked, so that it is never half there. One whose owner is proven dead, or
 * that was cut off, is taken over; of two who try, one wins (`docs/design/reliability.md` section 2.1). Throws a `UserError` that
 * names the owner of any other one, or the reason for which the lock cannot be written.
 */
export async function lockBuild(data: DataFolder, options: LockOptions = {}): Promise<Release> {
  return lockRun(data, "build", options);
}

/** Takes `run/<what>.lock` in the same way, so that one process at a time does this work on a data folder. Throws as `lockBuild` does. */
export async function lockRun(
  {run}: Pick<DataFolder, "run">,
  what: "build" | "fetch" | "nightly" | "keys",
  {wait}: LockOptions = {},
): Promise<Release> {
  for (let told = ""; ; ) {
    try {
      return await lockOnce(run, what);
    } catch (error) {
      if (!(error instanceof LockHeld) || wait === undefined) throw error;
      if (told !== error.message) wait(error.message);
      told = error.message;
      await sleep(waitMs);
    }
  }
}

async function lockOnce(run: string, what: string): Promise<Release> {
  await mkdir(run, {recursive: true, mode: 0o700});
  const path = join(run, `${what}.lock`);
  const own = await writeOwn(path);
  const mine = await stat(own);
  try {
    await take(own, path);
    await rm(own);
  } catch (error) {
    await rm(own, {force: true});
    await release(path, mine);
    throw error;
  }
  const released = () => release(path, mine);
  return Object.assign(released, {[Symbol.asyncDispose]: released});
}

/** Reads the lock of a data folder; null when there is none. */
export function readLock({run}: Pick<DataFolder, "run">): Promise<RunFile<ProcessIdentity> | null> {
  return readRunFile(lockPath(run), ProcessIdentity);
}

/** True for a lock that the next command takes over. */
export function isAbandoned(lock: RunFile<ProcessIdentity>, now: number = Date.now()): boolean {
  if (lock.value !== null) return isProvenDead(lock.value);
  return isForsaken(lock, now) || now - lock.stats.mtimeMs > unprovableMs;
}

function lockPath(run: string): string {
  return join(run, "build.lock");
}

/** Writes the lock of this process beside its name; on a full disk the spare bytes make room for it. */
async function writeOwn(path: string): Promise<string> {
  const write = () => writeBeside(path, ownIdentity());
  try {
    return await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOSPC") throw error;
      await rm(sparePath(path), {force: true});
      return write();
    });
  } catch (error) {
    throw new UserError(`${path}: cannot be written: ${messageOf((error as Error).cause ?? error)}.`);
  }
}

/** Links a written file to the name of a lock. Throws a `UserError` when a process that may be alive holds it. */
async function take(own: string, path: string): Promise<void> {
  for (let n = 0; n < tries; n++) {
    if (await isLinked(own, path)) return;
    if ((await judge(path)) === null) continue;
    // Only the holder of the claim removes a lock that is not its own, and it judges that lock once more.
    const claim = `${path}.claim`;
    await take(own, claim);
    try {
      await removeAbandoned(path);
    } finally {
      await rm(claim, {force: true});
    }
  }
  throw new UserError(`${path}: other builds come and go, and each took the lock first.`);
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

/** The facts of an abandoned lock; null when there is none. Throws a `UserError` for one that may be held. */
async function judge(path: string): Promise<Stats | null> {
  const lock = await readRunFile(path, ProcessIdentity);
  if (lock === null) return null;
  if (isAbandoned(lock)) return lock.stats;
  const owner =
    lock.value === null
      ? `its owner cannot be read (${lock.fault})`
      : `held by process ${lock.value.pid} on ${lock.value.host}`;
  throw new LockHeld(`${path}: ${owner}. If nothing runs there, remove the file.`);
}

/** Removes the file that was judged, and no other that has come into its place by hand. */
async function removeAbandoned(path: string): Promise<void> {
  const judged = await judge(path);
  if (judged === null) return;
  const grave = besideOf(path, "dead");
  await rename(path, grave);
  if (!isSame(judged, await stat(grave))) {
    await link(grave, path);
    await rm(grave);
    throw new UserError(`${path}: changed while it was taken over. Run the command again.`);
  }
  await rm(grave);
}

/** Removes the lock of this process and no other, and keeps spare bytes for the next one. */
async function release(path: string, mine: Stats): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there === null || !isSame(mine, there)) return;
  await keepSpare(sparePath(path));
  await rm(path, {force: true});
}

/** True for one file: number and time together, because the number of a removed file is given to the next one. */
function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.mtimeMs === b.mtimeMs;
}

function sparePath(lock: string): string {
  return join(dirname(lock), "spare");
}

async function keepSpare(path: string): Promise<void> {
  try {
    await writeNew(path, Buffer.alloc(spareBytes), {mode: 0o600});
  } catch {
    // It is there already, or the disk is full: then what was written of it is gone again.
  }
}
