import {randomBytes} from "node:crypto";
import {link, readdir, rm, statfs} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, sharedFolder, writeScratch} from "@open-cattle/safe-files";
import {UserError} from "../../lib/errors.ts";
import {type DataFolder, refuseNetworkFileSystem} from "../../lib/storage/data-folder.ts";
import {passFailpoint} from "./durable.ts";

/** Measured on the corpus: parcel rows and keys take 2 to 4 times their raw bytes, compressed ones up to 12 times. */
const outputPerRawByte = 4;
const outputPerPackedByte = 12;
/**
 * Safety margin of `docs/design/reliability.md` section 2.1, needed by the spill of the large sort (`docs/design/measurements.md` section
 * 6).
 */
const spareFactor = 1.3;
const probePrefix = ".probe-";
const minBytes = 64 * 2 ** 20;

/** Throws a `UserError` if the data folder is on a network file system or on one without hard links. Creates the folder if absent. */
export async function checkFileSystem({builds}: DataFolder, allowNetwork: boolean): Promise<void> {
  makeOwnFolder(builds, sharedFolder);
  await refuseNetworkFileSystem(builds, allowNetwork);
  await checkHardLinks(builds);
}

/** Estimates the bytes that a build of these inputs may write, including the safety margin. */
export function bytesNeeded(files: readonly {path: string; sizeBytes: number}[]): number {
  const output = files.reduce((sum, {path, sizeBytes}) => sum + sizeBytes * outputFactor(path), 0);
  return Math.max(minBytes, Math.ceil(output * spareFactor));
}

/** Throws a `UserError` if less than `needed` bytes are free. */
export async function checkFreeSpace({builds}: DataFolder, needed: number): Promise<void> {
  const free = await freeBytes(builds);
  if (free < needed) {
    const mib = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
    throw new UserError(`${builds}: ${mib(free)} free, this build may need ${mib(needed)}. Run "cattle gc".`);
  }
}

/** Returns the free bytes of a folder's file system. Throws if the folder is absent. */
export async function freeBytes(dir: string): Promise<number> {
  const {bavail, bsize} = await statfs(dir);
  return bavail * bsize;
}

function outputFactor(path: string): number {
  return /\.(gz|zip|parquet)$/i.test(path) ? outputPerPackedByte : outputPerRawByte;
}

/** Removes the probes that a killed process left among the builds. Call it with the build lock held. */
export async function sweepProbes({builds}: DataFolder): Promise<void> {
  for (const name of await readdir(builds)) {
    if (name.startsWith(probePrefix)) await rm(join(builds, name), {force: true});
  }
}

/** The probe file is empty, because that fits even on a full disk, and has a fresh name. */
async function checkHardLinks(builds: string): Promise<void> {
  const probe = join(builds, `${probePrefix}${randomBytes(4).toString("hex")}`);
  try {
    await writeScratch(probe, [""], {fresh: true});
    await link(probe, `${probe}-link`);
    passFailpoint("probed");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const what = /^(EROFS|EACCES|ENOSPC|EDQUOT)$/.test(code) ? "cannot be written" : "no hard links here";
    throw new UserError(`${builds}: ${what} (${code}).`);
  } finally {
    await rm(probe, {force: true});
    await rm(`${probe}-link`, {force: true});
  }
}
