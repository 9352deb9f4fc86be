import {Message} from "apache-arrow/fb/message";
import {RecordBatch} from "apache-arrow/fb/record-batch";
import {ByteBuffer} from "flatbuffers";

/** Where a record batch of an Arrow IPC file says what its columns are. All places are bytes of the file. */
export type BatchHead = {
  readonly rows: number;
  /** Field nodes, 16 bytes each: length and number of nulls. */
  readonly nodes: number;
  /** Buffer regions, 16 bytes each: place in the body and length. */
  readonly buffers: number;
  readonly body: number;
  readonly isCompressed: boolean;
};

/** A message of the file, as its footer names it. */
export type Block = {readonly offset: number; readonly metaDataLength: number};

const continuation = -1;
const regionBytes = 16;

/**
 * Reads no more of a batch than where its descriptions stand: a table has a hundred columns, and the library would describe all of
 * them, of every batch, before the first is asked for. Throws where the bytes are no record batch.
 */
export function batchHead(view: DataView, {offset, metaDataLength}: Block): BatchHead {
  const start = offset + (view.getInt32(offset, true) === continuation ? 8 : 4);
  const body = offset + metaDataLength;
  const bytes = new Uint8Array(view.buffer as ArrayBuffer, start, body - start);
  const batch = Message.getRootAsMessage(new ByteBuffer(bytes)).header(new RecordBatch()) as RecordBatch;
  return {
    rows: Number(batch.length()),
    nodes: start + (batch.nodes(0)?.bb_pos ?? 0),
    buffers: start + (batch.buffers(0)?.bb_pos ?? 0),
    body,
    isCompressed: batch.compression() !== null,
  };
}

/** Length and nulls of a field node. */
export function nodeAt(
  view: DataView,
  {nodes}: BatchHead,
  index: number,
): {length: number; nullCount: number} {
  const at = nodes + index * regionBytes;
  return {length: wholeAt(view, at), nullCount: wholeAt(view, at + 8)};
}

/** The bytes of a buffer, in place. */
export function bytesAt(view: DataView, {buffers, body}: BatchHead, index: number): Uint8Array {
  const at = buffers + index * regionBytes;
  return new Uint8Array(view.buffer as ArrayBuffer, body + wholeAt(view, at), wholeAt(view, at + 8));
}

/** A 64-bit number that is below 2^53: every place in a file is. */
function wholeAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
