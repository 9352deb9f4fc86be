import type {ChildProcess} from "node:child_process";
import {deserialize} from "node:v8";
import {UserError} from "../errors.ts";
import type {ProgramMessage} from "./bounded-program.ts";
import {keepAwake, startOwnChild} from "./own-child.ts";
import {privateKib, processorMs} from "./process-identity.ts";

/** The most that one task may cost. */
export type Bounds = {
  /** Processor time; the clock may show three times as much, because the machine may be busy. */
  readonly deadlineMs: number;
  /** Private memory of the process. */
  readonly mostKib: number;
};

/** How a process is started. */
type ChildFacts = {
  /** Names in words what takes too long. */
  readonly work?: string;
  /** JavaScript memory of the process in MiB; with more it ends itself. */
  readonly heapMb?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stderr?: "inherit" | "ignore";
};

/** A process ended in the midst of a task, by itself or by the system; nobody stopped it. */
export class ProcessEnded extends UserError {}

const startMs = 60_000;
/** Time and memory are looked at so often. */
const lookMs = 50;
const mostByClock = 3;
/** A process that has nothing to do gives its memory back after this time. */
const idleMs = 5_000;

/**
 * A process of ours that does one task after another. A task that takes too long or too much memory, or ends the process, is refused, and
 * the next one is done in a new process. It keeps this process alive only while it works.
 */
export class BoundedChild {
  readonly #program: URL;
  readonly #facts: Required<ChildFacts>;
  #child: ChildProcess | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(
    program: URL,
    {work = "reading it", heapMb = 1_280, environment = {}, stderr = "ignore"}: ChildFacts = {},
  ) {
    this.#program = program;
    this.#facts = {work, heapMb, environment, stderr};
  }

  /**
   * Gives the result of a task. Rejects with a `UserError` in words for one that is past its bounds, with `ProcessEnded` where the process
   * died of it, and with what the task threw.
   */
  ask(task: unknown, bounds: Bounds): Promise<unknown> {
    const asked = this.#queue.then(() => this.#do(task, bounds));
    this.#queue = asked.catch(() => undefined);
    return asked;
  }

  async #do(task: unknown, bounds: Bounds): Promise<unknown> {
    clearTimeout(this.#idle);
    const known = this.#child;
    const child = known !== null && !isOver(known) ? known : this.#start();
    keepAwake(child, true);
    try {
      if (child !== known)
        await this.#within(child, nextMessage(child), {deadlineMs: startMs, mostKib: bounds.mostKib});
      const answer = nextMessage(child);
      child.send(task as object, () => undefined);
      return resultOf(await this.#within(child, answer, bounds));
    } finally {
      keepAwake(child, false);
      this.#idle = setTimeout(() => child.kill("SIGKILL"), idleMs).unref();
    }
  }

  /** Waits for a message, and ends the process past its bounds. Rejects with a `UserError` when the process ended without one. */
  async #within(
    child: ChildProcess,
    answer: Promise<ProgramMessage | null>,
    {deadlineMs, mostKib}: Bounds,
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
    const late = setTimeout(stop, deadlineMs * (before === null ? 1 : mostByClock), tooLong);
    const look = setInterval(() => {
      if (privateKib(pid) > mostKib)
        stop(`${work} takes more than ${Math.round(mostKib / 1024)} MiB of memory`);
      if ((processorMs(pid) ?? 0) - (before ?? 0) > deadlineMs) stop(tooLong);
    }, lookMs);
    const told = await answer;
    clearTimeout(late);
    clearInterval(look);
    if (told !== null) return told;
    // Its end is only known a moment after its channel broke.
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended(child);
    throw excess === null ? new ProcessEnded(`${work} ended its process.`) : new UserError(`${excess}.`);
  }

  #start(): ChildProcess {
    const {heapMb, environment, stderr} = this.#facts;
    const flags = [`--max-old-space-size=${heapMb}`];
    const child = startOwnChild(this.#program, {flags, serialization: "advanced", environment, stderr});
    // The task that waits hears of it; a fault of the channel between two tasks ends the process.
    child.on("error", () => child.kill("SIGKILL"));
    this.#child = child;
    return child;
  }
}

function isOver({exitCode, signalCode, killed}: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || killed;
}

/** The next message of a process; null when it ends before. */
function nextMessage(child: ChildProcess): Promise<ProgramMessage | null> {
  return new Promise((resolve) => {
    const heard = (message: unknown) => end(message as ProgramMessage);
    const over = () => end(null);
    const end = (message: ProgramMessage | null) => {
      child.off("message", heard).off("exit", over).off("error", over);
      resolve(message);
    };
    child.on("message", heard).on("exit", over).on("error", over);
    if (isOver(child)) end(null);
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
  if (!("fault" in message)) throw new Error("The reading process said that it is ready twice.");
  const {text, isOfUser, code, stack} = message.fault;
  if (isOfUser) throw new UserError(text);
  throw Object.assign(new Error(text), code === undefined ? {} : {code}, stack === undefined ? {} : {stack});
}
