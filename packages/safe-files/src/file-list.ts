import {createHash} from "node:crypto";
import {type FileHandle, readdir} from "node:fs/promises";
import {join} from "node:path";
import {crc32} from "node:zlib";
import {isTransient, messageOf} from "./file-fault.ts";
import {openForeign} from "./foreign-file.ts";

/** Bytes per block of `block_crc32`. */
export const blockBytes = 2 ** 20;

/** Size and digests of a file; CRC-32 in eight hexadecimal digits of each MiB, the last one shorter. */
type FileDigest = {size: number; sha256: string; block_crc32: string[]};

/** A file as a manifest lists it: its path below the folder, with forward slashes. */
type ListedFile = Readonly<FileDigest> & {readonly path: string};

/**
 * Depth of a check: `sizes` compares names and sizes, `blocks` also the CRC-32 of each block, `full` also the
 * SHA-256.
 */
export type Depth = "sizes" | "blocks" | "full";

/** A difference between a folder and its manifest. */
export type FileDifference = {readonly path: string; readonly fault: string};

const readBytes = 4 * blockBytes;

/** Size, SHA-256 and block CRCs of a file in a single pass. Throws when it cannot be read. */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash("sha256");
  const digest = await readBlocks(path, (block) => hash.update(block));
  return {...digest, sha256: hash.digest("hex")};
}

/**
 * The differences between a folder and the files that its manifest lists: the set of files, their sizes and, by depth, their
 * bytes. `only` selects the files whose bytes are read; names and sizes are always compared. `unlisted` is the path of the manifest
 * itself. An unreadable file or folder is reported as a difference; only a transient failure, such as too many open files, is thrown.
 */
export async function folderDifferences<Listed extends ListedFile>(
  folder: string,
  files: readonly Listed[],
  {depth, only = () => true, unlisted}: {depth: Depth; only?: (file: Listed) => boolean; unlisted: string},
): Promise<FileDifference[]> {
  const {paths, unreadable} = await listBelow(folder);
  const there = new Set(paths);
  const named = new Set([...files.map(({path}) => path), unlisted]);
  const absent = files
    .filter(({path}) => !there.has(path) && !isBelowAny(path, unreadable))
    .map(({path}) => ({path, fault: "is missing"}));
  const extra = paths
    .filter((path) => !named.has(path))
    .map((path) => ({path, fault: "is not in the manifest"}));
  const faults: FileDifference[] = [...unreadable, ...absent, ...extra];
  const skipped = new Set([
    ...faults.map(({path}) => path),
    ...files.filter(({path}) => isBelowAny(path, unreadable)).map(({path}) => path),
  ]);
  for (const file of files) {
    if (skipped.has(file.path)) continue;
    const fault = await faultOrUnreadable(join(folder, file.path), file, only(file) ? depth : "sizes");
    if (fault !== null) faults.push({path: file.path, fault});
  }
  return faults;
}

/** Describes how a file differs from its manifest entry; null when they agree. */
export async function fileDifference(
  path: string,
  expected: ListedFile,
  depth: Depth,
): Promise<string | null> {
  const size = await sizeOf(path);
  if (size !== expected.size) return `${size} bytes; the manifest says ${expected.size}`;
  if (depth === "sizes") return null;
  const found = depth === "full" ? await digestFile(path) : {...(await readBlocks(path)), sha256: null};
  const block = expected.block_crc32.findIndex((crc, i) => crc !== found.block_crc32[i]);
  if (block !== -1) return `damaged between bytes ${block * blockBytes} and ${(block + 1) * blockBytes}`;
  if (found.block_crc32.length !== expected.block_crc32.length) return "another number of blocks";
  return found.sha256 === null || found.sha256 === expected.sha256 ? null : "another SHA-256";
}

/**
 * The paths of all files below a folder, sorted, with forward slashes. Throws when a folder cannot be read.
 */
export async function filesBelow(dir: string): Promise<string[]> {
  const {paths, unreadable} = await listBelow(dir);
  if (unreadable.length > 0) throw new Error(`${join(dir, unreadable[0]!.path)}: ${unreadable[0]!.fault}`);
  return paths;
}

/**
 * The files below a folder, and the subfolders that cannot be read. Throws when the folder itself is
 * unreadable, and for transient failures.
 */
async function listBelow(dir: string, prefix = ""): Promise<{paths: string[]; unreadable: FileDifference[]}> {
  const paths: string[] = [];
  const unreadable: FileDifference[] = [];
  for (const entry of await readdir(join(dir, prefix), {withFileTypes: true})) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (!entry.isDirectory()) {
      paths.push(path);
      continue;
    }
    try {
      const below = await listBelow(dir, path);
      paths.push(...below.paths);
      unreadable.push(...below.unreadable);
    } catch (error) {
      if (isTransient(error)) throw error;
      unreadable.push({path, fault: unreadableText(error)});
    }
  }
  return {paths: paths.sort(), unreadable};
}

/**
 * The difference of a file that may be unreadable. An I/O error is retried once, because it may be transient.
 */
async function faultOrUnreadable(path: string, expected: ListedFile, depth: Depth): Promise<string | null> {
  const once = () => fileDifference(path, expected, depth);
  try {
    return await once().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EIO") throw error;
      return once();
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    return unreadableText(error);
  }
}

function unreadableText(error: unknown): string {
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`;
}

function isBelowAny(path: string, folders: readonly FileDifference[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder.path}/`));
}

async function sizeOf(path: string): Promise<number> {
  await using file = await openForeign(path);
  return (await file.stat()).size;
}

async function readBlocks(
  path: string,
  each: (block: Buffer) => unknown = () => undefined,
): Promise<Pick<FileDigest, "size" | "block_crc32">> {
  await using file = await openForeign(path);
  // Allocating a full buffer for each of hundreds of small files would burden the garbage collector.
  const buffer = Buffer.allocUnsafe(Math.min(readBytes, (await file.stat()).size + 1));
  const crcs: string[] = [];
  let size = 0;
  for (;;) {
    const length = await fill(file, buffer, size);
    const read = buffer.subarray(0, length);
    each(read);
    for (let at = 0; at < length; at += blockBytes)
      crcs.push(hex8(crc32(read.subarray(at, at + blockBytes))));
    size += length;
    if (length < buffer.length) return {size, block_crc32: crcs};
  }
}

/**
 * Fills the buffer from a position on and returns the number of bytes read; it is lower only at the end of
 * the file.
 */
async function fill(file: FileHandle, buffer: Buffer, from: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const {bytesRead} = await file.read(buffer, length, buffer.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function hex8(value: number): string {
  return value.toString(16).padStart(8, "0");
}
