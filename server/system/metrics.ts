import {readFileSync} from "node:fs";
import {createServer, type Server} from "node:http";
import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from "prom-client";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import type {Settings} from "../../schemas/settings.ts";
import {listenOn} from "./listen-on.ts";

/** Metrics of one process. Labels are route templates and closed sets, never request values. */
export type Metrics = {
  readonly registry: Registry;
  requestDone(facts: {route: string | null; status: number; seconds: number}): void;
  /** Sets the callback that reads the number of requests in flight when the metrics are scraped. */
  inFlightIs(read: () => number): void;
  shed(reason: "process" | "loop"): void;
  /** Counts an answer with a status from 500 on. */
  failed(slug: ProblemSlug): void;
  /** `anonymous` stands for all calls without a key. */
  limited(keyId: string): void;
  /** Counts an owner search of a key; a refused one found the quota of its day used up. */
  ownerSearch(facts: {keyId: string; refused: boolean}): void;
  swapped(facts: {buildId: string; builtAt: string; seconds: number}): void;
  verifyFailed(): void;
};

const serverFaults = Object.entries(problemKinds).flatMap(([slug, {status}]) =>
  status >= 500 ? [slug] : [],
);

/** Creates metrics in their own registry; nothing listens until the registry is served. */
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
    // Every request has exactly one duration, so the histogram has counted it already.
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
  const errors = new Counter({
    name: "http_errors_total",
    help: "Requests answered with a status from 500 on, by kind of problem",
    labelNames: ["problem"],
    registers,
  });
  // A series that begins with its first error has no increase.
  for (const slug of serverFaults) errors.inc({problem: slug}, 0);
  const quota = new Counter({
    name: "owner_search_refused_total",
    help: "Owner searches refused because the key's quota of the day was used up",
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
    failed: (problem) => errors.inc({problem}),
    limited: (key) => limited.inc({key}),
    // 0 from the key's first search on, so that its first refusal is an increase.
    ownerSearch: ({keyId: key, refused}) => quota.inc({key}, refused ? 1 : 0),
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

/**
 * Serves `/metrics` on loopback, at the configured port plus the process number, with Node's process metrics and the faults from `reasons`.
 * Null when the port is 0. Rejects with a `ConfigError` if the port is unavailable.
 */
export async function listenForMetrics(
  registry: Registry,
  settings: Settings,
  reasons: () => readonly string[],
): Promise<Server | null> {
  if (settings.CATTLE_METRICS_PORT === 0) return null;
  collectDefaultMetrics({register: registry});
  addPrivateMemory(registry);
  addDegradation(registry, reasons);
  const server = createServer(async (request, response) => {
    const found = request.method === "GET" && request.url === "/metrics";
    response.writeHead(found ? 200 : 404, {"Content-Type": registry.contentType});
    response.end(found ? await registry.metrics() : undefined);
  });
  const port = settings.CATTLE_METRICS_PORT + settings.CATTLE_PROCESS_NUMBER;
  await listenOn(server, {port, host: "127.0.0.1"}, "CATTLE_METRICS_PORT");
  return server.unref();
}

/** RSS includes mapped pages, which are reclaimable; leaks show only in the anonymous part. */
function addPrivateMemory(registry: Registry): void {
  new Gauge({
    name: "process_rss_anon_bytes",
    help: "Private resident memory",
    registers: [registry],
    collect() {
      const bytes = privateBytes();
      if (bytes !== null) this.set(bytes);
    },
  });
}

function addDegradation(registry: Registry, reasons: () => readonly string[]): void {
  new Gauge({
    name: "server_degraded",
    help: "1 for each fault that leaves reads working, as the readiness answer names it",
    labelNames: ["reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of reasons()) this.set({reason}, 1);
    },
  });
}

function privateBytes(): number | null {
  if (process.platform !== "linux") return null;
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
