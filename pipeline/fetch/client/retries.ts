import {setTimeout as sleep} from "node:timers/promises";
import {AskFault} from "./ask-fault.ts";

/** The tries after the first: their number, and the pause before the first of them. */
export type Patience = {readonly retries: number; readonly firstPauseMs: number};

/**
 * Does work, and does it again after a passing fault, with pauses that double and have jitter. Rejects with the last fault, or
 * when the signal ends a pause.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  {retries, firstPauseMs}: Patience,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await work();
    } catch (fault) {
      const mayPass = fault instanceof AskFault && fault.passes;
      if (!mayPass || tried >= retries || signal.aborted) throw fault;
    }
    await sleep(firstPauseMs * 2 ** tried * (1 + Math.random()), null, {signal});
  }
}
