import {replaceOfHandles, type Watched, withStrikes} from "../../../packages/safe-files/test/strikes.ts";

/** Number of file system calls, and the path of the failed one. */
export type FaultyRun = {readonly calls: number; readonly failed: string | null};

/**
 * Runs some work in which the k-th sync or watched call of this process fails with EIO, as on a broken disk; returns how many
 * calls there were.
 */
export async function withFault(
  k: number,
  watched: readonly Watched[],
  work: () => Promise<unknown>,
): Promise<FaultyRun> {
  let calls = 0;
  let failed: string | null = null;
  const strike = (what: string, path: string): void => {
    // A lock that cannot be released is taken over once this process is gone, which no second build can show here.
    if (path.endsWith("build.lock") || what === "write") return;
    calls += 1;
    if (calls !== k) return;
    failed = path;
    throw Object.assign(new Error(`EIO: i/o error, ${what} '${path}'`), {code: "EIO"});
  };
  await withStrikes(watched, strike, work);
  return {calls, failed};
}

/**
 * Runs some work in which the k-th read of an open file fails with EIO, as at a bad disk block; returns how many reads there
 * were.
 */
export async function withBadRead(k: number, work: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const undo = await replaceOfHandles("read", "read", () => {
    reads += 1;
    if (reads === k) throw Object.assign(new Error("EIO: i/o error, read"), {code: "EIO"});
  });
  try {
    await work();
  } finally {
    undo();
  }
  return reads;
}
