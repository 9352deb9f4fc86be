import {crc32} from "node:zlib";
import {DELTA_FORMAT, type DeltaHeader, type DeltaRecord} from "../../schemas/delta-record.ts";
import {crcText, decodeLine} from "./segment-files.ts";

const LINE_FEED = 10;

/** A data record with the byte offset at which its line ends in the segment. */
type StoredRecord = {readonly record: DeltaRecord; readonly end: number};

/** Read position and counts of a segment. */
export type SegmentState = {
  /** End of the last valid line, where reading continues. */
  validBytes: number;
  header: DeltaHeader | null;
  records: number;
  /** Damaged or missing lines before a good line; a torn tail is not counted. */
  badLines: number;
  ended: boolean;
  /** CRC-32 over the CRC texts of all lines read. */
  crcOfCrcs: number;
};

export const initialState: SegmentState = {
  validBytes: 0,
  header: null,
  records: 0,
  badLines: 0,
  ended: false,
  crcOfCrcs: 0,
};

/**
 * Continues reading a segment, where `bytes` are those from `state.validBytes` on; returns the new state and
 * the records of complete, undamaged lines. A bad last line and bytes after the last line feed are left for
 * the next read, because a write may be in progress. A bad line before a good one, a gap in `seq` and a wrong
 * `end` line count as damage.
 */
export function continueReading(
  state: SegmentState,
  bytes: Buffer,
): {state: SegmentState; records: StoredRecord[]} {
  const next = {...state};
  const records: StoredRecord[] = [];
  let pendingBad = 0;
  let from = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
    const line = bytes.subarray(from, at);
    from = at + 1;
    if (line.length === 0) {
      if (pendingBad === 0) next.validBytes = state.validBytes + from;
      continue;
    }
    const decoded = next.ended ? null : decodeLine(line);
    const stored = decoded === null ? "bad" : take(next, decoded.record, decoded.crc, pendingBad);
    if (stored === "bad") {
      pendingBad += 1;
      continue;
    }
    pendingBad = 0;
    next.validBytes = state.validBytes + from;
    if (stored !== null) records.push({record: stored, end: next.validBytes});
  }
  // Bytes after an `end` line are damage: no write can be in progress.
  if (next.ended) next.badLines += pendingBad + (from < bytes.length ? 1 : 0);
  if (next.ended) next.validBytes = state.validBytes + bytes.length;
  return {state: next, records};
}

/**
 * Applies a decoded line to the state. Returns its data record, null for header and end, or "bad" for a
 * misplaced line.
 */
function take(
  state: SegmentState,
  line: NonNullable<ReturnType<typeof decodeLine>>["record"],
  crc: string,
  badBefore: number,
): DeltaRecord | null | "bad" {
  if (line.kind === "header") {
    if (state.header !== null || state.records > 0 || line.format > DELTA_FORMAT) return "bad";
    state.header = line;
    state.badLines += badBefore;
  } else if (line.kind === "end") {
    // Earlier damage also breaks the CRC over all lines; do not count it twice.
    const whole =
      line.count === state.records && (line.crc === crcText(state.crcOfCrcs) || state.badLines > 0);
    state.badLines += Math.max(badBefore, line.count - state.records, whole ? 0 : 1);
    state.ended = true;
  } else {
    if (line.seq <= state.records) return "bad";
    state.badLines += Math.max(badBefore, line.seq - state.records - 1);
    state.records = line.seq;
  }
  state.crcOfCrcs = crc32(crc, state.crcOfCrcs);
  return line.kind === "header" || line.kind === "end" ? null : line;
}
