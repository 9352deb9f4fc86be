import {Worker} from "node:worker_threads";
import type {ReplyReader, ReplyRequest, ReplyRow} from "./reply-reader.ts";
import type {ReplyResult, ReplyTask} from "./reply-worker.ts";

/** JavaScript memory of the thread. A thread that needs more ends, and the answer that it read is refused. */
const heapMb = 256;
/** Time that a thread may take to end by itself. */
const endMs = 5_000;

type Waiting = {resolve(rows: ReplyRow[]): void; reject(error: unknown): void};
type Thread = {
  readonly worker: Worker;
  /** By number of the task. */
  readonly waiting: Map<number, Waiting>;
  readonly ended: Promise<void>;
};

/**
 * A reader in a thread of its own, because an answer plans SQL for a tenth of a second. It starts with the first answer; when
 * it dies, the answers that it was reading are rejected and the next answer starts a new one. Tests give a failing `program`.
 */
export function createReplyThread({program = workerProgram()}: {program?: URL} = {}): ReplyReader {
  let thread: Thread | null = null;
  let tasks = 0;

  function start(): Thread {
    const started = startThread(program, () => {
      if (thread === started) thread = null;
    });
    return started;
  }

  return {
    read(request) {
      thread ??= start();
      return readIn(thread, ++tasks, request);
    },
    async close() {
      const last = thread;
      thread = null;
      if (last !== null) await endThread(last);
    },
  };
}

function workerProgram(): URL {
  return new URL(`./reply-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
}

/** Calls `gone` when the thread dies, before it rejects its tasks: a task that follows then meets a new thread. */
function startThread(program: URL, gone: () => void): Thread {
  // The thread gets no flags of the main program.
  const worker = new Worker(program, {execArgv: [], resourceLimits: {maxOldGenerationSizeMb: heapMb}});
  const waiting: Thread["waiting"] = new Map();
  const {promise: ended, resolve: end} = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    gone();
    for (const {reject} of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("message", (result: ReplyResult) => {
    settle(waiting, result);
    if (waiting.size === 0) worker.unref();
  });
  worker.once("error", fail);
  worker.once("exit", (code) => {
    fail(new Error(`the thread that reads answers ended with code ${code}`));
    end();
  });
  return {worker, waiting, ended};
}

function settle(waiting: Thread["waiting"], result: ReplyResult): void {
  const wanted = waiting.get(result.id);
  waiting.delete(result.id);
  if ("error" in result) wanted?.reject(result.error);
  else wanted?.resolve(result.rows.map(withBuffer));
}

/** Makes the outline a Buffer again: it crosses the threads as plain bytes. */
function withBuffer(row: ReplyRow): ReplyRow {
  const {wkb} = row.geometry;
  if (wkb === null) return row;
  return {
    ...row,
    geometry: {...row.geometry, wkb: Buffer.from(wkb.buffer, wkb.byteOffset, wkb.byteLength)},
  };
}

/** Sends a task. The thread keeps the process alive only while it has a task. */
function readIn({worker, waiting}: Thread, id: number, request: ReplyRequest): Promise<ReplyRow[]> {
  const {promise, resolve, reject} = Promise.withResolvers<ReplyRow[]>();
  waiting.set(id, {resolve, reject});
  worker.ref();
  worker.postMessage({id, request} satisfies ReplyTask);
  return promise;
}

/** Ends a thread after its last task: DuckDB is cut off in the middle of its work only when it takes too long. */
async function endThread({worker, ended}: Thread): Promise<void> {
  worker.ref();
  worker.postMessage(null satisfies ReplyTask);
  const timer = setTimeout(() => void worker.terminate(), endMs);
  await ended;
  clearTimeout(timer);
}
