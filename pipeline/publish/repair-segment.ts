import {mkdir, open, readFile, rm, stat} from "node:fs/promises";
import {basename, join} from "node:path";
import type {SegmentFile} from "../../lib/delta/delta-folder.ts";
import {crcText, encodeLine} from "../../lib/delta/line.ts";
import {freshSegment, readOn} from "../../lib/delta/segment-reader.ts";
import {isProvenDead} from "../../lib/process/process-identity.ts";
import {copyWhole, namingFile, writeAll} from "../../lib/storage/whole-file.ts";

export type RepairOutcome =
  /** The segment has its `end` already, or its writer may still be alive; nothing was changed. */
  | {readonly kind: "whole" | "writer_not_proven_dead"}
  /** It holds no record and has no header that names a writer, and it is older than a day; it is gone. */
  | {readonly kind: "removed"}
  /** The tail was cut off and the segment ended; `quarantine/` has a copy of the file as it was. */
  | {
      readonly kind: "repaired";
      readonly cutBytes: number;
      readonly records: number;
      readonly badLines: number;
    };

/** No writer needs so long for the header of a segment. */
const beginningMs = 24 * 3_600_000;

/**
 * Ends a segment whose writer is proven dead, and gives what was done: the file is copied to `quarantine/`, cut after its last
 * good line and given its `end` (`docs/design/reliability.md` section 3.3). Damage in the middle stays and is counted; the gate
 * of the build sees it.
 */
export async function repairSegment(file: SegmentFile, deltaFolder: string): Promise<RepairOutcome> {
  const bytes = await readFile(file.path);
  const {state} = readOn(freshSegment, bytes);
  if (state.ended) return {kind: "whole"};
  if (state.header === null && state.records === 0 && (await isOld(file))) {
    if (bytes.length > 0) await keepCopy(file, deltaFolder);
    await rm(file.path);
    return {kind: "removed"};
  }
  if (state.header === null || !isProvenDead(state.header.writer)) return {kind: "writer_not_proven_dead"};
  await keepCopy(file, deltaFolder);
  const handle = await open(file.path, "r+");
  try {
    await namingFile(file.path, handle.truncate(state.validBytes));
    await namingFile(file.path, handle.datasync());
    const end = encodeLine({kind: "end", count: state.records, crc: crcText(state.crcOfCrcs)});
    await writeAll(handle, file.path, end, state.validBytes);
    await namingFile(file.path, handle.datasync());
  } finally {
    await handle.close();
  }
  const cutBytes = bytes.length - state.validBytes;
  return {kind: "repaired", cutBytes, records: state.records, badLines: state.badLines};
}

async function isOld({path}: SegmentFile): Promise<boolean> {
  return Math.abs(Date.now() - (await stat(path)).mtimeMs) > beginningMs;
}

async function keepCopy(file: SegmentFile, deltaFolder: string): Promise<void> {
  const folder = join(deltaFolder, "quarantine");
  await mkdir(folder, {recursive: true, mode: 0o700});
  for (let n = 1; ; n++) {
    const copy = join(folder, n === 1 ? basename(file.path) : `${basename(file.path)}.${n}`);
    // A repair that was killed behind its cut left a copy of the file as it was before: that is the one that counts.
    const isTaken = await copyWhole(file.path, copy).then(() => false, takenOrThrow);
    if (!isTaken || (await isSameText(file.path, copy))) return;
  }
}

function takenOrThrow(error: NodeJS.ErrnoException): true {
  if (error.code !== "EEXIST") throw error;
  return true;
}

async function isSameText(one: string, other: string): Promise<boolean> {
  return (await readFile(one)).equals(await readFile(other));
}
