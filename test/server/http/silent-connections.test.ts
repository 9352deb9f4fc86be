import {once} from "node:events";
import type {Server} from "node:http";
import {type AddressInfo, connect, type Socket} from "node:net";
import {afterEach, beforeEach, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {createLimitedServer, SilentConnections} from "../../../server/commands/limited-server.ts";

let server: Server;
let connections: SilentConnections;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = createLimitedServer(readSettings({}), (_request, response) => void response.end());
  server.maxConnections = 4;
  connections = new SilentConnections(server, 3_000);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** A connection that the server has taken, after it sent these bytes. */
async function connected(bytes = ""): Promise<Socket> {
  const came = once(server, "connection");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  const [taken] = (await came) as [Socket];
  if (bytes === "") return taken;
  socket.write(bytes);
  while (taken.bytesRead === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  return taken;
}

const later = () => performance.now() + 3_001;
const closed = (taken: readonly Socket[]) => taken.map((socket) => socket.destroyed);

it("O3: cuts connections without a byte when places run short, and spares those that began a request", async () => {
  const taken = [await connected(), await connected("G"), await connected()];
  connections.cut(performance.now() + 2_900);
  expect(closed(taken)).toEqual([false, false, false]);
  connections.cut(later());
  expect(closed(taken)).toEqual([true, false, true]);
});

it("lets them wait while there are places", async () => {
  const taken = [await connected(), await connected()];
  connections.cut(later());
  expect(closed(taken)).toEqual([false, false]);
});

it("counts the places of those that went", async () => {
  const taken = [await connected(), await connected(), await connected()];
  const gone = taken.slice(1).map((socket) => once(socket, "close"));
  for (const socket of sockets.slice(1)) socket.destroy();
  await Promise.all(gone);
  connections.cut(later());
  expect(taken[0]!.destroyed).toBe(false);
});
