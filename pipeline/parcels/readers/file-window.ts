import {type FileHandle, open} from "node:fs/promises";
import {UserError} from "../../../lib/errors.ts";

const windowBytes = 1 << 20;
/** Bytes of the largest shape, feature or row that is read. */
const longestPiece = 256 * 2 ** 20;

/** A file that is read in pieces, mostly one after the other, through one buffer of a megabyte. */
export class FileWindow implements AsyncDisposable {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #shown: string;
  #buffer = Buffer.alloc(0);
  /** Offset in the file at which the buffer begins. */
  #start = 0;

  constructor(file: FileHandle, size: number, shown: string) {
    this.#file = file;
    this.size = size;
    this.#shown = shown;
  }

  /**
   * Gives the bytes at a place; they change with the next call. Throws a `UserError` where the file ends before, and for a piece
   * that is larger than any row.
   */
  async bytes(offset: number, length: number): Promise<Buffer> {
    if (length > longestPiece) {
      throw new UserError(
        `${this.#shown}: a row of ${length} bytes at byte ${offset}; at most ${longestPiece} are read. The file is damaged.`,
      );
    }
    if (offset < 0 || length < 0 || offset + length > this.size) {
      throw new UserError(
        `${this.#shown}: ends after ${this.size} bytes; ${offset + length} were expected: the file is cut off. Fetch it again.`,
      );
    }
    const isHeld = offset >= this.#start && offset + length <= this.#start + this.#buffer.length;
    if (!isHeld) await this.#refill(offset, length);
    return this.#buffer.subarray(offset - this.#start, offset - this.#start + length);
  }

  async #refill(offset: number, length: number): Promise<void> {
    const wanted = Math.min(Math.max(length, windowBytes), this.size - offset);
    const fits = this.#buffer.length >= wanted && this.#buffer.length <= 4 * windowBytes;
    const buffer = fits ? this.#buffer : Buffer.alloc(wanted);
    const {bytesRead} = await this.#file.read(buffer, 0, wanted, offset);
    this.#buffer = buffer.subarray(0, bytesRead);
    this.#start = offset;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** Opens a file for reading piece by piece. `shown` names it in messages. */
export async function openWindow(path: string, shown: string): Promise<FileWindow> {
  const file = await open(path);
  const {size} = await file.stat();
  return new FileWindow(file, size, shown);
}
