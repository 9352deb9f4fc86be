import type {ChildProcess} from "node:child_process";
import {setPriority} from "node:os";
import {keepAwake, startOwnChild} from "../../lib/process/own-child.ts";
import {privateKib, processorMs} from "../../lib/process/process-identity.ts";
import type {ReadFailure, ReadKind, ReadResult, ReadTask} from "./county-reader.ts";

/** Limits of `docs/design/reliability.md` section 5. */
export type ReaderLimits = {
  /** Bodies that wait while one is read. */
  readonly mostWaiting: number;
  readonly mostWaitingBytes: number;
  /** Processor time of one body; the clock may show three times as much, because the machine may be busy. */
  readonly readMs: number;
  /** Private memory of the process while it reads. */
  readonly mostKib: number;
  /** Private memory that the process may keep between two bodies; with more it is replaced. */
  readonly mostKeptKib: number;
  readonly startMs: number;
  /** Time without a body after which the process is ended; absent for one that stays. */
  readonly idleMs?: number;
  /** Priority of the process, as `os.setPriority` takes it; that of the server when absent. */
  readonly priority?: number;
};

/** A message to the process: a task, or the order to end. */
export type ReaderOrder = {readonly kind: ReadKind; readonly task: ReadTask} | {readonly kind: "end"};

/** A message from the process: that it is ready, a result, or a fault of the reader. */
export type ReaderMessage =
  | {readonly ready: true}
  | {readonly result: ReadResult}
  | {readonly fault: unknown};

/** One process that reads; it is never started again. */
export type ReaderChild = {
  /** Gives the result of a task, `rejected` when the process died of it. Rejects for a fault of the reader. */
  read(kind: ReadKind, task: ReadTask): Promise<ReadResult>;
  /** True while the process lives and has not grown too much. */
  isFit(): boolean;
  /** Ends the process and waits for its end. */
  end(): Promise<void>;
};

/** JavaScript memory of the process; with more it ends itself. */
const heapMb = 128;
/**
 * A process reads one body at a time. With helpers for collections and for DuckDB's calls it would crowd the server and the other reader
 * from their processors, and would not be faster. It collects garbage itself (`reader-program.ts`).
 */
const oneThread = {
  flags: ["--single-threaded-gc", "--expose-gc"],
  environment: {UV_THREADPOOL_SIZE: "1"},
};
/** The memory and the processor time of the process are looked at so often while it reads. */
const lookMs = 25;
/** By the clock a body may take so many times its processor time. */
const mostByClock = 3;
/** Time that the process may take to end by itself. */
const endMs = 5_000;

/** Starts a process, which dies with the server. */
export function startReaderChild(program: URL, limits: ReaderLimits): ReaderChild {
  const child = startOwnChild(program, {
    flags: [`--max-old-space-size=${heapMb}`, "--max-semi-space-size=4", ...oneThread.flags],
    environment: oneThread.environment,
    serialization: "advanced",
    stderr: "ignore",
  });
  const life = watchLife(child);
  if (limits.priority !== undefined && child.pid !== undefined) lowerPriority(child.pid, limits.priority);
  // The process keeps the server alive only while it reads.
  keepAwake(child, false);
  let ready: Promise<ReadFailure | null> | null = null;
  return {
    async read(kind, task) {
      keepAwake(child, true);
      try {
        ready ??= startOf(child, {life, startMs: limits.startMs});
        const failure = await ready;
        return failure ?? (await readIn(child, {message: {kind, task}, life, limits}));
      } finally {
        keepAwake(child, false);
      }
    },
    isFit: () => !life.over() && privateKib(child.pid!) <= limits.mostKeptKib,
    async end() {
      if (life.over()) return;
      keepAwake(child, true);
      const late = setTimeout(() => child.kill("SIGKILL"), endMs);
      // The channel may have broken a moment ago; then the process ends by itself.
      child.send({kind: "end"} satisfies ReaderOrder, () => undefined);
      await life.ended;
      clearTimeout(late);
    },
  };
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // The process has ended, or the system has no priorities: it reads all the same.
  }
}

type Life = {
  over(): boolean;
  readonly ended: Promise<void>;
  /** The next message of the process; undefined when it ends before. One caller waits at a time. */
  nextMessage(): Promise<ReaderMessage | undefined>;
};

function watchLife(child: ChildProcess): Life {
  let over = false;
  // A race of each message against the end would keep every message for as long as the process lives.
  let hear: (message?: ReaderMessage) => void = () => undefined;
  const {promise: ended, resolve} = Promise.withResolvers<void>();
  const end = () => {
    over = true;
    resolve();
    hear();
  };
  child.once("exit", end);
  child.on("message", (message) => hear(message as ReaderMessage));
  // The process could not be started, or a message did not reach it.
  child.on("error", () => {
    if (child.pid === undefined) end();
    else child.kill("SIGKILL");
  });
  const nextMessage = () =>
    new Promise<ReaderMessage | undefined>((heard) => {
      hear = heard;
      if (over) heard(undefined);
    });
  return {over: () => over, ended, nextMessage};
}

function rejected(reason: string): ReadFailure {
  return {kind: "failed", status: "rejected", reason};
}

/** Waits until the process can read; gives the failure when it cannot. */
async function startOf(
  child: ChildProcess,
  {life, startMs}: {life: Life; startMs: number},
): Promise<ReadFailure | null> {
  const late = setTimeout(() => child.kill("SIGKILL"), startMs);
  const first = await life.nextMessage();
  clearTimeout(late);
  if (first !== undefined) return null;
  return {kind: "failed", status: "unavailable", reason: "the reader did not start", unread: true};
}

/** Sends a task and waits for its result, within the limits of time and memory. */
async function readIn(
  child: ChildProcess,
  {message, life, limits}: {message: ReaderOrder; life: Life; limits: ReaderLimits},
): Promise<ReadResult> {
  let excess = "the reader died of the answer";
  const stop = (reason: string) => {
    excess = reason;
    child.kill("SIGKILL");
  };
  const answered = life.nextMessage();
  child.send(message, () => undefined);
  const tooLong = `reading took more than ${limits.readMs} ms`;
  const before = processorMs(child.pid!);
  const late = setTimeout(stop, limits.readMs * (before === null ? 1 : mostByClock), tooLong);
  const look = setInterval(() => {
    if (privateKib(child.pid!) > limits.mostKib) stop(`reading took more than ${limits.mostKib} KiB`);
    if ((processorMs(child.pid!) ?? 0) - (before ?? 0) > limits.readMs) stop(tooLong);
  }, lookMs);
  const told = await answered;
  clearTimeout(late);
  clearInterval(look);
  if (told === undefined || "ready" in told) return rejected(excess);
  if ("fault" in told) throw told.fault;
  return told.result;
}
