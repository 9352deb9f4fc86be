import {join} from "node:path";
import {crc32} from "node:zlib";
import {DELTA_FORMAT, type DeltaHeader, type DeltaRecord} from "../../schemas/delta-record.ts";
import {crcText, encodeLine} from "./line.ts";
import {type SegmentFiles, type SegmentHandle, segmentName} from "./segment-files.ts";

/** A record with its encoded line and the byte at which that line ends in the segment. */
export type SegmentLine = {readonly record: DeltaRecord; readonly line: Buffer; readonly end: number};

/** A segment of a delta folder that this process has open and appends to. */
export class OpenSegment {
  readonly name: string;
  readonly openedAt: number;
  /** Bytes written so far. */
  bytes = 0;
  /** Data records written or in the batch that is being written. */
  records = 0;
  readonly #handle: SegmentHandle;
  #crcOfCrcs = 0;

  private constructor(name: string, handle: SegmentHandle, openedAt: number) {
    this.name = name;
    this.#handle = handle;
    this.openedAt = openedAt;
  }

  /** Creates a segment with its header, synced with its folder. Throws when the disk refuses any of that. */
  static async create(
    folder: string,
    files: SegmentFiles,
    {writer, baseBuildId, startedAt}: Omit<DeltaHeader, "kind" | "format" | "startedAt"> & {startedAt: Date},
  ): Promise<OpenSegment> {
    const name = segmentName(startedAt, writer.pid);
    const segment = new OpenSegment(name, await files.create(join(folder, name)), startedAt.getTime());
    try {
      const header = {kind: "header", format: DELTA_FORMAT, writer, baseBuildId} as const;
      await segment.write([encodeLine({...header, startedAt: startedAt.toISOString()})]);
      await files.syncFolder(folder);
      // A crash may tear the header line: readers skip the empty line that keeps the first record off it.
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
  }

  /** Writes the `end` line and closes the segment. A fault is ignored: every record was synced before. */
  async end(): Promise<void> {
    try {
      await this.write([encodeLine({kind: "end", count: this.records, crc: crcText(this.#crcOfCrcs)})]);
    } catch {
      // A segment without `end` is repaired once its writer is dead.
    }
    await this.abandon();
  }

  /** Closes the file without another sync, which could succeed although the data is gone. */
  async abandon(): Promise<void> {
    try {
      await this.#handle.close();
    } catch {
      // A close that fails loses nothing: every acknowledged byte was synced before.
    }
  }

  async #append(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const written = await this.#handle.append(rest);
      if (written <= 0) throw new Error("the disk took no byte");
      rest = rest.subarray(written);
      this.bytes += written;
    }
  }
}
