import {monitorEventLoopDelay} from "node:perf_hooks";
import type {Settings} from "../../schemas/settings.ts";
import {KeysInFlight, KeysPerSecond} from "./key-shares.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

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
