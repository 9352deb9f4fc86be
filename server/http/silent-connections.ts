import type {Server} from "node:http";
import type {Socket} from "node:net";

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
