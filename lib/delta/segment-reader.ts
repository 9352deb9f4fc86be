import {crc32} from "node:zlib";
import {DELTA_FORMAT, type DeltaHeader, type DeltaRecord} from "../../schemas/delta-record.ts";
import {crcText, decodeLine} from "./line.ts";

const LINE_FEED = 10;

/** A data record with the end of its line in the segment: a build has consumed it when its watermark reaches `end`. */
type StoredRecord = {readonly record: DeltaRecord; readonly end: number};

/** How far a segment was read and what was found there. */
export type SegmentState = {
  /** End of the last valid line: reading goes on here. */
  validBytes: number;
  header: DeltaHeader | null;
  records: number;
  /** Damaged or missing lines that a good line followed; a torn tail is none. */
  badLines: number;
  ended: boolean;
  /** CRC-32 over the CRC texts of all lines so far. */
  crcOfCrcs: number;
};

export const freshSegment: SegmentState = {
  validBytes: 0,
  header: null,
  records: 0,
  badLines: 0,
  ended: false,
  crcOfCrcs: 0,
};

/**
 * Reads on in a segment: `bytes` are those from `state.validBytes` on. Gives the records of complete, undamaged lines and
 * the state after them. A bad last line or bytes after the last line feed are a torn tail: neither read nor counted, for a
 * write may still be under way. A bad line before a good one, a gap in `seq` and a wrong `end` are counted damage.
 */
export function readOn(state: SegmentState, bytes: Buffer): {state: SegmentState; records: StoredRecord[]} {
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
  // Nothing may follow an `end`: what does is damage, not a write under way.
  if (next.ended) next.badLines += pendingBad + (from < bytes.length ? 1 : 0);
  if (next.ended) next.validBytes = state.validBytes + bytes.length;
  return {state: next, records};
}

/** Takes one decoded line into the state: its data record, null for header and end, "bad" for one that cannot stand here. */
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
    // After damage the CRC over all lines cannot be right any more: it is not counted twice.
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
