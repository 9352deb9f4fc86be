import {readFileSync} from "node:fs";

/** The ids of the processes that a running process started, of its main thread; Linux only. */
export function childProcesses(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
