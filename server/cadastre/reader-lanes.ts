import type {CountyReader} from "./county-reader.ts";
import {createReaderProcess, type ReaderOptions} from "./reader-process.ts";

/** An answer about one parcel has a few kilobytes. */
const largeBytes = 64 * 1024;

/**
 * Makes a reader of two processes, one for usual bodies and one for large ones, so that a body that takes seconds holds up no usual
 * answer of another county. The second has a lower priority and ends when it has had nothing to read for a while.
 */
export function createReaderLanes({program, limits}: ReaderOptions = {}): CountyReader {
  const of = (own: ReaderOptions["limits"]) =>
    createReaderProcess({...(program === undefined ? {} : {program}), limits: {...own, ...limits}});
  const usual = of({});
  const large = of({mostWaiting: 4, mostWaitingBytes: 12 * 1024 * 1024, idleMs: 10_000, priority: 10});
  return {
    read: (kind, task, turn) => (task.body.byteLength > largeBytes ? large : usual).read(kind, task, turn),
    async close() {
      await usual.close();
      await large.close();
    },
  };
}
