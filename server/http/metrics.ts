import {Counter, Gauge, Histogram, Registry} from "prom-client";

/** The figures of one process; labels are route templates and closed sets, never request values. */
export type Metrics = {
  readonly registry: Registry;
  requestDone(facts: {route: string | null; status: number; seconds: number}): void;
  /** Says where the number of requests in flight is read when somebody looks at it. */
  inFlightIs(read: () => number): void;
  shed(reason: "process" | "loop"): void;
  /** `anonymous` counts the calls without a key together. */
  limited(keyId: string): void;
  swapped(facts: {buildId: string; builtAt: string; seconds: number}): void;
  verifyFailed(): void;
};

/** Metrics in a registry of their own; nothing listens until somebody serves the registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request line to the last byte",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 10],
    registers,
  });
  new Counter({
    name: "http_requests_total",
    help: "Requests answered",
    labelNames: ["route", "status"],
    registers,
    // Each request has one duration, so that they are counted already.
    async collect() {
      this.reset();
      for (const {metricName, labels, value} of (await duration.get()).values) {
        if (metricName?.endsWith("_count")) this.inc(labels, value);
      }
    },
  });
  let countInFlight = () => 0;
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests being answered",
    registers,
    collect() {
      this.set(countInFlight());
    },
  });
  const shed = new Counter({
    name: "http_shed_total",
    help: "Requests answered 503 overloaded",
    labelNames: ["reason"],
    registers,
  });
  const limited = new Counter({
    name: "http_limited_total",
    help: "Requests answered 429",
    labelNames: ["key"],
    registers,
  });
  const build = new Gauge({
    name: "build_info",
    help: "1 for the build that is being served",
    labelNames: ["build_id"],
    registers,
  });
  const builtAt = new Gauge({
    name: "build_timestamp_seconds",
    help: "Instant of the served build",
    registers,
  });
  const swaps = new Counter({name: "generation_swaps_total", help: "Builds opened and served", registers});
  const swapSeconds = new Gauge({
    name: "generation_swap_seconds",
    help: "Time to check and open the build",
    registers,
  });
  const failures = new Counter({
    name: "artifact_verify_failures_total",
    help: "Builds that were refused",
    registers,
  });
  return {
    registry,
    requestDone({route, status, seconds}) {
      duration.observe({route: route ?? "unknown", status}, seconds);
    },
    inFlightIs: (read) => {
      countInFlight = read;
    },
    shed: (reason) => shed.inc({reason}),
    limited: (key) => limited.inc({key}),
    swapped(facts) {
      build.reset();
      build.set({build_id: facts.buildId}, 1);
      builtAt.set(Date.parse(facts.builtAt) / 1000);
      swaps.inc();
      swapSeconds.set(facts.seconds);
    },
    verifyFailed: () => failures.inc(),
  };
}
