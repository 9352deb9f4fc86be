import {type FileHandle, open, rm} from "node:fs/promises";
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

/** An Arrow IPC file that is being written. */
export type ArrowOutput = {
  /**
   * Writes one record batch, with one `Data` of the same length for each field, and waits until the system has its bytes.
   */
  write(columns: readonly Data[], length: number): Promise<void>;
};

/** The library computes alignments in signed 32-bit numbers. */
const maxBatchBytes = 2 ** 31 - 2 ** 20;

/**
 * Creates an Arrow IPC file, lets `fill` write its batches and finishes it without a sync. Throws when the path exists, so
 * that no finished file is overwritten; when `fill` throws, the file is removed.
 */
export async function writeArrowOutput(
  path: string,
  schema: Schema,
  fill: (output: ArrowOutput) => Promise<void>,
): Promise<void> {
  const handle = await open(path, "wx", 0o640);
  try {
    await writeParts(handle, schema, fill);
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, {force: true});
    throw error;
  }
}

/**
 * Collects the chunks of the library's writer, so that they can be written after each batch and memory holds one batch only.
 */
class Chunks extends AsyncByteQueue {
  private list: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.list.push(chunk);
  }

  take(): Uint8Array[] {
    const taken = this.list;
    this.list = [];
    return taken;
  }
}

async function writeParts(
  handle: FileHandle,
  schema: Schema,
  fill: (output: ArrowOutput) => Promise<void>,
): Promise<void> {
  const chunks = new Chunks();
  const writer = new RecordBatchFileWriter();
  writer.reset(chunks, schema);
  await fill({
    async write(columns, length) {
      writer.write(new RecordBatch(schema, batchData(schema, columns, length)));
      await writeAll(handle, chunks.take());
    },
  });
  writer.close();
  await writeAll(handle, chunks.take());
}

function batchData(schema: Schema, columns: readonly Data[], length: number): Data<Struct> {
  const bytes = columns.reduce((sum, column) => sum + column.byteLength, 0);
  if (bytes > maxBatchBytes) {
    throw new UserError(
      `a batch of ${length} rows has ${bytes} bytes, at most ${maxBatchBytes} can be written.`,
    );
  }
  return makeData({type: new Struct(schema.fields), length, nullCount: 0, children: [...columns]});
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      at += (await handle.write(chunk, at)).bytesWritten;
    }
  }
}
