import {readFileSync} from "node:fs";

/** Linux reports processor time in hundredths of a second, independent of the kernel's tick rate. */
const tickMs = 10;

/**
 * Private memory of a process in KiB, without mapped files; 0 when the system does not report it or the
 * process has exited.
 */
export function privateKib(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(procText(`/proc/${pid}/status`))?.[1] ?? 0);
}

/**
 * Processor time of a process over all its threads; null when the system does not report it or the process
 * has exited.
 */
export function processorMs(pid: number): number | null {
  // The program name, in parentheses, may contain blanks.
  const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+)/.exec(procText(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * tickMs;
}

/** The text of a kernel file; empty when it cannot be read (another system, or the process has exited). */
function procText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
