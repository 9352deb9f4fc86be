import {closeSync, fstatSync, openSync, readSync} from "node:fs";
import koffi from "koffi";
import {messageOf, UserError} from "../errors.ts";
import {libc} from "./libc.ts";

/** `mmap`: the bytes are shared pages of the page cache. `copied`: they are in private memory. */
export type MappingMode = "mmap" | "copied";

/**
 * A file as an ArrayBuffer. Writing to it crashes the process, because the pages are read-only. Do not
 * transfer or resize it, and keep no view of it in an answer, cache or log.
 */
type MappedFile = {readonly buffer: ArrayBuffer; readonly mode: MappingMode};

/** A file cannot be mapped; `code` gives the reason. */
export class MappedFileError extends UserError {
  override name = "MappedFileError";
  override readonly code: "unreadable" | "size_differs" | "mapping_failed";

  constructor(code: MappedFileError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const PROT_READ = 1;
const MAP_SHARED = 1;
/** The pointer `(void *) -1`; `koffi` 3 returns pointers as BigInt. */
const MAP_FAILED = 0xffffffffffffffffn;
/** Linux reads less than 2 GiB per call. */
const readAtOnce = 2 ** 30;

/**
 * Unmaps a file once its buffer is collected. It holds addresses only: a reference to the buffer would keep
 * it alive.
 */
const mappings = new FinalizationRegistry<{address: bigint; length: number}>(({address, length}) => {
  libc?.munmap(address, length);
});

/** The mode of `mapFile` on this machine: `copied` on Windows, which has no mmap. */
export const mappingMode: MappingMode = libc === null ? "copied" : "mmap";

/**
 * Maps a file read-only (`docs/design/reliability.md` section 4.1). Pages are loaded when touched, and the
 * mapping is released after the last view of the buffer is gone. An empty file gives an empty buffer. Throws
 * a `MappedFileError` when the file cannot be read or does not have `expectedSize` bytes.
 */
export function mapFile(path: string, expectedSize?: number, mode: MappingMode = mappingMode): MappedFile {
  const fd = openOrExplain(path);
  try {
    const {size} = fstatSync(fd);
    if (expectedSize !== undefined && size !== expectedSize) {
      throw new MappedFileError("size_differs", `${path}: ${size} bytes; the manifest says ${expectedSize}.`);
    }
    if (size === 0) return {buffer: new ArrayBuffer(0), mode};
    const buffer = mode === "mmap" ? mapDescriptor(fd, size, path) : readDescriptor(fd, size, path);
    return {buffer, mode};
  } finally {
    closeSync(fd);
  }
}

function openOrExplain(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new MappedFileError("unreadable", `${path}: cannot be opened (${messageOf(error)}).`, {
      cause: error,
    });
  }
}

function mapDescriptor(fd: number, size: number, path: string): ArrayBuffer {
  if (libc === null) throw new MappedFileError("mapping_failed", `${path}: this system has no mmap.`);
  const address = libc.mmap(null, size, PROT_READ, MAP_SHARED, fd, 0);
  if (address === MAP_FAILED || address === 0n || address === null) {
    throw new MappedFileError("mapping_failed", `${path}: mmap failed with errno ${koffi.errno()}.`);
  }
  const buffer = koffi.view(address, size);
  mappings.register(buffer, {address, length: size});
  return buffer;
}

function readDescriptor(fd: number, size: number, path: string): ArrayBuffer {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; ) {
    const count = readSync(fd, bytes, at, Math.min(readAtOnce, size - at), at);
    if (count === 0) throw new MappedFileError("unreadable", `${path}: ended at ${at} of ${size} bytes.`);
    at += count;
  }
  return bytes.buffer;
}
