import {readFileSync} from "node:fs";

/** Process ids of the children started by a process's main thread; Linux only. */
export function childProcesses(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
