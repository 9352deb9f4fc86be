import {type FileHandle, open, readdir} from "node:fs/promises";
import {join} from "node:path";
import type {PlacedRecord} from "./overlay.ts";
import {isSegmentName} from "./segment-files.ts";
import {freshSegment, readOn, type SegmentState} from "./segment-reader.ts";

/** A segment as it lies on disk. */
export type SegmentFile = {readonly name: string; readonly path: string; readonly retired: boolean};

/** One segment with what was found in it so far. */
export type SegmentReading = {
  readonly file: SegmentFile;
  readonly state: SegmentState;
  readonly sizeBytes: number;
};

export type DeltaReader = {
  /** Reads every segment on from where it stopped and gives the records that are new, segments in order of their names. */
  poll(): Promise<PlacedRecord[]>;
  /** The segments with their state after the last poll. */
  segments(): SegmentReading[];
};

/** Segments of `delta/` and `delta/retired/`, sorted by name; absent folders have none. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const live = await namesIn(folder);
  const retired = await namesIn(join(folder, "retired"));
  const files = [
    ...live.map((name) => ({name, path: join(folder, name), retired: false})),
    ...retired.map((name) => ({name, path: join(folder, "retired", name), retired: true})),
  ];
  // Listed between the two sides of a rename, a segment would stand twice.
  const byName = new Map(files.map((file) => [file.name, file]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A reader of all segments of a delta folder, of every process; it never writes. */
export function createDeltaReader(folder: string): DeltaReader {
  const readings = new Map<string, SegmentReading>();

  async function readSegment(file: SegmentFile): Promise<PlacedRecord[]> {
    const state = readings.get(file.name)?.state ?? freshSegment;
    const handle = await openForReading(file.path);
    if (handle === null) return [];
    try {
      const bytes = await bytesFrom(handle, state.validBytes);
      const step = readOn(state, bytes);
      readings.set(file.name, {file, state: step.state, sizeBytes: state.validBytes + bytes.length});
      return step.records.map(({record, end}) => ({record, segment: file.name, end}));
    } finally {
      await handle.close();
    }
  }

  return {
    async poll() {
      const files = await listSegments(folder);
      const names = new Set(files.map(({name}) => name));
      for (const name of readings.keys()) if (!names.has(name)) readings.delete(name);
      const fresh: PlacedRecord[] = [];
      for (const file of files) fresh.push(...(await readSegment(file)));
      return fresh;
    },
    segments: () => [...readings.values()],
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isSegmentName);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
}

/** Null for a segment that was renamed or removed since it was listed: the next poll finds it where it is. */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

async function bytesFrom(handle: FileHandle, position: number): Promise<Buffer> {
  const {size} = await handle.stat();
  const bytes = Buffer.alloc(Math.max(0, size - position));
  let filled = 0;
  while (filled < bytes.length) {
    const {bytesRead} = await handle.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
