import {mkdir, readdir, readFile, rm, stat} from "node:fs/promises";
import {join} from "node:path";
import {isProvenDead, ownIdentity} from "../../lib/process/process-identity.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {ProcessIdentity} from "../../schemas/delta-record.ts";
import {writeDurably} from "./durable.ts";

/** Folders of a build in the making. */
export type Staging = {
  /** Becomes the build folder. */
  readonly dir: string;
  /** Folder for files that the stages keep meanwhile. */
  readonly workDir: string;
  /** Removes the remains of both. */
  remove(): Promise<void>;
};

const OWNER_SUFFIX = ".owner.json";
const WORK_SUFFIX = ".work";
/** Folders of an owner that can be proven neither dead nor alive are removed after a day. */
const unprovableMs = 24 * 3_600_000;

/** Makes the staging folder of a build, beside the builds so that it can be renamed, with the name of its owner. */
export async function makeStaging({builds}: DataFolder, buildId: string): Promise<Staging> {
  const dir = join(builds, `.tmp-${buildId}-${process.pid}`);
  const remove = () => removeStaging(dir);
  try {
    await writeDurably(`${dir}${OWNER_SUFFIX}`, `${JSON.stringify(ownIdentity())}\n`, {mode: 0o600});
    await mkdir(dir, {mode: 0o750});
    await mkdir(`${dir}${WORK_SUFFIX}`, {mode: 0o700});
  } catch (error) {
    // The remains would be in the way of the next build of a process of this number.
    await remove();
    throw error;
  }
  return {dir, workDir: `${dir}${WORK_SUFFIX}`, remove};
}

/** Removes staging folders of dead builds and gives their names. Call it with the build lock held. */
export async function sweepStaging({builds}: DataFolder, now: number = Date.now()): Promise<string[]> {
  const names = await readdir(builds);
  const staging = names
    .filter((name) => name.startsWith(".tmp-"))
    .map((name) => name.replace(/\.(owner\.json|work)$/, ""));
  const swept: string[] = [];
  for (const name of new Set(staging)) {
    if (!(await isAbandoned(join(builds, name), now))) continue;
    await removeStaging(join(builds, name));
    swept.push(name);
  }
  return swept.sort();
}

async function removeStaging(dir: string): Promise<void> {
  await rm(dir, {recursive: true, force: true});
  await rm(`${dir}${WORK_SUFFIX}`, {recursive: true, force: true});
  await rm(`${dir}${OWNER_SUFFIX}`, {force: true});
}

async function isAbandoned(dir: string, now: number): Promise<boolean> {
  const owner = await readOwner(`${dir}${OWNER_SUFFIX}`);
  if (owner !== null && isProvenDead(owner)) return true;
  const changed = await Promise.all(
    [dir, `${dir}${WORK_SUFFIX}`, `${dir}${OWNER_SUFFIX}`].map((path) => stat(path).catch(() => null)),
  );
  return changed.every((found) => found === null || now - found.mtimeMs > unprovableMs);
}

/** Gives the owner of a staging folder; null where it cannot be read, and then age alone decides. */
async function readOwner(path: string): Promise<ProcessIdentity | null> {
  try {
    return ProcessIdentity.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}
