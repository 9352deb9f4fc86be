import {type ChildProcess, fork, type SerializationType} from "node:child_process";

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
