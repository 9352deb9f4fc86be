import {randomBytes} from "node:crypto";
import {constants, open, rm} from "node:fs/promises";
import {crc32} from "node:zlib";
import {syncFolder} from "@open-cattle/safe-files";
import {DeltaLine} from "../../schemas/delta-record.ts";

/** Maximum length of a segment's line, line feed included. */
export const MAX_LINE_BYTES = 256 * 1024;

const PREFIX = Buffer.from('{"crc":"');
const MIDDLE = Buffer.from('","rec":');
const RECORD_AT = PREFIX.length + 8 + MIDDLE.length;
const CLOSE = "}".charCodeAt(0);

/** A segment file that is open for appending. */
export type SegmentHandle = {
  /** Appends bytes and returns how many were written, possibly fewer than given. */
  append(bytes: Buffer): Promise<number>;
  datasync(): Promise<void>;
  close(): Promise<void>;
};

/** The file operations of a delta writer; tests replace them to inject failures. */
export type SegmentFiles = {
  create(path: string): Promise<SegmentHandle>;
  /** Removes a segment without records. */
  remove(path: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
};

/**
 * The real file operations. `create` fails for an existing file, so no segment is opened for writing twice.
 */
export const segmentFiles: SegmentFiles = {
  async create(path) {
    const {O_CREAT, O_EXCL, O_APPEND, O_WRONLY} = constants;
    const handle = await open(path, O_CREAT | O_EXCL | O_APPEND | O_WRONLY, 0o600);
    await handle.chmod(0o600);
    return {
      append: async (bytes) => (await handle.write(bytes)).bytesWritten,
      datasync: () => handle.datasync(),
      close: () => handle.close(),
    };
  },
  remove: (path) => rm(path, {force: true}),
  syncFolder,
};

/** A new file name for a segment, `<UTC start>-<pid>-<8 hex>.ndjson`; names sort by start. */
export function segmentName(startedAt: Date, pid: number): string {
  const start = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  return `${start}-${pid}-${randomBytes(4).toString("hex")}.ndjson`;
}

/** True for the name of a segment file. */
export function isSegmentName(name: string): boolean {
  return /^\d{8}T\d{6}Z-\d+-[0-9a-f]{8}\.ndjson$/.test(name);
}

/**
 * Encodes a record as a line, from its CRC-32 to the line feed (`docs/design/reliability.md` section 3.1).
 */
export function encodeLine(record: DeltaLine): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([PREFIX, Buffer.from(crcText(crc32(json))), MIDDLE, json, Buffer.from("}\n")]);
}

/** Decodes a line without its line feed; null when it is damaged or of another format. */
export function decodeLine(line: Buffer): {record: DeltaLine; crc: string} | null {
  if (line.length > MAX_LINE_BYTES || line.length <= RECORD_AT + 1 || line.at(-1) !== CLOSE) return null;
  if (!line.subarray(0, PREFIX.length).equals(PREFIX)) return null;
  if (!line.subarray(PREFIX.length + 8, RECORD_AT).equals(MIDDLE)) return null;
  const crc = line.toString("latin1", PREFIX.length, PREFIX.length + 8);
  const json = line.subarray(RECORD_AT, -1);
  if (crcText(crc32(json)) !== crc) return null;
  return parsed(json, crc);
}

/** A CRC-32 as eight lower-case hexadecimal digits. */
export function crcText(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}

function parsed(json: Buffer, crc: string): {record: DeltaLine; crc: string} | null {
  try {
    const record = DeltaLine.safeParse(JSON.parse(json.toString("utf8")));
    return record.success ? {record: record.data, crc} : null;
  } catch {
    // No writer computes a CRC over invalid JSON, so the line is damaged.
    return null;
  }
}
