import {readFileSync} from "node:fs";

/** Private memory of a process in KiB, without mapped files; 0 where the system does not tell or the process has ended. */
export function privateKib(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
