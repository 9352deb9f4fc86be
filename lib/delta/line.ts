import {crc32} from "node:zlib";
import {DeltaLine} from "../../schemas/delta-record.ts";

/** The length of the longest line of a segment, line feed included. */
export const MAX_LINE_BYTES = 256 * 1024;

const PREFIX = Buffer.from('{"crc":"');
const MIDDLE = Buffer.from('","rec":');
const RECORD_AT = PREFIX.length + 8 + MIDDLE.length;
const CLOSE = "}".charCodeAt(0);

/** The line of a record, from its CRC-32 to the line feed (`docs/design/reliability.md` section 3.1). */
export function encodeLine(record: DeltaLine): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([PREFIX, Buffer.from(crcText(crc32(json))), MIDDLE, json, Buffer.from("}\n")]);
}

/** The record and CRC text of a line without its line feed; null for a line that is damaged or of another format. */
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
    // No writer makes a valid CRC over text that is no JSON: the line is damaged like any other bad one.
    return null;
  }
}
