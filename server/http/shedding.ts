import {monitorEventLoopDelay} from "node:perf_hooks";
import type {Settings} from "../../schemas/settings.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

/**
 * Requests in flight by key. A key may have as many as the process has room for more: one that asks without end fills half of it, two
 * fill two thirds, and there is always room for a key that has none.
 */
export class KeysInFlight {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  all(): number {
    return this.#all;
  }

  of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  hasRoom(keyId: string): boolean {
    return this.of(keyId) < this.#most - this.#all;
  }

  enter(keyId: string): void {
    this.#counts.set(keyId, this.of(keyId) + 1);
    this.#all += 1;
  }

  leave(keyId: string): void {
    const left = this.of(keyId) - 1;
    if (left === 0) this.#counts.delete(keyId);
    else this.#counts.set(keyId, left);
    this.#all -= 1;
  }
}

/**
 * Requests that each key may always make in a second: twice the pace of 120 a minute. A loop that is slow because of the machine, or of
 * another key that asks on and on, stays slow however little this one gets. What comes of very many keys is bounded in flight.
 */
const trickle = 4;

/**
 * The share of each key in a second. It has no bound until the process is slow. In a slow second the share is half of what the busiest key
 * asked for or was given, down to a trickle; in each other second it grows to four times as much. So the keys that ask most are refused
 * first, and a key that asks for a trickle never.
 */
export class KeysPerSecond {
  readonly #counts = new Map<string, number>();
  #second = 0;
  #share = Number.POSITIVE_INFINITY;

  /** Counts a request; false where its key had its share of this second. */
  admits(keyId: string, {second, isSlow}: {second: number; isSlow: boolean}): boolean {
    if (second !== this.#second) this.#begin(second, isSlow);
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    return count <= this.#share;
  }

  #begin(second: number, isSlow: boolean): void {
    const busiest = Math.max(0, ...this.#counts.values());
    const grown = this.#share * 4 ** (second - this.#second);
    if (isSlow) this.#share = Math.max(trickle, Math.floor(Math.min(this.#share, busiest) / 2));
    else this.#share = grown < busiest ? grown : Number.POSITIVE_INFINITY;
    this.#counts.clear();
    this.#second = second;
  }
}

/** Gives the least of the event-loop delays (p99, ms) of the last three seconds: a single stall is no overload. */
export type LoopDelay = () => number;

const SECONDS = 3;

/**
 * Refuses work while too many requests are in flight or the event loop stays slow: with 429 that of a key with as many in flight as it
 * may, else with 503 that of the keys that ask for most.
 */
export function shedding(settings: Settings, metrics: Metrics, loopDelay: LoopDelay): Step {
  const {CATTLE_MAX_IN_FLIGHT, CATTLE_MAX_IN_FLIGHT_PER_KEY: mostOfKey, CATTLE_MAX_LOOP_DELAY_MS} = settings;
  const inFlight = new KeysInFlight(CATTLE_MAX_IN_FLIGHT);
  const perSecond = new KeysPerSecond();
  metrics.inFlightIs(() => inFlight.all());
  const overload = (keyId: string): "process" | "loop" | null => {
    const second = Math.floor(performance.now() / 1_000);
    const isSlow = loopDelay() > CATTLE_MAX_LOOP_DELAY_MS;
    if (!perSecond.admits(keyId, {second, isSlow})) return "loop";
    return inFlight.hasRoom(keyId) ? null : "process";
  };
  return (_request, response, next) => {
    const keyId = response.locals.key?.id ?? "";
    if (inFlight.of(keyId) >= mostOfKey) {
      metrics.limited(keyId);
      throw new Problem("rate-limited", `This key has ${mostOfKey} requests in flight.`, {
        retryAfterSeconds: 1,
      });
    }
    const reason = overload(keyId);
    if (reason !== null) {
      metrics.shed(reason);
      throw new Problem("overloaded", "Too much at once; try again shortly.", {
        retryAfterSeconds: 1 + Math.floor(Math.random() * 5),
      });
    }
    inFlight.enter(keyId);
    response.on("close", () => inFlight.leave(keyId));
    next();
  };
}

/** Measures the event loop once a second; the timer keeps no process alive. */
export function watchLoopDelay(): {delay: LoopDelay; stop: () => void} {
  const histogram = monitorEventLoopDelay({resolution: 10});
  histogram.enable();
  const seconds = new LastSeconds();
  const timer = setInterval(() => {
    seconds.add(histogram.percentile(99) / 1e6);
    histogram.reset();
  }, 1_000).unref();
  const stop = () => {
    clearInterval(timer);
    histogram.disable();
  };
  return {delay: () => seconds.least(), stop};
}

/** The delays of the last three seconds. */
export class LastSeconds {
  #delays: number[] = Array.from({length: SECONDS}, () => 0);

  add(delayMs: number): void {
    this.#delays = [...this.#delays.slice(1), delayMs];
  }

  /** The least of them; 0 until there were three. */
  least(): number {
    return Math.min(...this.#delays);
  }
}
