import {constants} from "node:fs";
import {copyFile, type FileHandle, link, open, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {crc32} from "node:zlib";
import {FileFault, messageOf} from "./file-fault.ts";
import {sweepTemporaryFiles, temporaryName} from "./temporary-files.ts";

/** A disk error while writing a file; its one-line message names the file. */
export class DiskFault extends FileFault {
  constructor(path: string, thrown: unknown) {
    const {code} = thrown as NodeJS.ErrnoException;
    super(`${path}: cannot be written: ${messageOf(thrown)}.`, {cause: thrown, code});
  }
}

type WriteOptions = {
  readonly mode?: number;
  /** Allows an existing file of this name; otherwise one is a `DiskFault` with the code `EEXIST`. */
  readonly replaces?: boolean;
};

/** A part of a file as it was written. */
type Piece = {readonly at: number; readonly length: number; readonly crc: number};

const readBackBytes = 2 ** 20;
/** Small pieces, such as lines, are buffered up to this size. */
const gatheredBytes = 2 ** 16;
/** A single write call takes less than 2 GiB. */
const writeAtOnce = 2 ** 30;

/**
 * Writes a file atomically: under a temporary name, synced and read back, then renamed, and the folder
 * synced. Throws a `DiskFault` and leaves the old file, if any, unchanged.
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await fillWhole(path, (file) => file.write(Buffer.from(content)), options);
}

/**
 * The same for a file that is written in pieces. Errors of `fill` other than write errors are rethrown
 * unchanged.
 */
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
        await file.verify();
        return made;
      } finally {
        await file.close();
      }
    },
    options,
  );
}

/**
 * The same for a file that somebody else writes, such as a database: `make` gets a temporary name beside it.
 * Errors of `make` are rethrown unchanged, and nothing is left behind.
 */
export async function makeWhole<T>(
  path: string,
  make: (beside: string) => Promise<T>,
  {replaces = false}: WriteOptions = {},
): Promise<T> {
  await sweepTemporaryFiles(dirname(path));
  const beside = join(dirname(path), temporaryName());
  try {
    const made = await make(beside);
    await renameDurably(beside, path, replaces);
    return made;
  } catch (error) {
    await rm(beside, {force: true});
    throw error;
  }
}

async function renameDurably(beside: string, path: string, replaces: boolean): Promise<void> {
  try {
    await syncPath(beside);
    // Unlike a rename, a link never replaces a file that somebody put there meanwhile.
    await (replaces ? rename(beside, path) : link(beside, path));
    await rm(beside, {force: true});
    await syncPath(dirname(path));
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** Syncs a folder, so that creations, renames and removals in it survive a power cut. Throws when the disk refuses. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await withFilePath(folder, handle.sync());
}

/** Copies a file atomically and returns its size in bytes. */
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
 * Writes a new file under its own name, synced and read back; for a name that nobody reads before it is
 * renamed. Throws a `DiskFault` and leaves nothing behind.
 */
export async function writeNew(
  path: string,
  content: string | Uint8Array,
  {mode}: {mode?: number} = {},
): Promise<void> {
  const file = await NewFile.create(path, path, mode);
  try {
    await file.write(Buffer.from(content));
    await file.verify();
  } catch (error) {
    await rm(path, {force: true});
    throw error;
  } finally {
    await file.close();
  }
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a file completely or throws a `DiskFault`, without syncing it; for files that the caller syncs or
 * reads itself. An existing file is overwritten, unless it must be `fresh`. Errors of `pieces` are rethrown
 * unchanged.
 */
export async function writeScratch(
  path: string,
  pieces: Pieces,
  {mode, fresh = false}: {mode?: number; fresh?: boolean} = {},
): Promise<void> {
  await writePieces(path, pieces, {flags: fresh ? "wx" : "w", mode});
}

/**
 * Starts a file, or continues one that another run started, and syncs it at the end. Throws a `DiskFault`
 * when a write fails. When `pieces` fails, what came before is written.
 */
export async function appendPieces(path: string, pieces: Pieces, isAppended: boolean): Promise<void> {
  await writePieces(path, pieces, {flags: isAppended ? "a" : "w", syncs: true});
}

type PiecesOptions = {readonly flags: string; readonly mode?: number | undefined; readonly syncs?: boolean};

async function writePieces(path: string, pieces: Pieces, {flags, mode, syncs}: PiecesOptions): Promise<void> {
  await using file = await withFilePath(path, open(path, flags, mode));
  if (mode !== undefined) await withFilePath(path, file.chmod(mode));
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
  if (syncs === true) await withFilePath(path, file.sync());
}

/**
 * Writes all bytes at a position of an open file, by default at the end of what was written. Throws a
 * `DiskFault` that names the file `path`.
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
    const {bytesWritten} = await withFilePath(path, file.write(bytes, done, length, place));
    if (bytesWritten <= 0) throw new DiskFault(path, "the disk wrote no bytes");
    done += bytesWritten;
  }
}

/**
 * Awaits work on a file and turns its errors into a `DiskFault` that names the file; errors of an open file
 * do not name it.
 */
export async function withFilePath<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** A file that is being written and checked. */
export class NewFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #pieces: Piece[] = [];
  #end = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Creates the file under the name `beside`, with a given mode whatever the umask is; errors name `path`. */
  static async create(path: string, beside: string, mode?: number): Promise<NewFile> {
    const file = await withFilePath(path, open(beside, "wx+", mode));
    if (mode !== undefined) await withFilePath(path, file.chmod(mode));
    return new NewFile(path, file);
  }

  /**
   * Writes all bytes at a position, by default after the previous write. Throws a `DiskFault`. Do not write a
   * byte twice.
   */
  async write(bytes: Buffer, at: number = this.#end): Promise<void> {
    await writeAll(this.#file, this.#path, bytes, at);
    this.#pieces.push({at, length: bytes.length, crc: crc32(bytes)});
    this.#end = at + bytes.length;
  }

  /** Syncs the file and reads it back. Throws a `DiskFault` when the disk refuses or returns other bytes. */
  async verify(): Promise<void> {
    await withFilePath(this.#path, this.#file.sync());
    for (const piece of this.#pieces) {
      if ((await withFilePath(this.#path, this.#crcOf(piece))) !== piece.crc)
        throw new DiskFault(this.#path, `reading back gave different bytes at byte ${piece.at}`);
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
    const {bytesRead: copied} = await copy.read(b, 0, b.length, at);
    if (bytesRead !== copied || a.compare(b, 0, copied, 0, bytesRead) !== 0)
      throw new Error(`the copy differs from ${from} after byte ${at}`);
    if (bytesRead === 0) return at;
    at += bytesRead;
  }
}

/** Syncs a file or folder by its path. */
async function syncPath(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
