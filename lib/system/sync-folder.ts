import {open} from "node:fs/promises";
import {withFilePath} from "./whole-file.ts";

/**
 * Syncs a folder, so that creations, renames and removals in it survive a power cut. Throws when the disk
 * refuses.
 */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await withFilePath(folder, handle.sync());
}
