import {appendFileSync, rmSync, statSync, truncateSync} from "node:fs";

/** Writes until the disk takes nothing more, leaves so many bytes of that free, and gives what frees the rest. */
export function fillDisk(path: string, leave = 0): () => void {
  for (const size of [64 * 1024, 4096, 512, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size, 1));
    } catch {
      // It takes no piece of this size any more.
    }
  }
  if (leave > 0) truncateSync(path, Math.max(0, statSync(path).size - leave));
  return () => rmSync(path, {force: true});
}
