import {setImmediate as nextTurn} from "node:timers/promises";

/** Work that yields every few thousand items; run it with `allAtOnce` or `inTurns`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work before the event loop gets a turn. */
const turnMs = 10;

/** Runs the work without yielding to the event loop. */
export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done === true) return value;
  }
}

/**
 * Runs the work in turns of about 10 ms; work that fits into one turn finishes synchronously. Otherwise
 * `signal` is called once, and before each further turn an aborted signal throws its reason.
 */
export function inTurns<T>(steps: Steps<T>, signal: () => AbortSignal): T | Promise<T> {
  const first = oneTurn(steps);
  return first.done === true ? first.value : otherTurns(steps, signal());
}

async function otherTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await nextTurn();
    signal.throwIfAborted();
    const turn = oneTurn(steps);
    if (turn.done === true) return turn.value;
  }
}

function oneTurn<T>(steps: Steps<T>): IteratorResult<undefined, T> {
  const end = performance.now() + turnMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() >= end) return step;
  }
}
