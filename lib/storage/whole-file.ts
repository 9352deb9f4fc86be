import {constants} from "node:fs";
import {copyFile, type FileHandle, link, open, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {crc32} from "node:zlib";
import {messageOf, UserError} from "../errors.ts";
import {halfMadeName, sweepHalfMade} from "./half-made.ts";

// All writing of files is here, but for the segments of the delta (`docs/design/reliability.md` section 2.1).

/** A fault of the disk while a file was written, in one line that names the file. */
export class DiskFault extends UserError {
  /** The code of the operating system, as its own errors have it. */
  readonly code: string | undefined;

  constructor(path: string, thrown: unknown) {
    super(`${path}: cannot be written: ${messageOf(thrown)}.`, {cause: thrown});
    this.code = (thrown as NodeJS.ErrnoException).code;
  }
}

type WriteOptions = {
  readonly mode?: number;
  /** True where a file of this name may be there; else it is a `DiskFault` with the code `EEXIST`. */
  readonly replaces?: boolean;
};

/** A piece of a file as it was written. */
type Piece = {readonly at: number; readonly length: number; readonly crc: number};

const readBackBytes = 2 ** 20;
/** Small pieces, such as lines, are written together. */
const gatheredBytes = 2 ** 16;
/** One call takes less than two gibibytes. */
const writeAtOnce = 2 ** 30;

/**
 * Writes a file as a whole or not at all: beside its name, with every byte, synced, read back and renamed, and the folder synced.
 * Throws a `DiskFault`, and then the name is as it was.
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await fillWhole(path, (file) => file.write(Buffer.from(content)), options);
}

/** The same for a file that is written piece by piece. What `fill` itself throws, and no write, is rethrown as it is. */
export async function fillWhole<T>(
  path: string,
  fill: (file: NewFile) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  return makeWhole(
    path,
    async (beside) => {
      const file = await NewFile.create(path, beside, options.mode);
      try {
        const made = await fill(file);
        await file.prove();
        return made;
      } finally {
        await file.close();
      }
    },
    options,
  );
}

/**
 * The same for a file that others write, such as DuckDB: `make` gets a name beside it. What `make` throws is rethrown as it is, and
 * nothing is left.
 */
export async function makeWhole<T>(
  path: string,
  make: (beside: string) => Promise<T>,
  {replaces = false}: WriteOptions = {},
): Promise<T> {
  await sweepHalfMade(dirname(path));
  const beside = join(dirname(path), halfMadeName());
  try {
    const made = await make(beside);
    await nameDurably(beside, path, replaces);
    return made;
  } catch (error) {
    await rm(beside, {force: true});
    throw error;
  }
}

async function nameDurably(beside: string, path: string, replaces: boolean): Promise<void> {
  try {
    await syncPath(beside);
    // A link, unlike a rename, never replaces a file that somebody put there meanwhile.
    await (replaces ? rename(beside, path) : link(beside, path));
    await rm(beside, {force: true});
    await syncPath(dirname(path));
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** Copies a file as a whole or not at all, and gives the number of its bytes. */
export async function copyWhole(from: string, to: string, options: WriteOptions = {}): Promise<number> {
  return makeWhole(
    to,
    async (beside) => {
      try {
        await copyFile(from, beside, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
        await syncPath(beside);
        return await requireSameBytes(from, beside);
      } catch (error) {
        throw new DiskFault(to, error);
      }
    },
    options,
  );
}

/**
 * Writes a new file under its own name, with every byte, synced and read back: for a name that nobody reads before it is renamed.
 * Throws a `DiskFault`, and then nothing is left.
 */
export async function writeNew(
  path: string,
  content: string | Uint8Array,
  {mode}: {mode?: number} = {},
): Promise<void> {
  const file = await NewFile.create(path, path, mode);
  try {
    await file.write(Buffer.from(content));
    await file.prove();
  } catch (error) {
    await rm(path, {force: true});
    throw error;
  } finally {
    await file.close();
  }
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file that its stage reads or syncs itself: with every byte or a `DiskFault`, and not synced. A file of that name is written
 * over, unless it must be `fresh`. What `pieces` throws is rethrown as it is.
 */
export async function writeScratch(
  path: string,
  pieces: Pieces,
  {mode, fresh = false}: {mode?: number; fresh?: boolean} = {},
): Promise<void> {
  await writePieces(path, pieces, {flags: fresh ? "wx" : "w", mode});
}

/**
 * Goes on with a file that another run began, or begins it: every byte or a `DiskFault`, synced at the end. What came before `pieces`
 * failed is written.
 */
export async function appendPieces(path: string, pieces: Pieces, goesOn: boolean): Promise<void> {
  await writePieces(path, pieces, {flags: goesOn ? "a" : "w", syncs: true});
}

type PiecesOptions = {readonly flags: string; readonly mode?: number | undefined; readonly syncs?: boolean};

async function writePieces(path: string, pieces: Pieces, {flags, mode, syncs}: PiecesOptions): Promise<void> {
  await using file = await namingFile(path, open(path, flags, mode));
  let gathered: Uint8Array[] = [];
  let length = 0;
  const writeGathered = async () => {
    const bytes = gathered.length === 1 ? gathered[0]! : Buffer.concat(gathered);
    [gathered, length] = [[], 0];
    await writeAll(file, path, bytes);
  };
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      gathered.push(bytes);
      length += bytes.length;
      if (length >= gatheredBytes) await writeGathered();
    }
  } finally {
    if (length > 0) await writeGathered();
  }
  if (syncs === true) await namingFile(path, file.sync());
}

/**
 * Writes every byte at a position of an open file; without one at the end of what was written. Throws a `DiskFault` that names the file
 * `path`.
 */
export async function writeAll(
  file: FileHandle,
  path: string,
  bytes: Uint8Array,
  at: number | null = null,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(writeAtOnce, bytes.length - done);
    const place = at === null ? null : at + done;
    const {bytesWritten} = await namingFile(path, file.write(bytes, done, length, place));
    if (bytesWritten <= 0) throw new DiskFault(path, "the disk took no byte");
    done += bytesWritten;
  }
}

/** Gives what work on a file gives; its faults become a `DiskFault`, because those of an open file do not name it. */
export async function namingFile<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** A file in the making. */
export class NewFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #pieces: Piece[] = [];
  #end = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Creates a file under the name `beside`; faults name `path`. */
  static async create(path: string, beside: string, mode?: number): Promise<NewFile> {
    return new NewFile(path, await namingFile(path, open(beside, "wx+", mode)));
  }

  /** Writes every byte at a position, or behind what was written last. Throws a `DiskFault`. No byte is to be written twice. */
  async write(bytes: Buffer, at: number = this.#end): Promise<void> {
    await writeAll(this.#file, this.#path, bytes, at);
    this.#pieces.push({at, length: bytes.length, crc: crc32(bytes)});
    this.#end = at + bytes.length;
  }

  /** Syncs the file and reads every byte of it again. Throws a `DiskFault` where the disk refuses, or gives other bytes. */
  async prove(): Promise<void> {
    await namingFile(this.#path, this.#file.sync());
    for (const piece of this.#pieces) {
      if ((await namingFile(this.#path, this.#crcOf(piece))) !== piece.crc)
        throw new DiskFault(this.#path, `other bytes came back at byte ${piece.at}`);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #crcOf({at, length}: Piece): Promise<number> {
    const buffer = Buffer.allocUnsafe(Math.min(readBackBytes, length));
    let crc = 0;
    for (let done = 0; done < length; ) {
      const {bytesRead} = await this.#file.read(buffer, 0, Math.min(buffer.length, length - done), at + done);
      if (bytesRead === 0) throw new Error(`it ends at byte ${at + done}`);
      crc = crc32(buffer.subarray(0, bytesRead), crc);
      done += bytesRead;
    }
    return crc;
  }
}

async function requireSameBytes(from: string, to: string): Promise<number> {
  await using source = await open(from);
  await using copy = await open(to);
  const [a, b] = [Buffer.allocUnsafe(readBackBytes), Buffer.allocUnsafe(readBackBytes)];
  for (let at = 0; ; ) {
    const {bytesRead} = await source.read(a, 0, a.length, at);
    const {bytesRead: came} = await copy.read(b, 0, b.length, at);
    if (bytesRead !== came || a.compare(b, 0, came, 0, bytesRead) !== 0)
      throw new Error(`the copy differs from ${from} after byte ${at}`);
    if (bytesRead === 0) return at;
    at += bytesRead;
  }
}

/** Syncs a file or a folder by its name. */
async function syncPath(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
