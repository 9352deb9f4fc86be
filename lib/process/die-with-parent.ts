import {writeFileSync} from "node:fs";
import {libc} from "./libc.ts";

const setDeathSignal = 1;
const sigkill = 9;

/**
 * Makes this process end when its parent does, or when the parent closes the channel: by the kernel on Linux, which reaches it also in
 * the middle of native code, else when the channel breaks. On Linux it is also the first to be ended when memory runs out. A signal to
 * the whole group is for the parent, and ends this process only by way of it.
 */
export function dieWithParent(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  if (process.platform !== "linux") return;
  libc?.prctl(setDeathSignal, sigkill, 0, 0, 0);
  try {
    writeFileSync("/proc/self/oom_score_adj", "800");
  } catch {
    // The kernel then chooses by size alone.
  }
  if (!process.connected) process.kill(process.pid, "SIGKILL");
}
