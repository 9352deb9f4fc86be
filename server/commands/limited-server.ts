import {readFileSync} from "node:fs";
import {createServer, type RequestListener, type Server} from "node:http";
import type {Socket} from "node:net";
import type {Settings} from "../../schemas/settings.ts";
import {listenOn} from "../http/listen-on.ts";
import type {App} from "../http/request-start.ts";

/** Share of taken places from which a connection without a byte of a request keeps others out. */
const CROWDED_SHARE = 0.75;

/** The connections of a server that have not sent a byte yet. */
export class SilentConnections {
  readonly #server: Server;
  readonly #silentMs: number;
  #open = 0;
  /** In the order in which they came, with the instant (ms) of each. */
  readonly #silent = new Map<Socket, number>();

  constructor(server: Server, silentMs: number) {
    this.#server = server;
    this.#silentMs = silentMs;
    server.on("connection", (socket) => this.#came(socket));
    // A caller was turned away for want of a place: the next one should find one.
    server.on("drop", () => this.cut());
  }

  /** Closes those that have been silent for too long, where places run short. */
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

const MOST_CONNECTIONS = 10_000;
/** Files that stay free for the build, the delta, the log and the calls to counties. */
const SPARE_FILES = 256;
const SILENT_MS = 3_000;
const MOST_REQUESTS_PER_SOCKET = 10_000;
/** A caller who reads nothing of an answer for this long is cut off. */
const IDLE_SOCKET_MS = 30_000;
const IN_FLIGHT_MS = 10_000;

/** Makes an HTTP server with limits on headers, connections and time; it does not listen yet. */
export function createLimitedServer(settings: Settings, answer: RequestListener & Partial<App>): Server {
  const server = createServer(
    {
      ...answer.classes,
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: settings.CATTLE_KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2_000,
      // Access comes before every other judgement: the application refuses a request without a host itself.
      requireHostHeader: false,
    },
    answer,
  );
  // No answer to an `Expect` comes before access either, and no body is ever waited for.
  server.on("checkContinue", answer).on("checkExpectation", answer);
  server.maxConnections = Math.min(MOST_CONNECTIONS, Math.max(1, openFileLimit() - SPARE_FILES));
  server.maxRequestsPerSocket = MOST_REQUESTS_PER_SOCKET;
  server.setTimeout(IDLE_SOCKET_MS);
  const connections = new SilentConnections(server, SILENT_MS);
  const timer = setInterval(() => connections.cut(), 1_000).unref();
  return server.on("close", () => clearInterval(timer));
}

/** Listens as the settings say and gives the port. Rejects with a `ConfigError` that names the setting of a port that cannot be had. */
export function listen(server: Server, settings: Settings): Promise<number> {
  const {CATTLE_PORT: port, CATTLE_HOST: host} = settings;
  // The kernel spreads connections over the processes that listen on one port.
  return listenOn(server, {port, host, reusePort: settings.CATTLE_PROCESSES > 1}, "CATTLE_PORT");
}

/** Takes no new connections and closes idle ones; requests in flight get 10 s, then every connection is closed. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Gives the number of files that this process may have open; infinite if the system does not tell. */
function openFileLimit(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
