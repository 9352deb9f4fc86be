import {join} from "node:path";
import {crc32} from "node:zlib";
import {
  DELTA_FORMAT,
  type DeltaRecord,
  type NewDeltaRecord,
  type ProcessIdentity,
} from "../../schemas/delta-record.ts";
import {messageOf} from "../errors.ts";
import {crcText, encodeLine, MAX_LINE_BYTES} from "./line.ts";
import type {PlacedRecord} from "./overlay.ts";
import {
  closeQuietly,
  type SegmentFiles,
  type SegmentHandle,
  segmentFiles,
  segmentName,
} from "./segment-files.ts";

export type DeltaWriterOptions = {
  folder: string;
  writer: ProcessIdentity;
  baseBuildId: string;
  /** Called after the sync and before the caller of `append` is told: what is acknowledged is findable. */
  onPersisted?: (persisted: PlacedRecord) => void;
  /** Told of each batch after its sync, for the metrics. */
  onFlush?: (batch: {records: number; seconds: number}) => void;
  /** Told when a write or sync failed and its segment was given up; `reason` names the fault, never a record. */
  onPoisoned?: (reason: string) => void;
  files?: SegmentFiles;
  now?: () => Date;
  maxSegmentBytes?: number;
  maxSegmentAgeMs?: number;
};

export type DeltaWriter = {
  /** True when the record is on disk to stay; false when it could not be stored. Never throws for a disk fault. */
  append(record: NewDeltaRecord): Promise<boolean>;
  /** Ends the open segment; the next record opens a new one on top of `baseBuildId`. */
  rotate(baseBuildId: string): Promise<void>;
  /** Stores what waits, ends the segment and takes no more records. */
  close(): Promise<void>;
  /** False since the last write or sync failed, until a new segment took a record. */
  writable(): boolean;
};

const MAX_BATCH_BYTES = 1024 * 1024;
const MAX_WAITING = 10_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 30_000;

type Waiting = {record: NewDeltaRecord; resolve: (persisted: boolean) => void};
type Segment = {
  name: string;
  handle: SegmentHandle;
  bytes: number;
  records: number;
  crcOfCrcs: number;
  openedAt: number;
};

/**
 * Appends records to segments of its own in `folder`, as `docs/design/reliability.md` section 3.2: one flush under way, the batch forms
 * while it runs, a failed write or sync poisons the segment for good and a new one is opened with backoff.
 */
