import {Message} from "apache-arrow/fb/message";
import {RecordBatch} from "apache-arrow/fb/record-batch";
import {ByteBuffer} from "flatbuffers";

/** The places of a record batch's column descriptions, as byte positions in the file. */
export type BatchHead = {
  readonly rows: number;
  /** Position of the field nodes of 16 bytes: length and number of nulls. */
  readonly nodes: number;
  /** Position of the buffer regions of 16 bytes: place in the body and length. */
  readonly buffers: number;
  readonly body: number;
  readonly isCompressed: boolean;
};

/** A message of the file as the footer describes it. */
export type Block = {readonly offset: number; readonly metaDataLength: number; readonly bodyLength: number};

const continuation = -1;
const regionBytes = 16;

/**
 * The places of a batch's descriptions, without reading the descriptions: the library would read those of a hundred columns
 * in every batch before the first use of one. Throws when the bytes are no record batch.
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

/** The length and the number of nulls of a field node. */
export function nodeAt(
  view: DataView,
  {nodes}: BatchHead,
  index: number,
): {length: number; nullCount: number} {
  const at = nodes + index * regionBytes;
  return {length: wholeAt(view, at), nullCount: wholeAt(view, at + 8)};
}

/** The bytes of a buffer as a view of the file. */
export function bytesAt(view: DataView, {buffers, body}: BatchHead, index: number): Uint8Array {
  const at = buffers + index * regionBytes;
  return new Uint8Array(view.buffer as ArrayBuffer, body + wholeAt(view, at), wholeAt(view, at + 8));
}

/** A 64-bit number; every place in a file is below 2^53. */
function wholeAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
