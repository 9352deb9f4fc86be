import {open, readdir, readFile, rename, rm, stat} from "node:fs/promises";
import {basename, join} from "node:path";
import {
  copyWhole,
  isProvenDead,
  makeOwnFolder,
  privateFolder,
  syncFolder,
  withFilePath,
  writeAll,
} from "@open-cattle/safe-files";
import {DeltaReader, listSegments, type SegmentFile} from "../../lib/delta/delta-folder.ts";
import {crcText, encodeLine} from "../../lib/delta/segment-files.ts";
import {continueReading, initialState} from "../../lib/delta/segment-reader.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {Manifest} from "../../schemas/manifest.ts";

type RepairOutcome =
  /** The segment already has its `end`, or its writer may still be alive; nothing was changed. */
  | {readonly kind: "whole" | "writer_not_proven_dead"}
  /** It had no record and no header naming a writer, and was older than a day; it was removed. */
  | {readonly kind: "removed"}
  /** The tail was cut off and the segment ended; `quarantine/` has a copy of the original. */
  | {
      readonly kind: "repaired";
      readonly cutBytes: number;
      readonly records: number;
      readonly badLines: number;
    };

/** No writer takes this long to write a segment's header. */
const beginningMs = 24 * 3_600_000;

/** A segment, with the facts that decide whether it stays live. */
type SegmentFacts = {
  readonly file: SegmentFile;
  /** True once it has its `end`, after which it never grows. */
  readonly ended: boolean;
  readonly bytes: number;
  readonly badLines: number;
  /** States with records in it. */
  readonly states: ReadonlySet<string>;
};

/** Ends the live segments of writers proven dead; returns the outcomes by name. Call it with the build lock held. */
export async function repairSegments(deltaFolder: string): Promise<Map<string, RepairOutcome>> {
  const done = new Map<string, RepairOutcome>();
  for (const file of await listSegments(deltaFolder)) {
    if (!file.retired) done.set(file.name, await repairSegment(file, deltaFolder));
  }
  return done;
}

/**
 * Moves segments that the published build has completely merged, for every state, into `retired/` and returns their names. A segment that
 * may still grow, or has a record of a state missing in the build, stays (`docs/design/reliability.md` section 3.4).
 */
export async function retireSegments(data: DataFolder): Promise<string[]> {
  const buildId = await currentBuildId(data);
  if (buildId === null) return [];
  const manifest = await readManifest(buildFolder(data, buildId));
  const live = (await segmentFacts(data.delta)).filter(({file}) => !file.retired);
  const consumed = live.filter((segment) => hasConsumed(manifest, segment));
  if (consumed.length === 0) return [];
  const retired = join(data.delta, "retired");
  makeOwnFolder(retired, privateFolder);
  for (const {file} of consumed) await rename(file.path, join(retired, file.name));
  await syncFolder(retired);
  await syncFolder(data.delta);
  return consumed.map(({file}) => file.name);
}

/** Returns the retired segments that every one of these builds has merged for every state, so that nothing needs them any more. */
export async function unneededSegments({delta}: DataFolder, builds: readonly Manifest[]): Promise<string[]> {
  if (builds.length === 0) return [];
  const retired = (await segmentFacts(delta)).filter(({file}) => file.retired);
  return retired
    .filter((segment) => builds.every((manifest) => hasConsumed(manifest, segment)))
    .map(({file}) => file.name);
}

/** Returns the copies in `quarantine/` from before an instant. */
export async function oldQuarantine({delta}: DataFolder, beforeMs: number): Promise<string[]> {
  const folder = join(delta, "quarantine");
  const names = await readdir(folder).catch(() => []);
  const old: string[] = [];
  for (const name of names) if ((await stat(join(folder, name))).mtimeMs < beforeMs) old.push(name);
  return old.sort();
}

/** Removes retired segments and old copies, by name. */
export async function removeSegments(
  {delta}: DataFolder,
  {segments, quarantine}: {segments: readonly string[]; quarantine: readonly string[]},
): Promise<void> {
  for (const name of segments) await rm(join(delta, "retired", name));
  if (segments.length > 0) await syncFolder(join(delta, "retired"));
  for (const name of quarantine) await rm(join(delta, "quarantine", name), {force: true});
}

/** Reads all segments to their ends and returns the facts of each; one that cannot be read is left out, or counts as not ended. */
export async function segmentFacts(deltaFolder: string): Promise<SegmentFacts[]> {
  const reader = new DeltaReader(deltaFolder);
  const states = new Map<string, Set<string>>();
  const unreadable = await reader.pollReadable(({record, segment}) => {
    if (record.kind !== "upsert") return;
    const own = states.get(segment) ?? new Set();
    states.set(segment, own.add(record.key.state));
  });
  const unread = new Set(unreadable.map(({file}) => file.name));
  return reader.segments().map(({file, state, sizeBytes}) => ({
    file,
    ended: state.ended && !unread.has(file.name),
    bytes: sizeBytes,
    badLines: state.badLines,
    states: states.get(file.name) ?? new Set(),
  }));
}

/**
 * True if a build has merged a segment to its last byte, for every state of either. False for one that may still grow, and for a damaged one
 * if the build has no state, whose watermark would say that the damage was accepted.
 */
export function hasConsumed(
  {states}: Pick<Manifest, "states">,
  {file, ended, bytes, badLines, states: concerned}: SegmentFacts,
): boolean {
  if (!ended || [...concerned].some((state) => states[state] === undefined)) return false;
  if (badLines > 0 && Object.keys(states).length === 0) return false;
  return Object.values(states).every(({delta}) =>
    delta.some((mark) => mark.segment === file.name && mark.bytes === bytes),
  );
}

/**
 * Ends a segment whose writer is proven dead and returns the outcome: the file is copied to `quarantine/`, truncated after its last good
 * line, and given its `end` (`docs/design/reliability.md` section 3.3). Damage in the middle stays and is counted, so that the build's gate
 * sees it.
 */
export async function repairSegment(file: SegmentFile, deltaFolder: string): Promise<RepairOutcome> {
  const bytes = await readFile(file.path);
  const {state} = continueReading(initialState, bytes);
  if (state.ended) return {kind: "whole"};
  if (state.header === null && state.records === 0 && (await isOld(file))) {
    if (bytes.length > 0) await keepCopy(file, deltaFolder);
    await rm(file.path);
    return {kind: "removed"};
  }
  if (state.header === null || !isProvenDead(state.header.writer)) return {kind: "writer_not_proven_dead"};
  await keepCopy(file, deltaFolder);
  await using handle = await open(file.path, "r+");
  await withFilePath(file.path, handle.truncate(state.validBytes));
  await withFilePath(file.path, handle.datasync());
  const end = encodeLine({kind: "end", count: state.records, crc: crcText(state.crcOfCrcs)});
  await writeAll(handle, file.path, end, state.validBytes);
  await withFilePath(file.path, handle.datasync());
  const cutBytes = bytes.length - state.validBytes;
  return {kind: "repaired", cutBytes, records: state.records, badLines: state.badLines};
}

async function isOld({path}: SegmentFile): Promise<boolean> {
  return Math.abs(Date.now() - (await stat(path)).mtimeMs) > beginningMs;
}

async function keepCopy(file: SegmentFile, deltaFolder: string): Promise<void> {
  const folder = join(deltaFolder, "quarantine");
  makeOwnFolder(folder, privateFolder);
  for (let n = 1; ; n++) {
    const copy = join(folder, n === 1 ? basename(file.path) : `${basename(file.path)}.${n}`);
    // A repair killed after truncating has already saved a copy of the original; that one matters.
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
