import {setTimeout as sleep} from "node:timers/promises";
import type {Rate} from "../../../schemas/fetch-source.ts";
import {FetchError} from "./fetch-error.ts";

/** setTimeout may fire early; the margin keeps us under the rate. */
const marginMs = 5;

/** Queues the requests to one host: limited concurrency, limited rate, and none before a `Retry-After` is over. */
export class HostGate {
  readonly #intervalMs: number;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nextAt = 0;

  readonly #maxWaitMs: number;
  readonly #host: string;

  /** A request that would wait longer than `maxWaitMs` is refused, even if it is already queued. */
  constructor(host: string, {perSecond, atOnce}: Rate, maxWaitMs: number) {
    this.#host = host;
    this.#maxWaitMs = maxWaitMs;
    this.#intervalMs = 1000 / perSecond + marginMs;
    this.#atOnce = atOnce;
  }

  /**
   * Runs the work when its turn comes. Rejects with the work's fault, with a 503 fault for a long wait, or when the signal aborts the wait.
   */
  async pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal).catch((fault: unknown) => {
      // A woken request that gives up must wake the next one.
      this.#waiting.shift()?.();
      throw fault;
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Delays all further requests to the host by this long. */
  holdFor(ms: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + ms);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#nextAt - performance.now();
      if (wait > this.#maxWaitMs)
        throw new FetchError("status", `${this.#host}: status 503`, {status: 503, retryAfterMs: wait});
      if (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (wait > 0) await sleep(Math.ceil(wait), null, {signal}).catch(() => signal.throwIfAborted());
      else break;
    }
    this.#running += 1;
    this.#nextAt = performance.now() + this.#intervalMs;
  }
}
