import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

/**
 * Requests that begin in one turn of the event loop. libuv takes one new connection a turn: where a turn answered all that a thousand
 * connections send, nobody else would be let in for as long as they go on.
 */
const mostInTurn = 8;
/** Requests of one key that may wait for a turn; a connection can send many before it reads an answer. */
const mostWaiting = 1_024;

/** Requests that wait for a turn of the event loop; keys take turns, so that many requests of one do not hold up the single one of another. */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Requests that began in this turn. While there are any, the next turn is due and may begin others. */
  #begun = 0;

  /** Begins a request in this turn or in a later one; false where too many of its key wait. */
  enter(keyId: string, begin: () => void): boolean {
    if (this.#begun < mostInTurn) {
      this.#begin(begin);
      return true;
    }
    const own = this.#waiting.get(keyId) ?? [];
    if (own.length >= mostWaiting) return false;
    own.push(begin);
    this.#waiting.set(keyId, own);
    return true;
  }

  #next(): void {
    this.#begun = 0;
    while (this.#begun < mostInTurn && this.#waiting.size > 0) this.#begin(this.#take());
  }

  #begin(begin: () => void): void {
    if (this.#begun === 0) setImmediate(() => this.#next());
    this.#begun += 1;
    begin();
  }

  /** The first request of the key whose turn it is; the key goes to the end of the line, where a key that waits alone is already. */
  #take(): () => void {
    const [keyId, own] = this.#waiting.entries().next().value!;
    const first = own.shift()!;
    if (own.length === 0 || this.#waiting.size > 1) this.#waiting.delete(keyId);
    if (own.length > 0) this.#waiting.set(keyId, own);
    return first;
  }
}

/** Lets few requests begin in one turn of the event loop, key by key; of a caller who has gone by then none. */
export function turns(): Step {
  const line = new Turns();
  return (_request, response, next) => {
    const begin = () => {
      if (!response.destroyed) next();
    };
    if (!line.enter(response.locals.key?.id ?? "", begin))
      throw new Problem("overloaded", "Too much at once; try again shortly.", {retryAfterSeconds: 1});
  };
}
