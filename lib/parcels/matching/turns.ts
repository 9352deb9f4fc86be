import {setImmediate as nextTurn} from "node:timers/promises";

/** Work that stops after every few thousand pieces to give others a turn; `allAtOnce` or `inTurns` run it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work after which the event loop gets a turn. */
const turnMs = 10;

/** Does the work without a stop. */
export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done === true) return value;
  }
}

/**
 * Does the work in turns of about 10 ms; work that needs only one turn is done at once. Before each further turn the
 * signal, which is made for the second one, is tested: its reason is thrown if it is aborted.
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
