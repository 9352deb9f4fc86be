import {type ChildProcess, fork} from "node:child_process";
import {tmpdir} from "node:os";
import {join} from "node:path";

/** A process of a crash run. */
export type Child = {
  readonly process: ChildProcess;
  /** The first message of the child; rejects with its output when it ends before. */
  readonly ready: Promise<number>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
};

/** Starts a program of this folder; compiled code is kept between starts, which are then three times as fast. */
export function startChild(program: string, args: readonly string[]): Child {
  const file = new URL(program, import.meta.url).pathname;
  const child = fork(file, [...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // As the server is deployed (`deploy/systemd`).
    execArgv: ["--max-semi-space-size=8"],
    env: {PATH: process.env["PATH"], NODE_COMPILE_CACHE: join(tmpdir(), "cattle-compile-cache")},
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = new Promise<number>((resolve, reject) => {
    child.once("message", (port) => resolve(Number(port)));
    child.once("exit", () => reject(new Error(`${program} ended early: ${said.slice(-2000)}`)));
  });
  // A child that is killed on purpose before it is ready is no fault.
  ready.catch(() => undefined);
  return {process: child, ready, ended};
}

/** Kills a child as a crash would and waits for its end. */
export async function kill(child: Child): Promise<void> {
  child.process.kill("SIGKILL");
  await child.ended;
}
