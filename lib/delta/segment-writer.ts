import type {DeltaRecord, NewDeltaRecord, ProcessIdentity} from "../../schemas/delta-record.ts";
import {messageOf} from "../errors.ts";
import {OpenSegment, type SegmentLine} from "./open-segment.ts";
import type {PlacedRecord} from "./overlay.ts";
import {encodeLine, MAX_LINE_BYTES, type SegmentFiles, segmentFiles} from "./segment-files.ts";

export type DeltaWriterOptions = {
  folder: string;
  writer: ProcessIdentity;
  baseBuildId: string;
  /**
   * Called after the sync and before `append` resolves, so that an acknowledged record can be found at once.
   */
  onPersisted?: (persisted: PlacedRecord) => void;
  /** Called after the sync of each batch, for the metrics. */
  onFlush?: (batch: {records: number; seconds: number}) => void;
  /**
   * Called when a write or sync failed and its segment was abandoned; `reason` describes the error and never
   * a record.
   */
  onPoisoned?: (reason: string) => void;
  files?: SegmentFiles;
  now?: () => Date;
  /** A monotonic clock in milliseconds, for backoff and age. */
  elapsedMs?: () => number;
  maxSegmentBytes?: number;
  maxSegmentAgeMs?: number;
};

const MAX_BATCH_BYTES = 1024 * 1024;
const MAX_WAITING = 10_000;
/** Smaller steps back are clock adjustments; found parcels then keep their order. */
const maxStepBackMs = 60_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 30_000;
/** Space in a line for `seq`, `observedAt` and the framing, in addition to the record itself. */
const FRAME_BYTES = 256;

type Waiting = {readonly record: NewDeltaRecord; readonly resolve: (persisted: boolean) => void};

/**
 * Appends records to segments of its own (`docs/design/reliability.md` section 3.2). It writes one batch at a
 * time while the next one collects. After a failed write or sync it abandons the segment and opens a new one
 * after a backoff.
 */
export class DeltaWriter {
  readonly #options: DeltaWriterOptions;
  readonly #files: SegmentFiles;
  readonly #now: () => Date;
  readonly #elapsedMs: () => number;
  #baseBuildId: string;
  #waiting: Waiting[] = [];
  #segment: OpenSegment | null = null;
  #flushing: Promise<void> | null = null;
  #lastObserved = 0;
  #backoffMs = 0;
  /** In the time of `elapsedMs`. */
  #retryAt = Number.NEGATIVE_INFINITY;
  #openedAt = 0;
  #closed = false;

  constructor(options: DeltaWriterOptions) {
    this.#options = options;
    this.#files = options.files ?? segmentFiles;
    this.#now = options.now ?? (() => new Date());
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.#baseBuildId = options.baseBuildId;
  }

