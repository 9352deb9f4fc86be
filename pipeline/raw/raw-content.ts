import {mkdir, stat} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import {pipeline as connect, Readable} from "node:stream";
import {createGunzip} from "node:zlib";
import {
  type ExpansionLimits,
  expansionCounter,
  expansionLimits,
  isZip,
  openZipMember,
  zipMembers,
  zipNames,
} from "@open-cattle/parcel-files";
import {openForeign, writeScratch} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import {asUserError, piecesOrUserError, withUserErrors} from "./file-faults.ts";

/** The unpacked content of a raw file. */
export type RawContent = {
  /** Base name without `.gz`; for a single-file `.zip` the name of that file, otherwise of the `.zip`. */
  readonly name: string;
  readonly packing: "none" | "gzip" | "zip";
  /** Returns all bytes, unpacked. Throws a `UserError` for a `.zip` with several files, for damage, and beyond the limits. */
  bytes(): Promise<Buffer>;
  /** Returns the unpacked bytes as a stream, on which later faults are emitted as errors. */
  stream(): Promise<Readable>;
  /**
   * Returns the absolute paths of the unpacked files, sorted: a plain file itself (not copied), or the content of a `.gz` or `.zip` written
   * below `dir`. Names that leave the folder, links and encrypted members are refused.
   */
  extractTo(dir: string): Promise<string[]>;
};

const pieceBytes = 2 ** 18;

type PackedFile = {readonly path: string; readonly absolutePath: string; readonly fault?: string};

/**
 * Opens the content of a raw file, whose compression is detected from its first bytes. `.xlsx` and other formats that are archives
 * internally count as plain: only `.zip` and `.kmz` are unpacked. Throws a `UserError` for a `.gz` or `.zip` that is none, and for a file
 * already known to be unreadable.
 */
export async function openRawContent(file: PackedFile, limits = expansionLimits): Promise<RawContent> {
  if (file.fault !== undefined) throw new UserError(file.fault);
  const magic = await firstBytes(file.absolutePath);
  const lower = file.path.toLowerCase();
  if (lower.endsWith(".zip") || lower.endsWith(".kmz")) {
    if (!isZip(magic)) throw new UserError(`${file.path}: not a zip archive, in spite of its name.`);
    return zipContent(file, limits);
  }
  if (magic[0] === 0x1f && magic[1] === 0x8b) return gzipContent(file, limits);
  if (lower.endsWith(".gz")) throw new UserError(`${file.path}: not a gzip file, in spite of its name.`);
  return plainContent(file, limits);
}

function plainContent({path, absolutePath}: PackedFile, limits: ExpansionLimits): RawContent {
  const stream = async () => Readable.from(bytesOf(absolutePath), {objectMode: false});
  return {
    name: basename(path),
    packing: "none",
    stream,
    bytes: async () => collect(path, await stream(), limits),
    extractTo: async () => [absolutePath],
  };
}

function gzipContent({path, absolutePath}: PackedFile, limits: ExpansionLimits): RawContent {
  const name = basename(path).replace(/\.gz$/i, "");
  const stream = async () => Readable.from(unzipped(path, absolutePath, limits), {objectMode: false});
  return {
    name,
    packing: "gzip",
    stream,
    bytes: async () => collect(path, await stream(), limits),
    async extractTo(dir) {
      await mkdir(dir, {recursive: true});
      const target = join(dir, name);
      await writeScratch(target, await stream(), {fresh: true});
      return [target];
    },
  };
}

async function zipContent({path, absolutePath}: PackedFile, limits: ExpansionLimits): Promise<RawContent> {
  const names = await withUserErrors(() => zipNames(path, absolutePath, limits));
  const stream = async () => {
    if (names.length !== 1) {
      const actual = names.some((name) => /\.shp$/i.test(name))
        ? "a shapefile of outlines"
        : `${names.length} files`;
      throw new UserError(`${path}: expected one file in the archive, got ${actual}.`);
    }
    const member = await withUserErrors(() => openZipMember(path, absolutePath, names[0]!, limits));
    return Readable.from(piecesOrUserError<Buffer>(member), {objectMode: false});
  };
  return {
    name: basename(names.length === 1 ? names[0]! : path),
    packing: "zip",
    stream,
    bytes: async () => collect(path, await stream(), limits),
    extractTo: (dir) => withUserErrors(() => extractMembers(zipMembers(path, absolutePath, limits), dir)),
  };
}

/** Writes every member below `dir` and returns the absolute paths, sorted. Throws if a file already exists. */
async function extractMembers(members: ReturnType<typeof zipMembers>, dir: string): Promise<string[]> {
  const written: string[] = [];
  for await (const {name, bytes} of members) {
    const target = join(dir, name);
    await mkdir(dirname(target), {recursive: true});
    await writeScratch(target, bytes, {fresh: true});
    written.push(target);
  }
  return written.sort();
}

/** Yields the bytes of a file, which is closed when the loop ends, even early. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  await using file = await openForeign(path);
  const length = Math.min(pieceBytes, (await file.stat()).size + 1);
  for (;;) {
    const {buffer, bytesRead} = await file.read(Buffer.allocUnsafe(length), 0, length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await openForeign(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.subarray(0, bytesRead);
}

async function collect(path: string, stream: Readable, limits: ExpansionLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > limits.memoryBytes) {
      throw new UserError(
        `${path}: more than ${limits.memoryBytes} bytes unpacked, too many to read at once.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* unzipped(
  path: string,
  absolutePath: string,
  limits: ExpansionLimits,
): AsyncGenerator<Buffer> {
  const count = expansionCounter(path, (await stat(absolutePath)).size, limits);
  const packed = Readable.from(bytesOf(absolutePath), {objectMode: false});
  // The loop below receives the error; the callback only prevents an unhandled one.
  const source = connect(packed, createGunzip({chunkSize: 1 << 18}), () => undefined);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      count(chunk.length);
      yield chunk;
    }
  } catch (error) {
    // zlib error codes start with Z; read errors and limits have messages of their own.
    const fromZlib = ((error as NodeJS.ErrnoException).code ?? "").startsWith("Z");
    throw fromZlib ? new UserError(`${path}: damaged gzip file: ${messageOf(error)}`) : asUserError(error);
  }
}
