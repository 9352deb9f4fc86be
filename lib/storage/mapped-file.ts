import {closeSync, fstatSync, openSync, readSync} from "node:fs";
import koffi from "koffi";
import {messageOf, UserError} from "../errors.ts";
import {libc} from "../process/libc.ts";

/** How the bytes of a file came in: as shared pages of the page cache, or copied into private memory. */
export type MappingMode = "mmap" | "copied";

/**
 * A file as an ArrayBuffer. Never write through it (the pages are read-only: the process would die), never transfer
 * or resize it, and let no answer, cache or log hold a view of it.
 */
export type MappedFile = {readonly buffer: ArrayBuffer; readonly mode: MappingMode};

/** A file that cannot be mapped; `code` says why. */
export class MappedFileError extends UserError {
  override name = "MappedFileError";
  readonly code: "unreadable" | "size_differs" | "mapping_failed";

  constructor(code: MappedFileError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const PROT_READ = 1;
const MAP_SHARED = 1;
/** `(void *) -1`: `koffi` 3 gives pointers as BigInt. */
const MAP_FAILED = 0xffffffffffffffffn;
/** One `read` takes less than 2 GiB. */
const readAtOnce = 2 ** 30;

/** Held values are addresses, never the buffer: that would keep it alive for ever. Not run at exit, where the kernel cleans up. */
const mappings = new FinalizationRegistry<{address: bigint; length: number}>(({address, length}) => {
  libc?.munmap(address, length);
});

/** How `mapFile` works on this machine: `copied` where the C library has no mmap (Windows). */
export const mappingMode: MappingMode = libc === null ? "copied" : "mmap";

/**
 * Maps a file read-only; pages come in when they are touched, and go when the last view of the buffer is gone
 * (rules: `docs/design/reliability.md` 4.1). A file of size 0 is an empty buffer.
 * Throws `MappedFileError` when the file cannot be read or its size is not `expectedSize` (bytes, from the manifest).
 */
export function mapFile(path: string, expectedSize?: number, mode: MappingMode = mappingMode): MappedFile {
  const fd = openOrExplain(path);
  try {
    const {size} = fstatSync(fd);
    if (expectedSize !== undefined && size !== expectedSize) {
      throw new MappedFileError("size_differs", `${path}: ${size} bytes, the manifest says ${expectedSize}.`);
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
    throw new MappedFileError("unreadable", `${path}: cannot be opened (${messageOf(error)}).`);
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
