import {monitorEventLoopDelay} from "node:perf_hooks";
import type {Settings} from "../../schemas/settings.ts";
import type {Exchange} from "./exchange.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";

/** p99 of the event-loop delay over the last full second, ms. */
export type LoopDelay = () => number;

/** Refuses work that the process cannot take: too many in flight in all or for one key, or a slow event loop. */
export function shedding(
  settings: Settings,
  metrics: Metrics,
  loopDelay: LoopDelay,
): (exchange: Exchange) => void {
  const byKey = new Map<string, number>();
  let inFlight = 0;
  return (exchange) => {
    const keyId = exchange.key?.id ?? "";
    const ofKey = byKey.get(keyId) ?? 0;
    const reason = overload({inFlight, ofKey, delayMs: loopDelay()}, settings);
    if (reason !== null) {
      metrics.shed(reason);
      throw new Problem("overloaded", "Too much at once; try again shortly.", {
        retryAfterSeconds: 1 + Math.floor(Math.random() * 5),
      });
    }
    change(keyId, 1);
    exchange.leave = () => change(keyId, -1);
  };

  function change(keyId: string, by: 1 | -1): void {
    inFlight += by;
    metrics.inFlight(inFlight);
    const count = (byKey.get(keyId) ?? 0) + by;
    if (count === 0) byKey.delete(keyId);
    else byKey.set(keyId, count);
  }
}

/** Measures the event loop once a second; the timer keeps no process alive. */
export function watchLoopDelay(): {delay: LoopDelay; stop: () => void} {
  const histogram = monitorEventLoopDelay({resolution: 10});
  histogram.enable();
  let lastMs = 0;
  const timer = setInterval(() => {
    lastMs = histogram.percentile(99) / 1e6;
    histogram.reset();
  }, 1_000).unref();
  const stop = () => {
    clearInterval(timer);
    histogram.disable();
  };
  return {delay: () => lastMs, stop};
}

function overload(
  now: {inFlight: number; ofKey: number; delayMs: number},
  settings: Settings,
): "process" | "key" | "loop" | null {
  if (now.inFlight >= settings.CATTLE_MAX_IN_FLIGHT) return "process";
  if (now.ofKey >= settings.CATTLE_MAX_IN_FLIGHT_PER_KEY) return "key";
  return now.delayMs > settings.CATTLE_MAX_LOOP_DELAY_MS ? "loop" : null;
}
