import {createServer, type Server} from "node:http";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import type {Logger} from "pino";
import {messageOf} from "../../lib/errors.ts";
import {counties} from "../../lib/geography/counties.ts";
import {holdLease} from "../../lib/process/leases.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {mappingMode} from "../../lib/storage/mapped-file.ts";
import {refuseNetworkFileSystem} from "../../lib/storage/network-file-system.ts";
import type {Settings} from "../../schemas/settings.ts";
import {createDeltaMetrics} from "../delta/delta-metrics.ts";
import {openDeltaStore} from "../delta/delta-store.ts";
import type {FindStore} from "../delta/find-store.ts";
import type {Generation} from "../generation/generation.ts";
import {watchGenerations} from "../generation/generation-watch.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {requireAnswers} from "../generation/smoke-lookups.ts";
import {createApp} from "../http/app.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {openKeyStore} from "../http/key-store.ts";
import {createMetrics, type Metrics} from "../http/metrics.ts";
import {listenForMetrics} from "../http/metrics-listener.ts";
import {watchLoopDelay} from "../http/shedding.ts";

export type StartOptions = {
  settings: Settings;
  version: string;
  log: Logger;
  /** The endpoints, or what makes them from the parts of this server. */
  endpoints: readonly Endpoint[] | ((parts: ServerParts) => readonly Endpoint[]);
  openState: OpenState;
};

/** What endpoints of a running server may need besides a call. */
export type ServerParts = {
  settings: Settings;
  log: Logger;
  metrics: Metrics;
  version: string;
  /** Where parcels that a county gave are kept. */
  finds: FindStore;
  /** Has something closed when the server stops, after the last answer and before the delta. */
  atStop(close: () => Promise<void>): void;
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
  await refuseNetworkFileSystem(data.root, settings.CATTLE_ALLOW_NETWORK_FS);
  // Read now (a fifth of a second), so that no request has to wait for the county table.
  counties();
  const metrics = createMetrics();
  const delta = openDeltaStore({folder: data.delta, log, metrics: createDeltaMetrics(metrics.registry)});
  const lease = holdLease(data);
  let leased = true;
  const adopted = (generation: Generation) => {
    leased = tryLease(() => lease.moveTo(generation.buildId), log);
    delta.adopted(generation);
  };
  const prepare = (generation: Generation) => {
    requireAnswers(generation);
    return delta.prepare(generation);
  };
  const watch = await watchGenerations(data, {
    openState: options.openState,
    log,
    pollMs: settings.CATTLE_POLL_MS,
    metrics,
    prepare,
    adopted,
  });
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
      ...delta.reasons(),
    ],
  });
  const {endpoints, version} = options;
  const closings: (() => Promise<void>)[] = [];
  const atStop = (close: () => Promise<void>) => void closings.push(close);
  const app = createApp({
    ...options,
    endpoints:
      typeof endpoints === "function"
        ? endpoints({settings, log, metrics, version, finds: delta, atStop})
        : endpoints,
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
      for (const close of closings) await close();
      await delta.close();
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
