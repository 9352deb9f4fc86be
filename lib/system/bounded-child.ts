import type {ChildProcess} from "node:child_process";
import {deserialize} from "node:v8";
import {UserError} from "../errors.ts";
import type {ProgramMessage} from "./bounded-program.ts";
import {keepAwake, startOwnChild} from "./own-child.ts";
import {privateKib, processorMs} from "./process-figures.ts";
import {takingTurns} from "./taking-turns.ts";

/** Limits of one task. */
export type TaskLimits = {
  /** Processor time. The wall-clock limit is three times as long, because the machine may be busy. */
  readonly deadlineMs: number;
  /** Private memory of the process. */
  readonly maxKib: number;
};

/** How a process is started. */
type ChildFacts = {
  /** What the process does, for the message when it takes too long. */
  readonly work?: string;
  /** V8 heap limit of the process in MiB; the process exits beyond it. */
  readonly heapMb?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stderr?: "inherit" | "ignore";
};

/** A process ended during a task, by itself or by the system; we did not stop it. */
export class ProcessEnded extends UserError {}

const startMs = 60_000;
/** Interval at which time and memory are checked. */
const pollMs = 50;
const wallClockFactor = 3;
/** An idle process is stopped after this time, to free its memory. */
const idleMs = 5_000;

/**
 * A child process that runs one task after another. A task that exceeds its limits or ends the process is
 * refused, and the next one runs in a new process. The child keeps this process alive only while it works.
 */
export class BoundedChild {
  readonly #program: URL;
  readonly #facts: Required<ChildFacts>;
  #child: ChildProcess | null = null;
  readonly #inTurn = takingTurns();
  #idle: NodeJS.Timeout | undefined;

  constructor(
    program: URL,
    {work = "reading it", heapMb = 1_280, environment = {}, stderr = "ignore"}: ChildFacts = {},
  ) {
    this.#program = program;
    this.#facts = {work, heapMb, environment, stderr};
  }

  /** Tasks that are waiting or running. */
  pending = 0;

  /**
   * Returns the result of a task. Rejects with a `UserError` when the task exceeds its limits or `signal` aborts it, with
   * `ProcessEnded` when the process died of it, and with whatever the task threw.
   */
  ask(task: unknown, bounds: TaskLimits, signal?: AbortSignal): Promise<unknown> {
    this.pending += 1;
    return this.#inTurn(() => this.#do(task, bounds, signal).finally(() => (this.pending -= 1)));
  }

  async #do(task: unknown, bounds: TaskLimits, signal?: AbortSignal): Promise<unknown> {
    const {work} = this.#facts;
    if (signal?.aborted) throw new UserError(`${work} was cancelled.`);
    clearTimeout(this.#idle);
    const known = this.#child;
    const child = known !== null && !isGone(known) ? known : this.#start();
    keepAwake(child, true);
    try {
      if (child !== known)
        await this.#within(child, nextMessage(child), {deadlineMs: startMs, maxKib: bounds.maxKib});
      const answer = nextMessage(child);
      child.send(task as object, () => undefined);
      return resultOf(await this.#within(child, answer, bounds, signal));
    } finally {
      keepAwake(child, false);
      this.#idle = setTimeout(() => child.kill("SIGKILL"), idleMs).unref();
    }
  }

  /**
   * Waits for a message and kills the process when it exceeds its limits. Rejects with a `UserError` when the
   * process ended without a message.
   */
  async #within(
    child: ChildProcess,
    answer: Promise<ProgramMessage | null>,
    {deadlineMs, maxKib}: TaskLimits,
    signal?: AbortSignal,
  ): Promise<ProgramMessage> {
    const pid = child.pid ?? 0;
    const {work} = this.#facts;
    let excess: string | null = null;
    const stop = (reason: string) => {
      excess = reason;
      child.kill("SIGKILL");
    };
    const before = processorMs(pid);
    const seconds = Math.round(deadlineMs / 1000);
    const tooLong = `${work} takes more than ${seconds} s`;
    const late = setTimeout(stop, deadlineMs * (before === null ? 1 : wallClockFactor), tooLong);
    const poll = setInterval(() => {
      if (privateKib(pid) > maxKib)
        stop(`${work} takes more than ${Math.round(maxKib / 1024)} MiB of memory`);
      if ((processorMs(pid) ?? 0) - (before ?? 0) > deadlineMs) stop(tooLong);
    }, pollMs);
    const cancel = () => stop(`${work} was cancelled`);
    signal?.addEventListener("abort", cancel);
    const message = await answer;
    clearTimeout(late);
    clearInterval(poll);
    signal?.removeEventListener("abort", cancel);
    if (message !== null) return message;
    // The exit event follows the broken channel a moment later.
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended(child);
    if (excess === null) throw new ProcessEnded(`${work} ended its process.`, {code: "task_limit"});
    throw new UserError(`${excess}.`, {code: "task_limit"});
  }

  #start(): ChildProcess {
    const {heapMb, environment, stderr} = this.#facts;
    const flags = [`--max-old-space-size=${heapMb}`];
    const child = startOwnChild(this.#program, {flags, serialization: "advanced", environment, stderr});
    // A pending task sees the error itself; between two tasks a broken channel ends the process.
    child.on("error", () => child.kill("SIGKILL"));
    this.#child = child;
    return child;
  }
}

function isGone({exitCode, signalCode, killed}: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || killed;
}

/** The next message of a process; null when it exits first. */
function nextMessage(child: ChildProcess): Promise<ProgramMessage | null> {
  return new Promise((resolve) => {
    const heard = (message: unknown) => end(message as ProgramMessage);
    const over = () => end(null);
    const end = (message: ProgramMessage | null) => {
      child.off("message", heard).off("exit", over).off("error", over);
      resolve(message);
    };
    child.on("message", heard).on("exit", over).on("error", over);
    if (isGone(child)) end(null);
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
}

function resultOf(message: ProgramMessage): unknown {
  if ("result" in message) return deserialize(message.result);
  if (!("fault" in message)) throw new Error("The child process reported ready twice.");
  const {text, isUserError, code, stack} = message.fault;
  if (isUserError) throw new UserError(text, code === "task_limit" ? {code} : {});
  throw Object.assign(new Error(text), code === undefined ? {} : {code}, stack === undefined ? {} : {stack});
}
