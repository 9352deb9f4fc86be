import {mkdir, readdir, rm, stat} from "node:fs/promises";
import {join} from "node:path";
import {isProvenDead, ownIdentity} from "../../lib/process/process-identity.ts";
import {readForeign} from "../../lib/storage/foreign-file.ts";
import {writeNew} from "../../lib/storage/whole-file.ts";
import {ProcessIdentity} from "../../schemas/delta-record.ts";

/** Folders of a build, or of a part, in the making. */
export type Staging = {
  /** Becomes the folder of the build or the part. */
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

/** Makes a staging folder, which stands beside what it becomes so that it can be renamed, with the name of its owner. */
export async function makeStaging(dir: string): Promise<Staging> {
  const remove = () => removeStaging(dir);
  try {
    await writeNew(`${dir}${OWNER_SUFFIX}`, `${JSON.stringify(ownIdentity())}\n`, {mode: 0o600});
    await mkdir(dir, {mode: 0o750});
    await mkdir(`${dir}${WORK_SUFFIX}`, {mode: 0o700});
  } catch (error) {
    // The remains would be in the way of the next build of a process of this number.
    await remove();
    throw error;
  }
  return {dir, workDir: `${dir}${WORK_SUFFIX}`, remove};
}

/** Removes the staging folders of dead owners in a folder, those whose names begin so, and gives their names. */
export async function sweepStaging(
  folder: string,
  prefix: string,
  now: number = Date.now(),
): Promise<string[]> {
  const names = await readdir(folder);
  const staging = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.replace(/\.(owner\.json|work)$/, ""));
  const swept: string[] = [];
  for (const name of new Set(staging)) {
    if (!(await isAbandoned(join(folder, name), now))) continue;
    await removeStaging(join(folder, name));
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
    return ProcessIdentity.parse(JSON.parse(await readForeign(path)));
  } catch {
    return null;
  }
}
