import {randomBytes} from "node:crypto";
import {constants, open, rm} from "node:fs/promises";
import {namingFile} from "../storage/whole-file.ts";

/** The file of a segment that is open for appending. */
export type SegmentHandle = {
  /** Appends bytes and gives the number that was written, which may be lower than the number offered. */
  append(bytes: Buffer): Promise<number>;
  datasync(): Promise<void>;
  close(): Promise<void>;
};

/** The few file operations of a delta writer, which tests replace to make each of them fail. */
export type SegmentFiles = {
  create(path: string): Promise<SegmentHandle>;
  /** Removes a segment that took no record. */
  remove(path: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
};

/**
 * File operations of the operating system. `create` fails for a file that exists: no segment is opened for writing twice.
 */
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
  remove: (path) => rm(path, {force: true}),
  syncFolder,
};

/**
 * Syncs a folder, so that files created, renamed or removed in it stay so after a power cut. Throws when the disk refuses.
 */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await namingFile(folder, handle.sync());
}

/** A new file name for a segment, `<UTC start>-<pid>-<8 hex>.ndjson`; names sort by start. */
export function segmentName(startedAt: Date, pid: number): string {
  const start = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  return `${start}-${pid}-${randomBytes(4).toString("hex")}.ndjson`;
}

/** True for the name of a segment file. */
export function isSegmentName(name: string): boolean {
  return /^\d{8}T\d{6}Z-\d+-[0-9a-f]{8}\.ndjson$/.test(name);
}
