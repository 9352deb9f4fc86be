import fs from "node:fs";
import {open} from "node:fs/promises";
import {syncBuiltinESMExports} from "node:module";

/** Calls that can be made to fail, beside fsync. */
export type Watched = "rename" | "symlink" | "link" | "rm";

/** The number of calls of the file system, and the path of the call that failed. */
export type FaultyRun = {readonly calls: number; readonly failed: string | null};

/**
 * Runs some work during which the k-th sync or watched call of this process fails with EIO, as on a broken disk; other calls go
 * through. Gives how many there were.
 */
export async function withFault(
  k: number,
  watched: readonly Watched[],
  work: () => Promise<unknown>,
): Promise<FaultyRun> {
  let calls = 0;
  let failed: string | null = null;
  const strike = (what: string, path: string): void => {
    // A lock that cannot be given back is taken over when this process is gone: no second build can show that here.
    if (path.endsWith("build.lock")) return;
    calls += 1;
    if (calls !== k) return;
    failed = path;
    throw Object.assign(new Error(`EIO: i/o error, ${what} '${path}'`), {code: "EIO"});
  };
  const restore = [...watched.map((name) => replace(name, strike)), await replaceSync(strike)];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
  return {calls, failed};
}

type Strike = (what: string, path: string) => void;

function replace(name: Watched, strike: Strike): () => void {
  const real = fs.promises[name] as (...values: unknown[]) => Promise<void>;
  const faulty = async (...values: unknown[]) => {
    strike(name, String(values[name === "symlink" || name === "link" ? 1 : 0]));
    return real(...values);
  };
  Object.assign(fs.promises, {[name]: faulty});
  syncBuiltinESMExports();
  return () => Object.assign(fs.promises, {[name]: real});
}

/** A failed sync names no path: the descriptor has none. */
async function replaceSync(strike: Strike): Promise<() => void> {
  await using handle = await open("/dev/null");
  const prototype = Object.getPrototypeOf(handle) as {sync(): Promise<void>};
  const real = prototype.sync;
  prototype.sync = async function (this: unknown) {
    strike("fsync", "");
    return real.call(this);
  };
  return () => {
    prototype.sync = real;
  };
}
