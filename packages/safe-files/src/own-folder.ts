import {chmodSync, mkdirSync, statSync} from "node:fs";
import {dirname} from "node:path";

/** Folders that only we read; and those that the analysts of our group read too. */
export const privateFolder = 0o700;
export const sharedFolder = 0o750;

/**
 * Makes a folder, and the missing ones above it, with this mode whatever the umask is. A folder that is there keeps its own. Throws the
 * error of the system, also for a file of that name.
 */
export function makeOwnFolder(path: string, mode: number): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeOwnFolder(dirname(path), mode);
    makeOwnFolder(path, mode);
    return;
  }
  chmodSync(path, mode);
}
