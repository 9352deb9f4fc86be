import {
  type CountyReader,
  largeBytes,
  type ReadFailure,
  type ReadKind,
  type ReadResult,
  type ReadTask,
  type Turn,
} from "./county-reader.ts";
import {type ReaderChild, type ReaderLimits, startReaderChild} from "./reader-child.ts";

/** How long a publisher stays on the slow lane after a failure: a county that sends odd replies sends sound ones in between. */
const suspectMs = 10 * 60_000;

const usual: ReaderLimits = {
  maxWaiting: 8,
  maxWaitingBytes: 16 * 1024 * 1024,
  readMs: 2_000,
  maxKib: 256 * 1024,
  maxKeptKib: 160 * 1024,
  startMs: 30_000,
};

type Result = ReadResult;
type Waiting = {
  readonly kind: ReadKind;
  readonly task: ReadTask;
  readonly turn: Turn;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

export type ReaderOptions = {
  /** Program of the process; tests pass one that fails. */
  readonly program?: URL;
  readonly limits?: Partial<ReaderLimits>;
};

/**
 * Creates a reader in a separate process, because a crash in native code would take down every thread of the server. The process is started
 * for the first body and reads one body at a time. A body that takes too long, takes too much memory or crashes the process is `rejected`,
 * and the next one is read in a new process. A body that arrives while the queue is full is `unavailable` at once.
 */
export function createReaderProcess({program, limits = {}}: ReaderOptions = {}): CountyReader {
  return new ReaderProcess(program ?? ownProgram(), {...usual, ...limits});
}

function ownProgram(): URL {
  return new URL(`./reader-program${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
}

class ReaderProcess implements CountyReader {
  readonly #program: URL;
  readonly #limits: ReaderLimits;
  #queue: Waiting[] = [];
  #child: ReaderChild | null = null;
  /** Settles when the body being read has been read; null when idle. */
  #reading: Promise<void> | null = null;
  #lastPublisher = "";
  #idle: NodeJS.Timeout | undefined;

  constructor(program: URL, limits: ReaderLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  read<Kind extends ReadKind>(kind: Kind, task: ReadTask<Kind>, turn: Turn): Promise<ReadResult<Kind>> {
    if (!this.#hasRoom(task.body.byteLength))
      return Promise.resolve(unread("unavailable", "too many answers wait to be read"));
    const {promise, resolve, reject} = Promise.withResolvers<Result>();
    const waiting: Waiting = {kind, task, turn, resolve, reject};
    this.#queue.push(waiting);
    const leave = () => this.#drop(waiting);
    turn.signal.addEventListener("abort", leave, {once: true});
    if (turn.signal.aborted) leave();
    this.#next();
    return promise.finally(() => turn.signal.removeEventListener("abort", leave)) as Promise<
      ReadResult<Kind>
    >;
  }

  /** Drains the queue, then ends the process. */
  async close(): Promise<void> {
    while (this.#reading !== null) await this.#reading;
    await this.#endChild();
  }

  async #endChild(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = null;
    await child?.end();
  }

  #hasRoom(bytes: number): boolean {
    if (this.#reading === null) return true;
    const waitingBytes = this.#queue.reduce((sum, {task}) => sum + task.body.byteLength, 0);
    const {maxWaiting, maxWaitingBytes} = this.#limits;
    return this.#queue.length < maxWaiting && waitingBytes + bytes <= maxWaitingBytes;
  }

  /** Removes a body from the queue when nobody waits for it any more; a body already being read is read to its end. */
  #drop(waiting: Waiting): void {
    if (!this.#queue.includes(waiting)) return;
    this.#queue = this.#queue.filter((each) => each !== waiting);
    waiting.resolve(unread("timeout", "its turn did not come in time"));
  }

  #next(): void {
    if (this.#reading !== null || this.#queue.length === 0) return;
    // Round-robin over publishers, so that many bodies of one do not hold up a single body of another.
    const next = this.#queue.find(({turn}) => turn.publisher !== this.#lastPublisher) ?? this.#queue[0]!;
    this.#queue = this.#queue.filter((each) => each !== next);
    this.#lastPublisher = next.turn.publisher;
    clearTimeout(this.#idle);
    this.#reading = this.#readOne(next).finally(() => {
      this.#reading = null;
      this.#rest();
      this.#next();
    });
  }

  /** Ends the process after a period without work. */
  #rest(): void {
    const {idleMs} = this.#limits;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.#endChild(), idleMs).unref();
  }

  async #readOne({kind, task, resolve, reject}: Waiting): Promise<void> {
    const child = this.#child ?? startReaderChild(this.#program, this.#limits);
    this.#child = child;
    try {
      resolve((await child.read(kind, task)) as Result);
    } catch (error) {
      reject(error);
    }
    // A process that died or grew too large is dropped; the next body starts a new one.
    if (!child.isFit()) await this.#endChild();
  }
}

function unread(status: ReadFailure["status"], reason: string): ReadFailure {
  return {kind: "failed", status, reason, unread: true};
}

/**
 * Creates a reader of two processes. One reads ordinary bodies. The other reads large ones, and those of publishers that had a body refused
 * in the last ten minutes, so that a slow body holds up no ordinary answer of another county. The second process has a lower priority and
 * ends when it is idle for a while.
 */
export function createReaderLanes({program, limits}: ReaderOptions = {}): CountyReader {
  const of = (own: ReaderOptions["limits"]) =>
    createReaderProcess({...(program === undefined ? {} : {program}), limits: {...own, ...limits}});
  const usual = of({});
  const slow = of({maxWaiting: 4, maxWaitingBytes: 12 * 1024 * 1024, idleMs: 10_000, priority: 10});
  /** Until when (`performance.now()`) a publisher stays on the slow lane. */
  const suspectUntil = new Map<string, number>();
  const noteResult = (publisher: string, result: ReadResult) => {
    // A body left unread for lack of room or time here says nothing about its publisher.
    if (result.kind === "failed" && result.unread !== true)
      suspectUntil.set(publisher, performance.now() + suspectMs);
  };
  return {
    async read(kind, task, turn) {
      const isSuspect = performance.now() < (suspectUntil.get(turn.publisher) ?? 0);
      const isSlow = isSuspect || task.body.byteLength > largeBytes;
      const result = await (isSlow ? slow : usual).read(kind, task, turn);
      noteResult(turn.publisher, result);
      return result;
    },
    async close() {
      await usual.close();
      await slow.close();
    },
  };
}
