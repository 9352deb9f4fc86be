import {closeSync, fstatSync, openSync, readSync} from "node:fs";
import {FileFault} from "@open-cattle/safe-files";
import koffi from "koffi";

/** `mmap`: the bytes are shared pages of the page cache. `copied`: they are in private memory. */
export type MappingMode = "mmap" | "copied";

/**
 * A file as an ArrayBuffer. Writing to it crashes the process, because the pages are read-only. Do not
 * transfer or resize it, and keep no view of it in an answer, cache or log.
 */
type MappedFile = {readonly buffer: ArrayBuffer; readonly mode: MappingMode};

/** The C library functions that mapping needs. */
type Libc = {
  mmap(address: null, length: number, protection: number, flags: number, fd: number, offset: number): bigint;
  munmap(address: bigint, length: number): number;
};

/** The C library; null on Windows, which lacks these functions. */
const libc = loadLibc();

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
 * a `FileFault` with the code `unreadable`, `size_differs` (not `expectedSize` bytes) or `mapping_failed`.
 */
export function mapFile(path: string, expectedSize?: number, mode: MappingMode = mappingMode): MappedFile {
  const fd = openOrExplain(path);
  try {
    const {size} = fstatSync(fd);
    if (expectedSize !== undefined && size !== expectedSize) {
      throw fault("size_differs", `${path}: ${size} bytes; ${expectedSize} were expected.`);
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
    const {message} = error as Error;
    throw fault("unreadable", `${path}: cannot be opened (${message}).`, {cause: error});
  }
}

function mapDescriptor(fd: number, size: number, path: string): ArrayBuffer {
  if (libc === null) throw fault("mapping_failed", `${path}: this system has no mmap.`);
  const address = libc.mmap(null, size, PROT_READ, MAP_SHARED, fd, 0);
  if (address === MAP_FAILED || address === 0n || address === null) {
    throw fault("mapping_failed", `${path}: mmap failed with errno ${koffi.errno()}.`);
  }
  const buffer = koffi.view(address, size);
  mappings.register(buffer, {address, length: size});
  return buffer;
}

function readDescriptor(fd: number, size: number, path: string): ArrayBuffer {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; ) {
    const count = readSync(fd, bytes, at, Math.min(readAtOnce, size - at), at);
    if (count === 0) throw fault("unreadable", `${path}: ended at ${at} of ${size} bytes.`);
    at += count;
  }
  return bytes.buffer;
}

function fault(
  code: "unreadable" | "size_differs" | "mapping_failed",
  message: string,
  options?: ErrorOptions,
): FileFault {
  return new FileFault(message, {code, ...options});
}

function loadLibc(): Libc | null {
  if (process.platform === "win32") return null;
  const library = koffi.load(null);
  return {
    mmap: library.func("void *mmap(void *, size_t, int, int, int, int64_t)") as unknown as Libc["mmap"],
    munmap: library.func("int munmap(void *, size_t)") as unknown as Libc["munmap"],
  };
}
