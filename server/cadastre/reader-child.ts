import type {ChildProcess} from "node:child_process";
import {setPriority} from "node:os";
import {keepAwake, startOwnChild} from "../../lib/system/own-child.ts";
import {privateKib, processorMs} from "../../lib/system/process-figures.ts";
import type {ReadFailure, ReadKind, ReadResult, ReadTask} from "./county-reader.ts";

/** Limits of `docs/design/reliability.md` section 5. */
export type ReaderLimits = {
  /** Bodies that may wait while one is being read. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** CPU time for one body. The wall clock may show three times as much, because the machine may be busy. */
  readonly readMs: number;
  /** Maximum private memory of the process while it reads. */
  readonly maxKib: number;
  /** Maximum private memory between two bodies; above it the process is replaced. */
  readonly maxKeptKib: number;
  readonly startMs: number;
  /** The process is ended after this long without a body; absent for one that stays. */
  readonly idleMs?: number;
  /** Process priority as for `os.setPriority`; defaults to the server's. */
  readonly priority?: number;
};

/** A message to the process: a task, or the order to exit. */
export type ReaderOrder = {readonly kind: ReadKind; readonly task: ReadTask} | {readonly kind: "end"};

/** A message from the process: ready, a result, or a fault of the reader. */
export type ReaderMessage =
  | {readonly ready: true}
  | {readonly result: ReadResult}
  | {readonly fault: unknown};

/** One reader process; it is never restarted. */
export type ReaderChild = {
  /** Resolves to the result of a task, `rejected` if the process died of it. Rejects for a fault of the reader. */
  read(kind: ReadKind, task: ReadTask): Promise<ReadResult>;
  /** True while the process is alive and has not grown too large. */
  isFit(): boolean;
  /** Ends the process and waits for its exit. */
  end(): Promise<void>;
};

/** V8 heap limit of the process; it exits when it exceeds this. */
const heapMb = 128;
/**
 * A process reads one body at a time. Helper threads for garbage collection and for DuckDB would take CPU from the server and the other
 * reader without making this one faster. The process collects garbage itself (`reader-program.ts`).
 */
const oneThread = {
  flags: ["--single-threaded-gc", "--expose-gc"],
  environment: {UV_THREADPOOL_SIZE: "1"},
};
/** Interval for sampling the memory and CPU time of a reading process. */
const sampleMs = 25;
/** Factor between the CPU time limit and the wall-clock limit. */
const wallClockFactor = 3;
/** Grace period for the process to exit by itself. */
const exitGraceMs = 5_000;

/** Starts a process that dies with the server. */
export function startReaderChild(program: URL, limits: ReaderLimits): ReaderChild {
  const child = startOwnChild(program, {
    flags: [`--max-old-space-size=${heapMb}`, "--max-semi-space-size=4", ...oneThread.flags],
    environment: oneThread.environment,
    serialization: "advanced",
    stderr: "ignore",
  });
  const life = watchLife(child);
  if (limits.priority !== undefined && child.pid !== undefined) lowerPriority(child.pid, limits.priority);
  // The process keeps the server alive only while it is reading.
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
    isFit: () => !life.over() && privateKib(child.pid!) <= limits.maxKeptKib,
    async end() {
      if (life.over()) return;
      keepAwake(child, true);
      const late = setTimeout(() => child.kill("SIGKILL"), exitGraceMs);
      // The channel may just have broken; then the process exits by itself.
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
    // The process has exited, or the system has no priorities: reading works regardless.
  }
}

type Life = {
  over(): boolean;
  readonly ended: Promise<void>;
  /** Resolves to the next message, or undefined if the process exits first. Only one caller may wait at a time. */
  nextMessage(): Promise<ReaderMessage | undefined>;
};

function watchLife(child: ChildProcess): Life {
  let over = false;
  // Promise.race against the exit would retain every message for the life of the process.
  let hear: (message?: ReaderMessage) => void = () => undefined;
  const {promise: ended, resolve} = Promise.withResolvers<void>();
  const end = () => {
    over = true;
    resolve();
    hear();
  };
  child.once("exit", end);
  child.on("message", (message) => hear(message as ReaderMessage));
  // The process could not be started, or a message could not be delivered.
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

/** Waits until the process is ready; returns the failure if it does not get there. */
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
  const late = setTimeout(stop, limits.readMs * (before === null ? 1 : wallClockFactor), tooLong);
  const look = setInterval(() => {
    if (privateKib(child.pid!) > limits.maxKib) stop(`reading took more than ${limits.maxKib} KiB`);
    if ((processorMs(child.pid!) ?? 0) - (before ?? 0) > limits.readMs) stop(tooLong);
  }, sampleMs);
  const answer = await answered;
  clearTimeout(late);
  clearInterval(look);
  if (answer === undefined || "ready" in answer) return rejected(excess);
  if ("fault" in answer) throw answer.fault;
  return answer.result;
}
