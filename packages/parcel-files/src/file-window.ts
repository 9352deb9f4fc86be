import {type FileHandle, open} from "node:fs/promises";
import {FileError} from "./parcel-file.ts";

const windowBytes = 1 << 20;
/** Maximum bytes of a shape, feature or row. */
const longestPiece = 256 * 2 ** 20;

/** Reads a file in pieces, mostly sequentially, through a one-megabyte buffer. */
export class FileWindow implements AsyncDisposable {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #shownPath: string;
  #buffer = Buffer.alloc(0);
  /** File offset of the buffer. */
  #start = 0;

  constructor(file: FileHandle, size: number, shownPath: string) {
    this.#file = file;
    this.size = size;
    this.#shownPath = shownPath;
  }

  /**
   * Returns the bytes at an offset; valid until the next call. Throws a `FileError` if the file ends before, and for a piece larger than
   * any row.
   */
  async bytes(offset: number, length: number): Promise<Buffer> {
    if (length > longestPiece) {
      throw new FileError(
        `${this.#shownPath}: a row of ${length} bytes at byte ${offset}; at most ${longestPiece} are read. The file is damaged.`,
      );
    }
    if (offset < 0 || length < 0 || offset + length > this.size) {
      throw new FileError(
        `${this.#shownPath}: ends after ${this.size} bytes; ${offset + length} were expected: the file is cut off. Fetch it again.`,
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

/** Opens a file for reading in pieces. `shownPath` names it in messages. */
export async function openWindow(path: string, shownPath: string): Promise<FileWindow> {
  const file = await open(path);
  const {size} = await file.stat();
  return new FileWindow(file, size, shownPath);
}
