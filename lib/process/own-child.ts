import {type ChildProcess, fork, type SerializationType} from "node:child_process";
import {writeFileSync} from "node:fs";
import {libc} from "./libc.ts";

const setDeathSignal = 1;
const sigkill = 9;

type ChildOptions = {
  readonly args?: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly serialization?: SerializationType;
  /** What becomes of what it writes to its standard error. */
  readonly stderr: "inherit" | "ignore";
};

/** Starts a program of ours as a child with a channel. It gets no flags of this process, and of its environment only where Node keeps compiled modules. */
export function startOwnChild(
  program: URL,
  {args = [], flags = [], environment = {}, serialization = "json", stderr}: ChildOptions,
): ChildProcess {
  const {NODE_COMPILE_CACHE: cache} = process.env;
  return fork(program, args, {
    serialization,
    execArgv: [...flags],
    env: {...environment, ...(cache === undefined ? {} : {NODE_COMPILE_CACHE: cache})},
    stdio: ["ignore", "ignore", stderr, "ipc"],
  });
}

/** The program beside a module of ours, `./name` without its extension: compiled where that module is. */
export function ownProgram(name: string, module: string): URL {
  return new URL(`${name}${module.endsWith(".ts") ? ".ts" : ".js"}`, module);
}

/** Says whether a child keeps this process alive. */
export function keepAwake(child: ChildProcess, awake: boolean): void {
  if (awake) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

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
    // Without an oom_score the kernel kills the largest process.
  }
  if (!process.connected) process.kill(process.pid, "SIGKILL");
}
