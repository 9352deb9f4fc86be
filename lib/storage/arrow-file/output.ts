import {open, rm} from "node:fs/promises";
import {writeAll} from "@open-cattle/safe-files";
import {
  AsyncByteQueue,
  type Data,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  type Schema,
  Struct,
} from "apache-arrow";
import {UserError} from "../../errors.ts";

/**
 * Writes one record batch, with one `Data` of equal length per field; resolves when the operating system has
 * the bytes.
 */
export type WriteBatch = (columns: readonly Data[], length: number) => Promise<void>;

/** The Arrow library computes alignments in signed 32-bit integers. */
const maxBatchBytes = 2 ** 31 - 2 ** 20;

/**
 * Creates an Arrow IPC file, lets `fill` write its batches and finishes it without a sync. Throws when the
 * path exists, so that a finished file is never overwritten. When `fill` throws, the file is removed.
 */
export async function writeArrowOutput(
  path: string,
  schema: Schema,
  fill: (write: WriteBatch) => Promise<void>,
): Promise<void> {
  const handle = await open(path, "wx", 0o640);
  // The library's writer fills this queue, which is written out after each batch so that only one batch is in
  // memory.
  const chunks: Uint8Array[] = [];
  const queue = new AsyncByteQueue();
  queue.write = (chunk) => void chunks.push(chunk as Uint8Array);
  const writer = new RecordBatchFileWriter();
  writer.reset(queue, schema);
  const flush = async () => {
    for (const chunk of chunks.splice(0)) await writeAll(handle, path, chunk);
  };
  try {
    await fill(async (columns, length) => {
      writer.write(new RecordBatch(schema, batchData(schema, columns, length)));
      await flush();
    });
    writer.close();
    await flush();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, {force: true});
    throw error;
  }
}

function batchData(schema: Schema, columns: readonly Data[], length: number): Data<Struct> {
  const bytes = columns.reduce((sum, column) => sum + column.byteLength, 0);
  if (bytes > maxBatchBytes)
    throw new UserError(
      `a batch of ${length} rows has ${bytes} bytes, at most ${maxBatchBytes} can be written.`,
    );
  return makeData({type: new Struct(schema.fields), length, nullCount: 0, children: [...columns]});
}
