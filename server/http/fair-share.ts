import {Problem} from "./problem-document.ts";
import type {Step} from "./step.ts";

/**
 * Requests started per event-loop turn. libuv accepts one new connection per turn, so a turn that answered everything from a thousand busy
 * connections would keep new clients out.
 */
const maxPerTurn = 8;
/** Maximum number of queued requests per key; a connection can pipeline many before it reads an answer. */
const maxWaiting = 1_024;

/** Queues requests over event-loop turns, round-robin by key, so that many requests of one key do not hold up a single one of another. */
export class FairShare {
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Requests started in this turn. While it is above 0, a next turn is scheduled and can start more. */
  #begun = 0;

  /** Starts a request in this turn or a later one; false when its key has too many waiting. */
  enter(keyId: string, begin: () => void): boolean {
    if (this.#begun < maxPerTurn) {
      this.#begin(begin);
      return true;
    }
    const own = this.#waiting.get(keyId) ?? [];
    if (own.length >= maxWaiting) return false;
    own.push(begin);
    this.#waiting.set(keyId, own);
    return true;
  }

  #next(): void {
    this.#begun = 0;
    while (this.#begun < maxPerTurn && this.#waiting.size > 0) this.#begin(this.#take());
  }

  #begin(begin: () => void): void {
    if (this.#begun === 0) setImmediate(() => this.#next());
    this.#begun += 1;
    begin();
  }

  /** Takes the first request of the next key; the key moves to the end of the queue, where a sole key already is. */
  #take(): () => void {
    const [keyId, own] = this.#waiting.entries().next().value!;
    const first = own.shift()!;
    if (own.length === 0 || this.#waiting.size > 1) this.#waiting.delete(keyId);
    if (own.length > 0) this.#waiting.set(keyId, own);
    return first;
  }
}

/** Limits how many requests start per event-loop turn, round-robin by key; requests of callers who have left are dropped. */
export function turns(): Step {
  const queue = new FairShare();
  return (_request, response, next) => {
    const begin = () => {
      if (!response.destroyed) next();
    };
    if (!queue.enter(response.locals.key?.id ?? "", begin))
      throw new Problem("overloaded", "Too much at once; try again shortly.", {retryAfterSeconds: 1});
  };
}
