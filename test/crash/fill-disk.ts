import {appendFileSync, rmSync, statSync, truncateSync} from "node:fs";

/** Writes until the disk is full, then frees so many bytes; returns a function that frees the rest. */
export function fillDisk(path: string, leave = 0): () => void {
  for (const size of [64 * 1024, 4096, 512, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size, 1));
    } catch {
      // No more room for a chunk of this size.
    }
  }
  if (leave > 0) truncateSync(path, Math.max(0, statSync(path).size - leave));
  return () => rmSync(path, {force: true});
}