export function createDeltaWriter(options: DeltaWriterOptions): DeltaWriter {
  const {
    folder,
    writer,
    onPersisted,
    onFlush,
    onPoisoned,
    files = segmentFiles,
    now = () => new Date(),
  } = options;
  const {maxSegmentBytes = 64 * 1024 * 1024, maxSegmentAgeMs = 24 * 3600 * 1000} = options;
  let {baseBuildId} = options;
  let waiting: Waiting[] = [];
  let segment: Segment | null = null;
  let flushing: Promise<void> | null = null;
  let lastObserved = 0;
  let backoffMs = 0;
  let retryAt = 0;
  let closed = false;

  function append(record: NewDeltaRecord): Promise<boolean> {
    if (closed || waiting.length >= MAX_WAITING || isResting() || !fitsIntoLine(record))
      return Promise.resolve(false);
    const {promise, resolve} = Promise.withResolvers<boolean>();
    waiting.push({record, resolve});
    flushing ??= flushAll();
    return promise;
  }

  /** True between a fault and the next try: records are then answered without being stored. */
  function isResting(): boolean {
    return now().getTime() < retryAt;
  }

  async function flushAll(): Promise<void> {
    while (waiting.length > 0) {
      try {
        segment = await freshEnough(segment);
        await flushBatch(segment);
      } catch (fault) {
        await poison();
        onPoisoned?.(messageOf(fault));
      }
    }
    // In the same turn as the last look at `waiting`: a record that comes now starts a flush of its own.
    flushing = null;
  }

  async function freshEnough(open: Segment | null): Promise<Segment> {
    if (open !== null) {
      const full = open.bytes >= maxSegmentBytes || now().getTime() - open.openedAt >= maxSegmentAgeMs;
      if (!full) return open;
      segment = null;
      await end(open);
    }
    return openSegment();
  }

  async function openSegment(): Promise<Segment> {
    const startedAt = now();
    const name = segmentName(startedAt, writer.pid);
    const handle = await files.create(join(folder, name));
    const opened = {name, handle, bytes: 0, records: 0, crcOfCrcs: 0, openedAt: startedAt.getTime()};
    try {
      const header = {
        kind: "header",
        format: DELTA_FORMAT,
        writer,
        baseBuildId,
        startedAt: startedAt.toISOString(),
      } as const;
      await write(opened, [encodeLine(header)]);
      await handle.datasync();
      await files.syncFolder(folder);
      // A line feed before the first records guards against a header line that a crash tore: readers skip empty lines.
      await appendAll(opened, Buffer.from("\n"));
    } catch (fault) {
      await closeQuietly(handle);
      throw fault;
    }
    return opened;
  }

  async function flushBatch(open: Segment): Promise<void> {
    const batch = nextBatch(open);
    const startedMs = performance.now();
    await write(
      open,
      batch.map(({line}) => line),
    );
    await open.handle.datasync();
    onFlush?.({records: batch.length, seconds: (performance.now() - startedMs) / 1000});
    waiting = waiting.slice(batch.length);
    backoffMs = 0;
    for (const {record, end: lineEnd, resolve} of batch) {
      onPersisted?.({record, segment: open.name, end: lineEnd});
      resolve(true);
    }
  }

  function nextBatch(open: Segment) {
    const batch: {record: DeltaRecord; line: Buffer; end: number; resolve: Waiting["resolve"]}[] = [];
    let bytes = open.bytes;
    for (const {record, resolve} of waiting) {
      const placed = placedRecord(record, open.records + batch.length + 1);
      if (batch.length > 0 && bytes - open.bytes + placed.line.length > MAX_BATCH_BYTES) break;
      bytes += placed.line.length;
      batch.push({...placed, end: bytes, resolve});
    }
    open.records += batch.length;
    return batch;
  }

  function placedRecord(record: NewDeltaRecord, seq: number): {record: DeltaRecord; line: Buffer} {
    lastObserved = Math.max(lastObserved, now().getTime());
    const placed = {...record, seq, observedAt: new Date(lastObserved).toISOString()} as DeltaRecord;
    const line = encodeLine(placed);
    if (line.length <= MAX_LINE_BYTES || placed.kind !== "upsert") return {record: placed, line};
    const {raw: _dropped, ...withoutRaw} = placed;
    const shorter: DeltaRecord = {...withoutRaw, rawDropped: true};
    return {record: shorter, line: encodeLine(shorter)};
  }

  async function poison(): Promise<void> {
    const refused = waiting;
    waiting = [];
    const broken = segment;
    segment = null;
    backoffMs = Math.min(LONGEST_BACKOFF_MS, backoffMs === 0 ? FIRST_BACKOFF_MS : backoffMs * 2);
    retryAt = now().getTime() + backoffMs;
    // No second sync: it may succeed although the data is gone.
    if (broken !== null) await closeQuietly(broken.handle);
    for (const {resolve} of refused) resolve(false);
  }

  async function end(open: Segment): Promise<void> {
    try {
      await write(open, [encodeLine({kind: "end", count: open.records, crc: crcText(open.crcOfCrcs)})]);
      await open.handle.datasync();
    } catch {
      // The records were synced before; a segment without `end` is repaired once its writer is dead.
    }
    await closeQuietly(open.handle);
  }

  async function rotate(nextBaseBuildId: string): Promise<void> {
    while (flushing !== null) await flushing;
    baseBuildId = nextBaseBuildId;
    const open = segment;
    segment = null;
    if (open !== null) await end(open);
  }

  return {
    append,
    rotate,
    async close() {
      closed = true;
      await rotate(baseBuildId);
    },
    writable: () => backoffMs === 0,
  };
}

/** Room for `seq`, `observedAt` and the frame of a line beside the record as it was given. */
const FRAME_BYTES = 256;

function fitsIntoLine(record: NewDeltaRecord): boolean {
  const shortest = record.kind === "upsert" ? {...record, raw: undefined} : record;
  return Buffer.byteLength(JSON.stringify(shortest)) + FRAME_BYTES <= MAX_LINE_BYTES;
}

async function write(open: Segment, lines: readonly Buffer[]): Promise<void> {
  await appendAll(open, lines.length === 1 ? lines[0]! : Buffer.concat(lines));
  for (const line of lines) open.crcOfCrcs = crc32(line.toString("latin1", 8, 16), open.crcOfCrcs);
}

async function appendAll(open: Segment, bytes: Buffer): Promise<void> {
  for (let rest = bytes; rest.length > 0; ) {
    const written = await open.handle.append(rest);
    if (written <= 0) throw new Error("the disk took no byte");
    rest = rest.subarray(written);
    open.bytes += written;
  }
}
