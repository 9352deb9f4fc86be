import {FetchError} from "../fetch/client/fetch-error.ts";

/** Exit code of a command that was stopped by Ctrl-C (128 and the number of SIGINT). */
export const STOPPED = 130;

/**
 * Gives a signal that the first Ctrl-C or SIGTERM aborts, so that a command can end in order; a second one ends the process at once.
 * Dispose of it when the work is done.
 */
export function stopSignal(): {readonly signal: AbortSignal; [Symbol.dispose](): void} {
  const stop = new AbortController();
  const end = () => stop.abort(new FetchError("limit", "the run was stopped"));
  process.once("SIGINT", end).once("SIGTERM", end);
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      process.off("SIGINT", end).off("SIGTERM", end);
    },
  };
}
