import {mkdir, open, readFile, rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {messageOf, UserError} from "../../lib/errors.ts";
import {isProvenDead, ownIdentity} from "../../lib/process/process-identity.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {ProcessIdentity} from "../../schemas/delta-record.ts";

/** Releases the lock. */
type Release = () => Promise<void>;

/**
 * Takes `run/build.lock`, so that one build works on a data folder at a time, and gives the function that releases it. A
 * lock whose owner is proven dead is taken over. Throws a `UserError` that names the owner for any other one.
 */
export async function lockBuild({run}: DataFolder): Promise<Release> {
  await mkdir(run, {recursive: true, mode: 0o700});
  const path = join(run, "build.lock");
  if (!(await create(path))) {
    await takeOver(path);
    if (!(await create(path))) throw new UserError(`${path}: another build has just taken the lock.`);
  }
  return () => rm(path, {force: true});
}

async function create(path: string): Promise<boolean> {
  try {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(`${JSON.stringify(ownIdentity())}\n`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function takeOver(path: string): Promise<void> {
  const owner = await readOwner(path);
  if (!isProvenDead(owner)) {
    throw new UserError(
      `${path}: held by process ${owner.pid} on ${owner.host}. If no build runs there, remove the file.`,
    );
  }
  // The rename decides: of two builds that both see the dead owner, one finds nothing to rename.
  const grave = `${path}.${process.pid}.dead`;
  await rename(path, grave).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`${path}: another build is taking the lock over (${error.code}).`);
  });
  await rm(grave);
}

async function readOwner(path: string): Promise<ProcessIdentity> {
  try {
    return ProcessIdentity.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new UserError(
      `${path}: its owner cannot be read (${messageOf(error)}). If no build runs, remove the file.`,
    );
  }
}
