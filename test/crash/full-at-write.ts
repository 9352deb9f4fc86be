import {execFileSync} from "node:child_process";
import fs from "node:fs";
import {open} from "node:fs/promises";
import {syncBuiltinESMExports} from "node:module";
import {join} from "node:path";
import {fillDisk} from "./fill-disk.ts";

// Preloaded before a command: it lists the command's file writes, and fills the disk before one of them.
const {FULL_AT, FULL_DISK = "", FULL_LIST = ""} = process.env;
Error.stackTraceLimit = 20;

const writes: string[] = [];
function countWrite(): void {
  // The program lines that led to the write.
  const lines = new Error().stack!.matchAll(/\/((?:lib|pipeline|server)\/[^\s():]+:\d+)/g);
  writes.push([...lines].map(([, line]) => line).join(" "));
  if (writes.length !== Number(FULL_AT)) return;
  const {bavail, bsize} = fs.statfsSync(FULL_DISK);
  execFileSync("fallocate", ["-l", String((bavail - 16) * bsize), join(FULL_DISK, "filler")]);
  fillDisk(join(FULL_DISK, "filler-rest"));
}

type Call = (...values: unknown[]) => unknown;

function countCallsOf(owner: object, name: string): void {
  const calls = owner as Record<string, Call>;
  const real = calls[name]!;
  calls[name] = function (this: unknown, ...values: unknown[]) {
    countWrite();
    return real.apply(this, values);
  };
}

// Its document reader processes are excluded.
if (process.argv[1]?.endsWith("bin/cattle.js")) {
  await using handle = await open("/dev/null");
  countCallsOf(Object.getPrototypeOf(handle) as object, "write");
  for (const name of ["write", "writev"]) countCallsOf(fs, name);
  countCallsOf(fs.promises, "copyFile");
  syncBuiltinESMExports();
  process.once("exit", () => fs.writeFileSync(FULL_LIST, JSON.stringify(writes)));
}
