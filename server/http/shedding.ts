import {monitorEventLoopDelay} from "node:perf_hooks";
import type {Settings} from "../../schemas/settings.ts";
import type {Metrics} from "../system/metrics.ts";
import {Problem} from "./problem-document.ts";
import type {Step} from "./step.ts";

/**
 * Requests in flight by key. A key may have as many as the process has free slots: one greedy key fills half of them, two fill two thirds,
 * and a key with none always gets in.
 */
export class KeysInFlight {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  all(): number {
    return this.#all;
  }

  of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  hasRoom(keyId: string): boolean {
    return this.of(keyId) < this.#limit - this.#all;
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
 * Requests per second that are always allowed per key: twice the pace of 120 a minute. When the loop is slow because of the machine or of
 * another key, refusing this little would not help. Very many keys are limited by the requests in flight.
 */
const guaranteedPerSecond = 4;

/**
 * Per-key request share for each second; unlimited until the process is slow. In a slow second the share drops to half of what the busiest
 * key used or was allowed, but not below the trickle; in every other second it quadruples. The busiest keys are thus refused first, and a
 * key at the trickle never.
 */
export class KeysPerSecond {
  readonly #counts = new Map<string, number>();
  #second = 0;
  #share = Number.POSITIVE_INFINITY;

  /** Counts a request; false when its key has used up its share of this second. */
  admits(keyId: string, {second, isSlow}: {second: number; isSlow: boolean}): boolean {
    if (second !== this.#second) this.#begin(second, isSlow);
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    return count <= this.#share;
  }

  #begin(second: number, isSlow: boolean): void {
    const busiest = Math.max(0, ...this.#counts.values());
    const grown = this.#share * 4 ** (second - this.#second);
    if (isSlow) this.#share = Math.max(guaranteedPerSecond, Math.floor(Math.min(this.#share, busiest) / 2));
    else this.#share = grown < busiest ? grown : Number.POSITIVE_INFINITY;
    this.#counts.clear();
    this.#second = second;
  }
}

/** Returns the minimum event-loop delay (p99, ms) of the last three seconds, since a single stall is no overload. */
export type LoopDelay = () => number;

const SECONDS = 3;

/**
 * Sheds load while too many requests are in flight or the event loop stays slow: 429 for a key at its own in-flight limit, otherwise 503
 * for the busiest keys.
 */
export function shedding(settings: Settings, metrics: Metrics, loopDelay: LoopDelay): Step {
  const {CATTLE_MAX_IN_FLIGHT, CATTLE_MAX_IN_FLIGHT_PER_KEY: maxPerKey, CATTLE_MAX_LOOP_DELAY_MS} = settings;
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
    if (inFlight.of(keyId) >= maxPerKey) {
      metrics.limited(keyId);
      throw new Problem("rate-limited", `This key has ${maxPerKey} requests in flight.`, {
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

/** Samples the event-loop delay once a second, on a timer that does not keep the process alive. */
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
  return {delay: () => seconds.minimum(), stop};
}

/** The delays of the last three seconds. */
export class LastSeconds {
  #delays: number[] = Array.from({length: SECONDS}, () => 0);

  add(delayMs: number): void {
    this.#delays = [...this.#delays.slice(1), delayMs];
  }

  /** Their minimum; 0 until there are three. */
  minimum(): number {
    return Math.min(...this.#delays);
  }
}
