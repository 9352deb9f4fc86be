import fs from "node:fs";
import {open} from "node:fs/promises";
import {syncBuiltinESMExports} from "node:module";

/** Calls that can be made to fail, besides fsync and writing a file. */
export type Watched = "rename" | "symlink" | "link" | "rm" | "open" | "readdir";

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

/** Runs some work and calls `strike` before each watched call, sync and write of a file handle; it may throw instead. */
export async function withStrikes(
  watched: readonly Watched[],
  strike: Strike,
  work: () => Promise<unknown>,
): Promise<void> {
  const restore = [
    await replaceOfHandles("sync", "fsync", strike),
    await replaceOfHandles("write", "write", strike),
    ...watched.map((name) => replace(name, strike)),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
}

type Strike = (what: string, path: string) => unknown;

function replace(name: Watched, strike: Strike): () => void {
  const real = fs.promises[name] as (...values: unknown[]) => Promise<unknown>;
  const faulty = async (...values: unknown[]) => {
    const isToRead = name === "open" && !String(values[1]).startsWith("w");
    if (isToRead) await strike("read", String(values[0]));
    else await strike(name, String(values[name === "symlink" || name === "link" ? 1 : 0]));
    return real(...values);
  };
  Object.assign(fs.promises, {[name]: faulty});
  syncBuiltinESMExports();
  return () => Object.assign(fs.promises, {[name]: real});
}

/** File handle calls have no path, only a descriptor. */
async function replaceOfHandles(
  name: "sync" | "write" | "read",
  what: string,
  strike: Strike,
): Promise<() => void> {
  await using handle = await open("/dev/null");
  const prototype = Object.getPrototypeOf(handle) as Record<string, (...values: unknown[]) => Promise<void>>;
  const real = prototype[name]!;
  prototype[name] = async function (this: unknown, ...values: unknown[]) {
    await strike(what, "");
    return real.apply(this, values);
  };
  return () => {
    prototype[name] = real;
  };
}
