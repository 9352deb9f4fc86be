import {readFileSync} from "node:fs";

/** Linux tells processor time in hundredths of a second, whatever its own clock. */
const tickMs = 10;

/** Private memory of a process in KiB, without mapped files; 0 where the system does not tell or the process has ended. */
export function privateKib(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(textOf(pid, "status"))?.[1] ?? 0);
}

/** Processor time that a process has taken, in all its threads; null where the system does not tell or the process has ended. */
export function processorMs(pid: number): number | null {
  const text = textOf(pid, "stat");
  // The name of the program, in brackets, may hold blanks.
  const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+)/.exec(text) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * tickMs;
}

function textOf(pid: number, name: "status" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
