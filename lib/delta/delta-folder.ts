import {type FileHandle, readdir} from "node:fs/promises";
import {join} from "node:path";
import {kindOf, NotAFile, openForeign} from "@open-cattle/safe-files";
import type {PlacedRecord} from "./overlay.ts";
import {isSegmentName} from "./segment-files.ts";
import {continueReading, initialState, type SegmentState} from "./segment-reader.ts";

/** A segment file; `retired` when a build has moved it to `retired/`. */
export type SegmentFile = {readonly name: string; readonly path: string; readonly retired: boolean};

/** A segment with its state and size after the last poll. */
export type SegmentReading = {
  readonly file: SegmentFile;
  readonly state: SegmentState;
  readonly sizeBytes: number;
};

/** An entry with a segment's name that is not a file; it is never opened. */
export type NonFileEntry = {readonly path: string; readonly fault: string};

/** A segment that could not be opened or read in the last poll, with the error of the system. */
export type UnreadableSegment = {readonly file: SegmentFile; readonly error: NodeJS.ErrnoException};

/** The segments of `delta/` and `delta/retired/`, sorted by name; empty when the folders are absent. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  return (await scanFolder(folder)).segments;
}

/** The entries of `delta/` and `delta/retired/` that have a segment's name but are not files. */
export async function nonFileEntries(folder: string): Promise<NonFileEntry[]> {
  return (await scanFolder(folder)).nonFiles;
}

async function scanFolder(folder: string): Promise<{segments: SegmentFile[]; nonFiles: NonFileEntry[]}> {
  const byName = new Map<string, SegmentFile>();
  const nonFiles: NonFileEntry[] = [];
  for (const retired of [false, true]) {
    const dir = retired ? join(folder, "retired") : folder;
    for (const entry of await entriesIn(dir)) {
      const [name, path] = [entry.name, join(dir, entry.name)];
      // A segment that is moved between the two listings shows up in both.
      if (entry.isFile()) byName.set(name, {name, path, retired});
      else nonFiles.push({path, fault: `expected a segment, got ${kindOf(entry)}`});
    }
  }
  return {segments: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), nonFiles};
}

/** Bytes read at once. A chunk without a complete line is read again at twice the length. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads the segments that all processes wrote to a delta folder; it never writes. */
export class DeltaReader {
  readonly #folder: string;
  readonly #chunkBytes: number;
  readonly #readings = new Map<string, SegmentReading>();
  #nonFiles: readonly NonFileEntry[] = [];

  constructor(folder: string, {chunkBytes = CHUNK_BYTES} = {}) {
    this.#folder = folder;
    this.#chunkBytes = chunkBytes;
  }

  /**
   * Reads every segment from where the last poll stopped and passes on the new records, segment by segment in
   * order of name. Long segments are read in chunks, so that the event loop is not blocked. Throws for an
   * unreadable segment, once all others are read.
   */
  async poll(take: (placed: PlacedRecord) => void): Promise<void> {
    const [first] = await this.pollReadable(take);
    if (first !== undefined) throw first.error;
  }

  /**
   * As `poll`, but returns the segments that could not be opened or read. Their other records follow in a later
   * poll that can read them.
   */
  async pollReadable(take: (placed: PlacedRecord) => void): Promise<UnreadableSegment[]> {
    const {segments: files, nonFiles} = await scanFolder(this.#folder);
    this.#nonFiles = nonFiles;
    const names = new Set(files.map(({name}) => name));
    for (const name of this.#readings.keys()) if (!names.has(name)) this.#readings.delete(name);
    const unreadable: UnreadableSegment[] = [];
    for (const file of files) {
      try {
        await this.#readSegment(file, take);
      } catch (error) {
        if (!isFileError(error)) throw error;
        unreadable.push({file, error});
      }
    }
    return unreadable;
  }

  /** A reader that continues from the current position of this one. */
  copy(): DeltaReader {
    const reader = new DeltaReader(this.#folder, {chunkBytes: this.#chunkBytes});
    for (const [name, reading] of this.#readings) reader.#readings.set(name, reading);
    return reader;
  }

  /** The segments with their state after the last poll. */
  segments(): SegmentReading[] {
    return [...this.#readings.values()];
  }

  /** The entries that the last poll skipped because they are not files. */
  nonFiles(): readonly NonFileEntry[] {
    return this.#nonFiles;
  }

  async #readSegment(file: SegmentFile, take: (placed: PlacedRecord) => void): Promise<void> {
    const earlierReading = this.#readings.get(file.name);
    // A segment with its `end` line does not grow any more, but it may have been moved.
    if (earlierReading?.state.ended) {
      this.#readings.set(file.name, {...earlierReading, file});
      return;
    }
    const handle = await this.#openWhereItIs(file);
    if (handle === null) return;
    try {
      let state = earlierReading?.state ?? initialState;
      const {size} = await handle.stat();
      for (let length = this.#chunkBytes; ; ) {
        const bytes = await bytesFrom(handle, state.validBytes, Math.min(length, size - state.validBytes));
        const step = continueReading(state, bytes);
        for (const {record, end} of step.records) take({record, segment: file.name, end});
        const read = state.validBytes + bytes.length;
        length = step.state.validBytes > state.validBytes ? this.#chunkBytes : length * 2;
        state = step.state;
        this.#readings.set(file.name, {file, state, sizeBytes: read});
        if (read >= size || bytes.length === 0) break;
      }
    } finally {
      await handle.close();
    }
  }

  /** Opens a segment, even if a build moved it to `retired/` after the listing; null when it is gone. */
  async #openWhereItIs({path, name}: SegmentFile): Promise<FileHandle | null> {
    return (await openForReading(path)) ?? openForReading(join(this.#folder, "retired", name));
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

async function entriesIn(folder: string) {
  try {
    return (await readdir(folder, {withFileTypes: true})).filter(({name}) => isSegmentName(name));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
}

/** Opens a file; null when it has disappeared or was replaced by something else since the listing. */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await openForeign(path);
  } catch (fault) {
    if (fault instanceof NotAFile) return null;
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

/** Reads `length` bytes from a position on; fewer at the end of the file. */
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
