import koffi from "koffi";

/** The C library functions that this project calls. */
type Libc = {
  _exit(code: number): void;
  /** Linux only. */
  prctl(option: number, a: number, b: number, c: number, d: number): number;
};

/** The C library; null on Windows, which lacks these functions. */
export const libc = loadLibc();

/**
 * Exits at once and discards buffered output. `process.exit` first waits for V8's threads, and one of them
 * may wait for a garbage collection that the exiting thread no longer runs: with ten gigabytes mapped, one
 * exit in ten hung forever. On Windows this is `process.exit`.
 */
export function endProcess(code: number): never {
  libc?._exit(code);
  process.exit(code);
}

function loadLibc(): Libc | null {
  if (process.platform === "win32") return null;
  const library = koffi.load(null);
  return {
    _exit: library.func("void _exit(int)") as unknown as Libc["_exit"],
    prctl:
      process.platform === "linux"
        ? (library.func("int prctl(int, ulong, ulong, ulong, ulong)") as unknown as Libc["prctl"])
        : () => -1,
  };
}
