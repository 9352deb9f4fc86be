import {type FileHandle, open, readdir} from "node:fs/promises";
import {join} from "node:path";
import type {PlacedRecord} from "./overlay.ts";
import {isSegmentName} from "./segment-files.ts";
import {freshSegment, readOn, type SegmentState} from "./segment-reader.ts";

/** The file of a segment; `retired` when a build has moved it to `retired/`. */
export type SegmentFile = {readonly name: string; readonly path: string; readonly retired: boolean};

/** A segment with its state and size after the last poll. */
export type SegmentReading = {
  readonly file: SegmentFile;
  readonly state: SegmentState;
  readonly sizeBytes: number;
};

/** The segments of `delta/` and `delta/retired/`, sorted by name; an absent folder counts as empty. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const live = await namesIn(folder);
  const retired = await namesIn(join(folder, "retired"));
  const files = [
    ...live.map((name) => ({name, path: join(folder, name), retired: false})),
    ...retired.map((name) => ({name, path: join(folder, "retired", name), retired: true})),
  ];
  // A segment that is moved between the two listings is in both.
  const byName = new Map(files.map((file) => [file.name, file]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Bytes of a segment that are read at once; a piece that holds no whole line is read again at twice the length. */
const PIECE_BYTES = 1024 * 1024;

/** Reads all segments of a delta folder, of every process; it never writes. */
export class DeltaReader {
  readonly #folder: string;
  readonly #pieceBytes: number;
  readonly #readings = new Map<string, SegmentReading>();

  constructor(folder: string, {pieceBytes = PIECE_BYTES} = {}) {
    this.#folder = folder;
    this.#pieceBytes = pieceBytes;
  }

  /**
   * Reads every segment on from where the last poll stopped and hands over the new records, segment by segment in the order
   * of names. Long segments are read in pieces, so that other work of the process goes on in between. Throws for an
   * unreadable file.
   */
  async poll(take: (placed: PlacedRecord) => void): Promise<void> {
    const files = await listSegments(this.#folder);
    const names = new Set(files.map(({name}) => name));
    for (const name of this.#readings.keys()) if (!names.has(name)) this.#readings.delete(name);
    for (const file of files) await this.#readSegment(file, take);
  }

  /** A reader that goes on from where this one is. */
  copy(): DeltaReader {
    const reader = new DeltaReader(this.#folder, {pieceBytes: this.#pieceBytes});
    for (const [name, reading] of this.#readings) reader.#readings.set(name, reading);
    return reader;
  }

  /** The segments with their state after the last poll. */
  segments(): SegmentReading[] {
    return [...this.#readings.values()];
  }

  async #readSegment(file: SegmentFile, take: (placed: PlacedRecord) => void): Promise<void> {
    const known = this.#readings.get(file.name);
    // A segment with its `end` grows no more; it may only have been moved.
    if (known?.state.ended) {
      this.#readings.set(file.name, {...known, file});
      return;
    }
    const handle = await this.#openWhereItIs(file);
    if (handle === null) return;
    try {
      let state = known?.state ?? freshSegment;
      const {size} = await handle.stat();
      for (let length = this.#pieceBytes; ; ) {
        const bytes = await bytesFrom(handle, state.validBytes, Math.min(length, size - state.validBytes));
        const step = readOn(state, bytes);
        for (const {record, end} of step.records) take({record, segment: file.name, end});
        const read = state.validBytes + bytes.length;
        length = step.state.validBytes > state.validBytes ? this.#pieceBytes : length * 2;
        state = step.state;
        this.#readings.set(file.name, {file, state, sizeBytes: read});
        if (read >= size || bytes.length === 0) break;
      }
    } finally {
      await handle.close();
    }
  }

  /** Opens a segment, also one that a build moved to `retired/` after the listing; null for one that is gone. */
  async #openWhereItIs({path, name}: SegmentFile): Promise<FileHandle | null> {
    return (await openForReading(path)) ?? openForReading(join(this.#folder, "retired", name));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isSegmentName);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
}

/** Opens a file; null for one that is not there (any more). */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

/** Reads `length` bytes from a position on, fewer at the end of the file. */
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
