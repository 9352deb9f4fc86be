import {type CountyReader, largeBytes, type ReadResult} from "./county-reader.ts";
import {createReaderProcess, type ReaderOptions} from "./reader-process.ts";

/** A county that sends odd replies sends sound ones between them, and others that take long. */
const doubtMs = 10 * 60_000;

/**
 * Makes a reader of two processes. One reads usual bodies. The other reads large ones, and those of publishers of whom a body was
 * refused in the last ten minutes, so that a body that takes long holds up no usual answer of another county. The second has a lower
 * priority and ends when it has had nothing to read for a while.
 */
export function createReaderLanes({program, limits}: ReaderOptions = {}): CountyReader {
  const of = (own: ReaderOptions["limits"]) =>
    createReaderProcess({...(program === undefined ? {} : {program}), limits: {...own, ...limits}});
  const usual = of({});
  const slow = of({mostWaiting: 4, mostWaitingBytes: 12 * 1024 * 1024, idleMs: 10_000, priority: 10});
  /** Instants of `performance.now()` at which a publisher is read as usual again. */
  const doubted = new Map<string, number>();
  const judge = (tenant: string, result: ReadResult) => {
    // A body that was not read for want of room or time here says nothing about its publisher.
    if (result.kind === "failed" && result.unread !== true) doubted.set(tenant, performance.now() + doubtMs);
  };
  return {
    async read(kind, task, turn) {
      const isDoubted = performance.now() < (doubted.get(turn.tenant) ?? 0);
      const isSlow = isDoubted || task.body.byteLength > largeBytes;
      const result = await (isSlow ? slow : usual).read(kind, task, turn);
      judge(turn.tenant, result);
      return result;
    },
    async close() {
      await usual.close();
      await slow.close();
    },
  };
}
