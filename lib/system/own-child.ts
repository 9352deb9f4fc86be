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
  /** What happens to the child's standard error. */
  readonly stderr: "inherit" | "ignore";
};

/**
 * Forks one of our programs with an IPC channel. It inherits no flags, and of the environment only the path
 * of Node's compile cache.
 */
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

/**
 * The program `./name` (without extension) next to one of our modules; the compiled one when that module is
 * compiled.
 */
export function ownProgram(name: string, module: string): URL {
  return new URL(`${name}${module.endsWith(".ts") ? ".ts" : ".js"}`, module);
}

/** Sets whether a child keeps this process alive. */
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
 * Ends this process when its parent dies or closes the channel: through the kernel on Linux, even in the
 * middle of native code, elsewhere when the channel breaks. On Linux it also becomes the first process to be
 * killed when memory runs out. Signals to the process group are left to the parent, which then ends this
 * process.
 */
export function dieWithParent(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  const end = () => process.kill(process.pid, "SIGKILL");
  process.once("disconnect", end);
  // The parent closed the channel while a reply was on its way.
  (process as NodeJS.EventEmitter).once("error", end);
  if (process.platform !== "linux") return;
  libc?.prctl(setDeathSignal, sigkill, 0, 0, 0);
  try {
    writeFileSync("/proc/self/oom_score_adj", "800");
  } catch {
    // Without an oom_score the kernel kills the largest process.
  }
  if (!process.connected) end();
}
