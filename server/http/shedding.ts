import {monitorEventLoopDelay} from "node:perf_hooks";
import type {Settings} from "../../schemas/settings.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

/** Gives the least of the event-loop delays (p99, ms) of the last three seconds: a single stall is no overload. */
export type LoopDelay = () => number;

const SECONDS = 3;

/** Refuses work of any caller with 503 while too many requests are in flight or the event loop stays slow. */
export function shedding(settings: Settings, metrics: Metrics, loopDelay: LoopDelay): Step {
  let inFlight = 0;
  metrics.inFlightIs(() => inFlight);
  const overload = (): "process" | "loop" | null => {
    if (inFlight >= settings.CATTLE_MAX_IN_FLIGHT) return "process";
    return loopDelay() > settings.CATTLE_MAX_LOOP_DELAY_MS ? "loop" : null;
  };
  return (_request, response, next) => {
    const reason = overload();
    if (reason !== null) {
      metrics.shed(reason);
      throw new Problem("overloaded", "Too much at once; try again shortly.", {
        retryAfterSeconds: 1 + Math.floor(Math.random() * 5),
      });
    }
    inFlight += 1;
    response.on("close", () => {
      inFlight -= 1;
    });
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
