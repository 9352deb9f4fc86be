import fs from "node:fs";
import {open} from "node:fs/promises";
import {syncBuiltinESMExports} from "node:module";

/** Calls that can be made to fail, besides fsync and writing a file. */
export type Watched = "rename" | "symlink" | "link" | "rm" | "open" | "readdir";

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
export async function replaceOfHandles(
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
