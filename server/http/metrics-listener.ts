import {readFileSync} from "node:fs";
import {createServer, type Server} from "node:http";
import {collectDefaultMetrics, Gauge, type Registry} from "prom-client";
import type {Settings} from "../../schemas/settings.ts";
import {listenOn} from "./listen-on.ts";

/**
 * Serves `/metrics` on the loopback address, at the port of the settings plus the process number, with the figures of the
 * process itself and the faults that `reasons` names; null where the port is 0. Rejects with a `ConfigError` where the port
 * cannot be had.
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

/** Mapped pages count in RSS but are reclaimable: leaks show in the anonymous part alone. */
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
