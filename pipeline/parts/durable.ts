import {chmod, open, readdir, rename} from "node:fs/promises";
import {dirname, join} from "node:path";
import {setFolderMode, sharedFolder, syncFolder, withFilePath} from "@open-cattle/safe-files";

/** Points at which a test can kill the build, in build order (`docs/design/reliability.md` section 8, B1). */
export const failpoints = [
  "probed",
  "locked",
  "planned",
  "staging",
  "part-staged",
  "parts-staged",
  "before-manifest",
  "after-manifest",
  "before-rename",
  "after-rename",
  "before-symlink",
  "before-swap",
  "after-swap",
] as const;
export type Failpoint = (typeof failpoints)[number];

const FILE_MODE = 0o440;

/** Makes a file's content survive a power cut. A failed fsync is never retried: the caller discards the stage. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path);
  await withFilePath(path, file.sync());
}

/** Syncs every file below a folder. */
export async function syncFilesBelow(dir: string): Promise<void> {
  for (const entry of await readdir(dir, {withFileTypes: true})) {
    const path = join(dir, entry.name);
    await (entry.isDirectory() ? syncFilesBelow(path) : syncFile(path));
  }
}

/** Syncs a folder and all folders below it, deepest first. */
export async function syncFoldersBelow(dir: string): Promise<void> {
  for (const entry of await readdir(dir, {withFileTypes: true})) {
    if (entry.isDirectory()) await syncFoldersBelow(join(dir, entry.name));
  }
  await syncFolder(dir);
}

/** Renames and makes the new name survive a power cut. The content must have been synced before. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes every file below a folder read-only and sets the mode of the folders (`docs/design/reliability.md` section 2.1). */
export async function closeForWriting(dir: string): Promise<void> {
  for (const entry of await readdir(dir, {withFileTypes: true})) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await closeForWriting(path);
    else await chmod(path, FILE_MODE);
  }
  setFolderMode(dir, sharedFolder);
}

/** Simulates a crash: kills this process if the environment has `FAILPOINT=<place>`; otherwise does nothing. */
export function passFailpoint(place: Failpoint): void {
  if (process.env["FAILPOINT"] === place) process.kill(process.pid, "SIGKILL");
}
