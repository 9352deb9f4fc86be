import type {Server} from "node:http";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {mappingMode} from "@open-cattle/mapped-index";
import {counties} from "../../lib/geography/counties.ts";
import {dataFolder, refuseNetworkFileSystem} from "../../lib/storage/data-folder.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {DiscoveryStore} from "../delta/delta-view.ts";
import {createDeltaMetrics} from "../discoveries/delta-metrics.ts";
import {openDeltaStore} from "../discoveries/delta-store.ts";
import {watchGenerations} from "../generation/generation-watch.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {openServedLease} from "../generation/served-lease.ts";
import {createDamagedFiles} from "../generation/verify-build.ts";
import {createApp} from "../http/app.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {openKeyStore} from "../http/key-store.ts";
import type {MakeServices} from "../http/service.ts";
import {watchLoopDelay} from "../http/shedding.ts";
import type {Log} from "../system/json-log.ts";
import {createMetrics, listenForMetrics, type Metrics} from "../system/metrics.ts";
import {closeServer, createLimitedServer, listen} from "./limited-server.ts";

export type StartOptions = {
  settings: Settings;
  version: string;
  log: Log;
  /** The endpoints, or a function that builds them from the parts of this server. */
  endpoints: readonly Endpoint[] | ((parts: ServerParts) => readonly Endpoint[]);
  openState: OpenState;
  /** Makes what is served beside the endpoints. */
  services?: (parts: ServerParts) => MakeServices;
  /** The clock that dates discoveries; defaults to the machine's. */
  now?: () => Date;
};

/** The parts of a running server that endpoints may need. */
export type ServerParts = {
  settings: Settings;
  log: Log;
  metrics: Metrics;
  version: string;
  /** Stores the parcels that counties returned. */
  discoveries: DiscoveryStore;
  /** Registers a cleanup for shutdown: run after the last answer and before the delta is closed. */
  atStop(close: () => Promise<void>): void;
};

export type RunningServer = {
  /** The port of the API; a free one when the settings say 0. */
  port: number;
  /** Checks the published build and the keys now (SIGHUP). */
  refresh(): Promise<void>;
  /** Fails readiness with 503, drains, finishes the requests in flight (10 s at most) and closes. */
  stop(): Promise<void>;
};

/**
 * Opens the published build and the keys, follows both, and listens. The lease and the metrics port are in place before the first answer.
 * Rejects with a `ConfigError` if a port is unavailable; everything is closed again then.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const {settings, log, version, endpoints, openState, now} = options;
  const {CATTLE_POLL_MS: pollMs} = settings;
  const data = dataFolder(settings.CATTLE_DATA);
  await refuseNetworkFileSystem(data.root, settings.CATTLE_ALLOW_NETWORK_FS);
  // Loading the county table takes 0.2 s; do it before the first request.
  counties();

  // Data first: the build, the delta, and the lease that keeps the build from being removed.
  const metrics = createMetrics();
  const delta = openDeltaStore({
    folder: data.delta,
    log,
    metrics: createDeltaMetrics(metrics.registry),
    ...(now === undefined ? {} : {now}),
  });
  const lease = await openServedLease(data, log);
  const damage = createDamagedFiles({
    root: data.root,
    log,
    metrics,
    onDamage: (paths) => lease.nameDamaged(paths),
  });
  const watch = await watchGenerations(data, {
    openState,
    log,
    pollMs,
    metrics,
    afterCrash: lease.afterCrash,
    prepare: (generation) => delta.prepare(generation),
    adopted(generation) {
      damage.forget();
      lease.moveTo(generation.buildId);
      delta.adopted(generation);
    },
  });
  const keys = openKeyStore(join(data.root, "keys.json"), {log, pollMs});

  // The application that answers from them.
  const loop = watchLoopDelay();
  const closings: (() => Promise<void>)[] = [];
  const atStop = (close: () => Promise<void>) => void closings.push(close);
  const reasons = () => [
    ...watch.reasons(),
    ...damage.reasons(),
    ...(keys.healthy() ? [] : ["keys_file_bad"]),
    ...lease.reasons(),
    ...delta.reasons(),
  ];
  let draining = false;
  const parts = {settings, log, metrics, version, discoveries: delta, atStop};
  const {services, ...appOptions} = options;
  const app = createApp({
    ...appOptions,
    ...(services === undefined ? {} : {services: services(parts)}),
    endpoints: typeof endpoints === "function" ? endpoints(parts) : endpoints,
    metrics,
    keys,
    readiness: () => ({
      generation: watch.generation(),
      draining,
      mapping: mappingMode,
      reasons: reasons(),
    }),
    generation: () => watch.generation(),
    loopDelay: loop.delay,
    damaged: damage.found,
  });

  // The API port is opened last, so that every caller who can connect gets an answer.
  const server = createLimitedServer(settings, app);
  server.prependListener("request", (_request, response) => {
    if (draining) response.setHeader("Connection", "close");
  });
  let metricsServer: Server | null = null;
  const closeAll = async () => {
    for (const close of closings) await close();
    await delta.close();
    metricsServer?.close();
    for (const part of [watch, keys]) part.close();
    await lease.release();
    loop.stop();
  };
  let port: number;
  try {
    await lease.settled();
    metricsServer = await listenForMetrics(metrics.registry, settings, reasons);
    port = await listen(server, settings);
  } catch (error) {
    server.emit("close");
    await closeAll();
    throw error;
  }
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
      await closeAll();
    },
  };
}
