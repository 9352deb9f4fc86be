import {randomBytes} from "node:crypto";
import {constants, open} from "node:fs/promises";

/** An open segment that is appended to. */
export type SegmentHandle = {
  /** Appends and gives the number of bytes written, which may be fewer than offered. */
  append(bytes: Buffer): Promise<number>;
  datasync(): Promise<void>;
  close(): Promise<void>;
};

/** The few file operations of a delta writer: tests make each of them fail. */
export type SegmentFiles = {
  create(path: string): Promise<SegmentHandle>;
  syncFolder(folder: string): Promise<void>;
};

/** The operating system's own files. A segment is created anew (0600), never opened a second time for writing. */
export const segmentFiles: SegmentFiles = {
  async create(path) {
    const {O_CREAT, O_EXCL, O_APPEND, O_WRONLY} = constants;
    const handle = await open(path, O_CREAT | O_EXCL | O_APPEND | O_WRONLY, 0o600);
    return {
      append: async (bytes) => (await handle.write(bytes)).bytesWritten,
      datasync: () => handle.datasync(),
      close: () => handle.close(),
    };
  },
  syncFolder,
};

/** Makes names created, renamed or removed in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new segment's file name: `<UTC start>-<pid>-<8 hex>.ndjson`, which sorts by start. */
export function segmentName(startedAt: Date, pid: number): string {
  const start = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  return `${start}-${pid}-${randomBytes(4).toString("hex")}.ndjson`;
}

/** True for the name of a segment file. */
export function isSegmentName(name: string): boolean {
  return /^\d{8}T\d{6}Z-\d+-[0-9a-f]{8}\.ndjson$/.test(name);
}

/** Closes a segment that nothing more is expected of. */
export async function closeQuietly(handle: SegmentHandle): Promise<void> {
  try {
    await handle.close();
  } catch {
    // Nothing is lost by a close that fails: every acknowledged byte was synced before.
  }
}
