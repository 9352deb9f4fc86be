import {setTimeout as sleep} from "node:timers/promises";
import {AskFault} from "./ask-fault.ts";

/** The tries after the first: their number, the pause before the first of them, and the longest wait that a server may ask for. */
export type Patience = {readonly retries: number; readonly firstPauseMs: number; readonly mostWaitMs: number};

/**
 * Does work, and does it again after a passing fault, with pauses that double and have jitter. Rejects with the last fault, also when
 * the signal ends a pause, and with a fault of the kind `wait` where the server asks for more time than `mostWaitMs`.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  {retries, firstPauseMs, mostWaitMs}: Patience,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    let fault: unknown;
    try {
      return await work();
    } catch (thrown) {
      fault = thrown;
    }
    if (!(fault instanceof AskFault) || !fault.passes || signal.aborted) throw fault;
    if ((fault.retryAfterMs ?? 0) > mostWaitMs) throw waiting(fault);
    if (tried >= retries) throw fault;
    await sleep(firstPauseMs * 2 ** tried * (1 + Math.random()), null, {signal}).catch(() => {
      throw fault;
    });
  }
}

function waiting({message, status, retryAfterMs}: AskFault): AskFault {
  const minutes = Math.ceil((retryAfterMs ?? 0) / 60_000);
  return new AskFault("wait", `${message}, asks to wait ${minutes} min`, {status, retryAfterMs});
}
