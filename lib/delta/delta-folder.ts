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
  /**
   * Reads every segment on from where it stopped and hands over the records that are new, segments in order of their names.
   * Long segments are read in pieces, between which other work of the process goes on.
   */
  poll(take: (placed: PlacedRecord) => void): Promise<void>;
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

/** So much of a segment is read at once; a piece without a whole line is made longer. */
const PIECE_BYTES = 1024 * 1024;

/** A reader of all segments of a delta folder, of every process; it never writes. */
export function createDeltaReader(folder: string, {pieceBytes = PIECE_BYTES} = {}): DeltaReader {
  const readings = new Map<string, SegmentReading>();

  async function readSegment(file: SegmentFile, take: (placed: PlacedRecord) => void): Promise<void> {
    const known = readings.get(file.name);
    // What has its `end` grows no more; it may only have been moved.
    if (known?.state.ended) {
      readings.set(file.name, {...known, file});
      return;
    }
    const handle = await openWhereItIs(file);
    if (handle === null) return;
    try {
      let state = known?.state ?? freshSegment;
      const {size} = await handle.stat();
      for (let length = pieceBytes; ; ) {
        const bytes = await bytesFrom(handle, state.validBytes, Math.min(length, size - state.validBytes));
        const step = readOn(state, bytes);
        for (const {record, end} of step.records) take({record, segment: file.name, end});
        const read = state.validBytes + bytes.length;
        length = step.state.validBytes > state.validBytes ? pieceBytes : length * 2;
        state = step.state;
        readings.set(file.name, {file, state, sizeBytes: read});
        if (read >= size || bytes.length === 0) break;
      }
    } finally {
      await handle.close();
    }
  }

  /** A segment that a build retires between the listing and the opening is not missed: it is read in its new place. */
  async function openWhereItIs({path, name}: SegmentFile): Promise<FileHandle | null> {
    return (await openForReading(path)) ?? openForReading(join(folder, "retired", name));
  }

  return {
    async poll(take) {
      const files = await listSegments(folder);
      const names = new Set(files.map(({name}) => name));
      for (const name of readings.keys()) if (!names.has(name)) readings.delete(name);
      for (const file of files) await readSegment(file, take);
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

/** Null for a segment that is not there (any more). */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

/** Fewer bytes than asked for where the file ends. */
async function bytesFrom(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, length));
  let filled = 0;
  while (filled < bytes.length) {
    const {bytesRead} = await handle.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
