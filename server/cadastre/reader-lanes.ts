import type {CountyReader, ReadResult} from "./county-reader.ts";
import {createReaderProcess, type ReaderOptions} from "./reader-process.ts";

/** An answer about one parcel has a few kilobytes. */
const largeBytes = 64 * 1024;

/**
 * Makes a reader of two processes. One reads usual bodies. The other reads large ones, and those of publishers whose last body was
 * refused, so that a body that takes long holds up no usual answer of another county. The second has a lower priority and ends when it
 * has had nothing to read for a while.
 */
export function createReaderLanes({program, limits}: ReaderOptions = {}): CountyReader {
  const of = (own: ReaderOptions["limits"]) =>
    createReaderProcess({...(program === undefined ? {} : {program}), limits: {...own, ...limits}});
  const usual = of({});
  const slow = of({mostWaiting: 4, mostWaitingBytes: 12 * 1024 * 1024, idleMs: 10_000, priority: 10});
  const doubted = new Set<string>();
  const judge = (tenant: string, result: ReadResult) => {
    if (result.kind !== "failed") doubted.delete(tenant);
    // A body that was not read for want of room or time here says nothing about its publisher.
    else if (result.unread !== true) doubted.add(tenant);
  };
  return {
    async read(kind, task, turn) {
      const isSlow = task.body.byteLength > largeBytes || doubted.has(turn.tenant);
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
