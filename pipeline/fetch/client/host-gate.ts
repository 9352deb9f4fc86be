import {setTimeout as sleep} from "node:timers/promises";
import type {Rate} from "../../../schemas/fetch-source.ts";

/** Timers may end a moment early, and a request that arrives early is too early. */
const marginMs = 5;

/** The line in which the requests of one host wait: so many at once, so many in a second, none before a `Retry-After` is over. */
export class HostGate {
  readonly #intervalMs: number;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nextAt = 0;

  constructor({perSecond, atOnce}: Rate) {
    this.#intervalMs = 1000 / perSecond + marginMs;
    this.#atOnce = atOnce;
  }

  /** Gives the milliseconds until the host may be asked again. */
  get waitMs(): number {
    return Math.max(this.#nextAt - performance.now(), 0);
  }

  /** Runs the work when it is its turn. Rejects with the work's fault, or when the signal ends the wait. */
  async pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Lets no request of the host begin for so long. */
  holdFor(ms: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + ms);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#nextAt - performance.now();
      if (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (wait > 0) await sleep(Math.ceil(wait), null, {signal}).catch(() => signal.throwIfAborted());
      else break;
    }
    this.#running += 1;
    this.#nextAt = performance.now() + this.#intervalMs;
  }
}
