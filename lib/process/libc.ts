import koffi from "koffi";

/** Functions of the C library that this project calls. */
export type Libc = {
  mmap(address: null, length: number, protection: number, flags: number, fd: number, offset: number): bigint;
  munmap(address: bigint, length: number): number;
  _exit(code: number): void;
};

/** The C library of this machine; null where there is none (Windows). */
export const libc = loadLibc();

function loadLibc(): Libc | null {
  if (process.platform === "win32") return null;
  const library = koffi.load(null);
  return {
    mmap: library.func("void *mmap(void *, size_t, int, int, int, int64_t)") as unknown as Libc["mmap"],
    munmap: library.func("int munmap(void *, size_t)") as unknown as Libc["munmap"],
    _exit: library.func("void _exit(int)") as unknown as Libc["_exit"],
  };
}
