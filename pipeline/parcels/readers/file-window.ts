import {open} from "node:fs/promises";
import {UserError} from "../../../lib/errors.ts";

const windowBytes = 1 << 20;
/** No shape, feature or row of a table is larger. */
const longestPiece = 256 * 2 ** 20;

/** A file that is read in pieces, mostly one behind the other. */
export type FileWindow = AsyncDisposable & {
  readonly size: number;
  /**
   * The bytes at a place; they change with the next call. Throws a `UserError` where the file ends before, and for a piece that is
   * larger than any row.
   */
  bytes(offset: number, length: number): Promise<Buffer>;
};

/** Opens a file for reading piece by piece through one buffer of a megabyte. `shown` names it in messages. */
export async function openWindow(path: string, shown: string): Promise<FileWindow> {
  const file = await open(path);
  const {size} = await file.stat();
  let buffer = Buffer.alloc(0);
  let start = 0;
  const refill = async (offset: number, length: number) => {
    const wanted = Math.min(Math.max(length, windowBytes), size - offset);
    if (buffer.length < wanted || buffer.length > 4 * windowBytes) buffer = Buffer.alloc(wanted);
    const {bytesRead} = await file.read(buffer, 0, wanted, offset);
    buffer = buffer.subarray(0, bytesRead);
    start = offset;
  };
  return {
    size,
    async bytes(offset, length) {
      if (length > longestPiece) {
        throw new UserError(
          `${shown}: a row of ${length} bytes at byte ${offset}; at most ${longestPiece} are read. The file is damaged.`,
        );
      }
      if (offset < 0 || length < 0 || offset + length > size) {
        throw new UserError(
          `${shown}: ends after ${size} bytes; ${offset + length} were expected: the file is cut off. Fetch it again.`,
        );
      }
      if (offset < start || offset + length > start + buffer.length) await refill(offset, length);
      return buffer.subarray(offset - start, offset - start + length);
    },
    async [Symbol.asyncDispose]() {
      await file.close();
    },
  };
}
