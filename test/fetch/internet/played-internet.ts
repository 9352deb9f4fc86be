import {once} from "node:events";
import {createServer as createProxy, type Server} from "node:http";
import {createServer} from "node:https";
import type {AddressInfo, Socket} from "node:net";
import {makeCertificate} from "../../crash/outside/certificates.ts";
import {ReplayServer} from "../replay-server.ts";

/**
 * An internet in one process: a proxy on loopback that ends TLS with a certificate of its own authority, and one server behind it. A request
 * to `https://host/path` reaches the server as `/host/path`, or as the path that `places` names for its beginning. A host that is dead has
 * no address.
 */
export class PlayedInternet implements AsyncDisposable {
  readonly server: ReplayServer;
  /** The file of the authority, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string;
  readonly #proxy: Server;
  readonly #sockets = new Set<Socket>();
  /** Bytes sent to the program. */
  bytes = 0;

  private constructor(server: ReplayServer, proxy: Server, authority: string) {
    this.server = server;
    this.#proxy = proxy;
    this.authority = authority;
  }

  /** `hosts` are all that exist; `places` maps beginnings of host and path to paths of the server. */
  static async start(
    folder: string,
    {
      hosts,
      places,
      dead,
    }: {hosts: readonly string[]; places: Readonly<Record<string, string>>; dead: ReadonlySet<string>},
  ): Promise<PlayedInternet> {
    const server = await ReplayServer.start();
    const {key, cert, authority} = makeCertificate(folder, "played", hosts);
    const beginnings = Object.keys(places).sort((a, b) => b.length - a.length);
    const tls = createServer({key, cert, keepAliveTimeout: 60_000}, (message, reply) => {
      const place = `${message.headers.host}${message.url}`;
      const beginning = beginnings.find((each) => place.startsWith(each));
      message.url =
        beginning === undefined ? `/${place}` : places[beginning]! + place.slice(beginning.length);
      server.take(message, reply);
    });
    const proxy = createProxy((_, reply) => void reply.writeHead(501).end());
    const internet = new PlayedInternet(server, proxy, authority);
    proxy.on("connect", (request, socket: Socket) => {
      const host = request.url?.replace(/:443$/, "") ?? "";
      internet.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        internet.#sockets.delete(socket);
        internet.bytes += socket.bytesWritten;
      });
      if (dead.has(host) || !hosts.includes(host)) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      tls.emit("connection", socket);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    return internet;
  }

  get proxy(): string {
    return `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#proxy.close();
    await this.server.stop();
  }
}
