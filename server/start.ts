import {createServer, type Server} from "node:http";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import type {Logger} from "pino";
import {dataFolder} from "../lib/data-folder.ts";
import {messageOf} from "../lib/errors.ts";
import {counties} from "../lib/geography.ts";
import {holdLease} from "../lib/leases.ts";
import {mappingMode} from "../lib/mapped-file.ts";
import type {Settings} from "../schemas/settings.ts";
import {createApp} from "./app.ts";
import type {Endpoint} from "./endpoint.ts";
import type {Generation} from "./generation.ts";
import {watchGenerations} from "./generation-watch.ts";
import {openKeyStore} from "./key-store.ts";
import {createMetrics} from "./metrics.ts";
import {listenForMetrics} from "./metrics-listener.ts";
import type {OpenState} from "./open-generation.ts";
import {watchLoopDelay} from "./shedding.ts";

export type StartOptions = {
  settings: Settings;
  version: string;
  log: Logger;
  endpoints: readonly Endpoint[];
  openState: OpenState;
  /** Reasons of other parts (a delta that cannot be written), for `/readyz`. */
  otherReasons?: () => readonly string[];
  /** Called with each generation that is served. */
  adopted?: (generation: Generation) => void;
  /** Last step of a stop, when no request is in flight: flush and close the delta. */
  beforeExit?: () => Promise<void>;
};

export type RunningServer = {
  /** Port of the API, also where 0 was asked for. */
  port: number;
  /** Looks at the published build and the keys at once (SIGHUP). */
  refresh(): Promise<void>;
  /** Readiness 503, drain, finish what is in flight (10 s at most), close. */
  stop(): Promise<void>;
};

const MOST_CONNECTIONS = 2_000;
const MOST_REQUESTS_PER_SOCKET = 10_000;
/** A caller who reads nothing of an answer for so long is cut off. */
const IDLE_SOCKET_MS = 30_000;
const IN_FLIGHT_MS = 10_000;

/** Opens the published build and the keys, listens, and follows both. Rejects where a port cannot be had. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const {settings, log} = options;
  const data = dataFolder(settings.CATTLE_DATA);
  // Read now (a fifth of a second), so that no request has to wait for the county table.
  counties();
  const metrics = createMetrics();
  const lease = holdLease(data);
  let leased = true;
  const adopted = (generation: Generation) => {
    leased = tryLease(() => lease.moveTo(generation.buildId), log);
    options.adopted?.(generation);
  };
  const watch = await watchGenerations(data, {...options, pollMs: settings.CATTLE_POLL_MS, metrics, adopted});
  const keys = openKeyStore(join(data.root, "keys.json"), {log, pollMs: settings.CATTLE_POLL_MS});
  const loop = watchLoopDelay();
  let draining = false;
  const readiness = () => ({
    generation: watch.generation(),
    draining,
    mapping: mappingMode,
    reasons: [
      ...watch.reasons(),
      ...(keys.healthy() ? [] : ["keys_file_bad"]),
      ...(leased ? [] : ["lease_not_written"]),
      ...(options.otherReasons?.() ?? []),
    ],
  });
  const app = createApp({
    ...options,
    metrics,
    keys,
    readiness,
    generation: watch.generation,
    loopDelay: loop.delay,
  });
  const server = limitedServer(createServer({maxHeaderSize: 16 * 1024, ...timeouts(settings)}, app));
  server.prependListener("request", (_request, response) => {
    if (draining) response.setHeader("Connection", "close");
  });
  const port = await listen(server, settings);
  const metricsServer = await listenForMetrics(metrics.registry, settings);
  return {
    port,
    async refresh() {
      keys.refresh(true);
      await watch.refresh();
    },
    async stop() {
      draining = true;
      await sleep(settings.CATTLE_DRAIN_MS);
      await closeServer(server);
      await options.beforeExit?.();
      metricsServer?.close();
      for (const part of [watch, keys]) part.close();
      lease.release();
      loop.stop();
    },
  };
}

/** Without a lease a clean-up could remove the served build: degraded, not down, for mapped files outlive their names. */
function tryLease(move: () => void, log: Logger): boolean {
  try {
    move();
    return true;
  } catch (error) {
    log.error({reason: messageOf(error)}, "the lease cannot be written");
    return false;
  }
}

function timeouts(settings: Settings) {
  return {
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: settings.CATTLE_KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2_000,
  };
}

function limitedServer(server: Server): Server {
  server.maxConnections = MOST_CONNECTIONS;
  server.maxRequestsPerSocket = MOST_REQUESTS_PER_SOCKET;
  server.setTimeout(IDLE_SOCKET_MS);
  return server;
}

function listen(server: Server, settings: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const shared = settings.CATTLE_PROCESSES > 1;
    // The kernel spreads connections over the processes that listen on one port.
    server.listen({port: settings.CATTLE_PORT, host: settings.CATTLE_HOST, reusePort: shared}, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : settings.CATTLE_PORT);
    });
  });
}

/** No new connections, idle ones closed, those at work up to 10 s, then all. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
