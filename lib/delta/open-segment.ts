import {basename, join} from "node:path";
import {crc32} from "node:zlib";
import {DELTA_FORMAT, type DeltaHeader, type DeltaRecord} from "../../schemas/delta-record.ts";
import {crcText, encodeLine, type SegmentFiles, type SegmentHandle, segmentName} from "./segment-files.ts";

/** A record with its encoded line and the byte offset at which the line ends in the segment. */
export type SegmentLine = {readonly record: DeltaRecord; readonly line: Buffer; readonly end: number};

/** A segment that this process has open for appending. */
export class OpenSegment {
  readonly name: string;
  /** Bytes written so far. */
  bytes = 0;
  /** Data records written, including those of the current batch. */
  records = 0;
  /** Data records that are durably on disk. */
  #stored = 0;
  readonly #path: string;
  readonly #files: SegmentFiles;
  readonly #handle: SegmentHandle;
  #crcOfCrcs = 0;

  private constructor(path: string, files: SegmentFiles, handle: SegmentHandle) {
    this.name = basename(path);
    this.#path = path;
    this.#files = files;
    this.#handle = handle;
  }

  /**
   * Creates a segment with its header and syncs both the file and its folder. When the disk refuses, it
   * throws and leaves no file.
   */
  static async create(
    folder: string,
    files: SegmentFiles,
    {writer, baseBuildId, startedAt}: Omit<DeltaHeader, "kind" | "format" | "startedAt"> & {startedAt: Date},
  ): Promise<OpenSegment> {
    const path = join(folder, segmentName(startedAt, writer.pid));
    const segment = new OpenSegment(path, files, await files.create(path));
    try {
      const header = {kind: "header", format: DELTA_FORMAT, writer, baseBuildId} as const;
      await segment.write([encodeLine({...header, startedAt: startedAt.toISOString()})]);
      await files.syncFolder(folder);
      // A crash may tear the header line. The empty line keeps the first record apart from it; readers skip
      // it.
      await segment.#append(Buffer.from("\n"));
    } catch (fault) {
      await segment.abandon();
      throw fault;
    }
    return segment;
  }

  /** Appends lines and syncs them. Throws when the disk refuses; the segment must then be abandoned. */
  async write(lines: readonly Buffer[]): Promise<void> {
    await this.#append(lines.length === 1 ? lines[0]! : Buffer.concat(lines));
    for (const line of lines) this.#crcOfCrcs = crc32(line.toString("latin1", 8, 16), this.#crcOfCrcs);
    await this.#handle.datasync();
    this.#stored = this.records;
  }

  /**
   * Writes the `end` line and closes the segment. Errors are ignored, because every record is already synced.
   */
  async end(): Promise<void> {
    try {
      await this.write([encodeLine({kind: "end", count: this.records, crc: crcText(this.#crcOfCrcs)})]);
    } catch {
      // A segment without its `end` line is repaired once its writer is dead.
    }
    await this.#close();
  }

  /**
   * Closes the file after an error, without another sync, which might succeed although the data is lost. A
   * segment without stored records is removed: on a full disk every attempt would leave one.
   */
  async abandon(): Promise<void> {
    await this.#close();
    try {
      if (this.#stored === 0) await this.#files.remove(this.#path);
    } catch {
      // A segment without records is harmless; a build removes it a day later.
    }
  }

  async #close(): Promise<void> {
    try {
      await this.#handle.close();
    } catch {
      // A failed close loses nothing, because every acknowledged byte is already synced.
    }
  }

  async #append(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const written = await this.#handle.append(rest);
      if (written <= 0) throw new Error("the disk wrote no bytes");
      rest = rest.subarray(written);
      this.bytes += written;
    }
  }
}
