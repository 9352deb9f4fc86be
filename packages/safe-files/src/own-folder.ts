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
  setFolderMode(path, mode);
}

/**
 * Gives a folder this mode. It keeps its set-group-ID bit, by which what is made inside belongs to the folder's group. A folder that has the
 * mode is not touched: a service with `RestrictSUIDSGID` may inherit that bit and not set it.
 */
export function setFolderMode(path: string, mode: number): void {
  const {mode: own} = statSync(path);
  if ((own & 0o777) !== mode) chmodSync(path, mode | (own & 0o2000));
}