  /**
   * Resolves to true when the record is durably on disk, to false when it could not be stored; a disk error
   * never rejects.
   */
  append(record: NewDeltaRecord): Promise<boolean> {
    const isBackingOff = this.#elapsedMs() < this.#retryAt;
    if (this.#closed || this.#waiting.length >= MAX_WAITING || isBackingOff || !fitsIntoLine(record))
      return Promise.resolve(false);
    const {promise, resolve} = Promise.withResolvers<boolean>();
    this.#waiting.push({record, resolve});
    this.#flushing ??= this.#flushAll();
    return promise;
  }

  /** Ends the open segment; the next record opens a new one based on `baseBuildId`. */
  async rotate(baseBuildId: string): Promise<void> {
    while (this.#flushing !== null) await this.#flushing;
    this.#baseBuildId = baseBuildId;
    await this.#endSegment();
  }

  /** Stores the waiting records, ends the segment and refuses further records. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.rotate(this.#baseBuildId);
  }

  /** False after a failed write or sync, until a new segment has stored a record. */
  writable(): boolean {
    return this.#backoffMs === 0;
  }

  async #flushAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        await this.#flushBatch(await this.#openSegment());
      } catch (fault) {
        await this.#poison();
        this.#options.onPoisoned?.(messageOf(fault));
      }
    }
    // There is no await since the last check of `#waiting`, so a record that arrives now starts its own
    // flush.
    this.#flushing = null;
  }

  /** The open segment; it is replaced when it is too long or too old. */
  async #openSegment(): Promise<OpenSegment> {
    const {
      folder,
      writer,
      maxSegmentBytes = 64 * 1024 * 1024,
      maxSegmentAgeMs = 24 * 3600 * 1000,
    } = this.#options;
    const open = this.#segment;
    const steppedBack = this.#lastObserved - this.#now().getTime() > maxStepBackMs;
    // After a clock that ran ahead was corrected, a new segment starts with the corrected time. Otherwise
    // every record would keep the wrong date.
    if (steppedBack) this.#lastObserved = 0;
    if (open !== null) {
      const age = this.#elapsedMs() - this.#openedAt;
      if (open.bytes < maxSegmentBytes && age < maxSegmentAgeMs && !steppedBack) return open;
      await this.#endSegment();
    }
    const facts = {writer, baseBuildId: this.#baseBuildId, startedAt: this.#now()};
    this.#segment = await OpenSegment.create(folder, this.#files, facts);
    this.#openedAt = this.#elapsedMs();
    return this.#segment;
  }

  async #endSegment(): Promise<void> {
    const open = this.#segment;
    this.#segment = null;
    await open?.end();
  }

  async #flushBatch(segment: OpenSegment): Promise<void> {
    const batch = this.#nextBatch(segment);
    const startedMs = performance.now();
    await segment.write(batch.map(({line}) => line));
    const seconds = (performance.now() - startedMs) / 1000;
    this.#options.onFlush?.({records: batch.length, seconds});
    const stored = this.#waiting.slice(0, batch.length);
    this.#waiting = this.#waiting.slice(batch.length);
    this.#backoffMs = 0;
    for (const [i, {record, end}] of batch.entries()) {
      this.#options.onPersisted?.({record, segment: segment.name, end});
      stored[i]!.resolve(true);
    }
  }

  /** The lines of the first waiting records: at least one, and at most `MAX_BATCH_BYTES`. */
  #nextBatch(segment: OpenSegment): SegmentLine[] {
    const batch: SegmentLine[] = [];
    let end = segment.bytes;
    for (const {record} of this.#waiting) {
      const numbered = this.#numbered(record, segment.records + batch.length + 1);
      if (batch.length > 0 && end - segment.bytes + numbered.line.length > MAX_BATCH_BYTES) break;
      end += numbered.line.length;
      batch.push({...numbered, end});
    }
    segment.records += batch.length;
    return batch;
  }

  /**
   * Adds number and time to a record and encodes it; raw attributes are dropped when the line would be too
   * long.
   */
  #numbered(record: NewDeltaRecord, seq: number): {record: DeltaRecord; line: Buffer} {
    this.#lastObserved = Math.max(this.#lastObserved, this.#now().getTime());
    const numbered = {...record, seq, observedAt: new Date(this.#lastObserved).toISOString()} as DeltaRecord;
    const line = encodeLine(numbered);
    if (line.length <= MAX_LINE_BYTES || numbered.kind !== "upsert") return {record: numbered, line};
    const {raw: _dropped, ...withoutRaw} = numbered;
    const shorter: DeltaRecord = {...withoutRaw, rawDropped: true};
    return {record: shorter, line: encodeLine(shorter)};
  }

  /** Abandons the segment, refuses the waiting records and sets the backoff. */
  async #poison(): Promise<void> {
    const refused = this.#waiting;
    const broken = this.#segment;
    this.#waiting = [];
    this.#segment = null;
    this.#backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.#backoffMs * 2));
    this.#retryAt = this.#elapsedMs() + this.#backoffMs;
    await broken?.abandon();
    for (const {resolve} of refused) resolve(false);
  }
}

function fitsIntoLine(record: NewDeltaRecord): boolean {
  const shortest = record.kind === "upsert" ? {...record, raw: undefined} : record;
  return Buffer.byteLength(JSON.stringify(shortest)) + FRAME_BYTES <= MAX_LINE_BYTES;
}
