import {readFileSync} from "node:fs";
import {createServer, type RequestListener, type Server} from "node:http";
import type {Socket} from "node:net";
import type {Settings} from "../../schemas/settings.ts";
import type {App} from "../http/request-start.ts";
import {listenOn} from "../system/listen-on.ts";

/** Above this share of used connections, silent ones are closed to make room. */
const CROWDED_SHARE = 0.75;

/** Tracks connections that have not sent a byte yet. */
export class SilentConnections {
  readonly #server: Server;
  readonly #silentMs: number;
  #open = 0;
  /** In order of arrival, with the time (ms) of each. */
  readonly #silent = new Map<Socket, number>();

  constructor(server: Server, silentMs: number) {
    this.#server = server;
    this.#silentMs = silentMs;
    server.on("connection", (socket) => this.#came(socket));
    // A caller was turned away because the server is full; make room for the next one.
    server.on("drop", () => this.cut());
  }

  /** Closes connections that have been silent for too long, if the server is running full. */
  cut(nowMs = performance.now()): void {
    const crowded = this.#open >= this.#server.maxConnections * CROWDED_SHARE;
    for (const [socket, sinceMs] of this.#silent) {
      if (nowMs - sinceMs < this.#silentMs) return;
      if (socket.bytesRead > 0) this.#silent.delete(socket);
      else if (crowded) socket.destroy();
    }
  }

  #came(socket: Socket): void {
    this.#open += 1;
    this.#silent.set(socket, performance.now());
    socket.once("close", () => {
      this.#open -= 1;
      this.#silent.delete(socket);
    });
  }
}

const MAX_CONNECTIONS = 10_000;
/** File descriptors reserved for the build, the delta, the log and the calls to counties. */
const SPARE_FILES = 256;
const SILENT_MS = 3_000;
const MAX_REQUESTS_PER_SOCKET = 10_000;
/** A client that reads nothing of an answer for this long is disconnected. */
const IDLE_SOCKET_MS = 30_000;
const IN_FLIGHT_MS = 10_000;

/** Creates an HTTP server with limits on headers, connections and time. It is not listening yet. */
export function createLimitedServer(settings: Settings, answer: RequestListener & Partial<App>): Server {
  const server = createServer(
    {
      ...answer.classes,
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: settings.CATTLE_KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2_000,
      // Access is checked before anything else, so the application itself refuses a request without a host.
      requireHostHeader: false,
    },
    answer,
  );
  // `Expect` is not answered before the access check either; no body is ever waited for.
  server.on("checkContinue", answer).on("checkExpectation", answer);
  server.maxConnections = Math.min(MAX_CONNECTIONS, Math.max(1, openFileLimit() - SPARE_FILES));
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.setTimeout(IDLE_SOCKET_MS);
  const connections = new SilentConnections(server, SILENT_MS);
  const timer = setInterval(() => connections.cut(), 1_000).unref();
  return server.on("close", () => clearInterval(timer));
}

/** Listens as the settings say and returns the port. Rejects with a `ConfigError` that names the setting if the port is unavailable. */
export function listen(server: Server, settings: Settings): Promise<number> {
  const {CATTLE_PORT: port, CATTLE_HOST: host} = settings;
  // SO_REUSEPORT: the kernel spreads connections over the processes that listen on one port.
  return listenOn(server, {port, host, reusePort: settings.CATTLE_PROCESSES > 1}, "CATTLE_PORT");
}

/** Stops accepting connections and closes idle ones. Requests in flight get 10 s, then every connection is closed. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Returns the process's open-file limit; infinite if the system does not report one. */
function openFileLimit(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
