import {spawnSync} from "node:child_process";
import {once} from "node:events";
import {Agent, get, type IncomingMessage, type RequestListener, type Server} from "node:http";
import {type AddressInfo, connect} from "node:net";
import {join} from "node:path";
import {text} from "node:stream/consumers";
import {afterEach, describe, expect, test, vi} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {closeServer, createLimitedServer, listen} from "../../../server/commands/limited-server.ts";
import {freePort} from "../../free-port.ts";

const agent = new Agent({keepAlive: true});
let server: Server;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

/** The port of a server that answers so. */
async function started(answer: RequestListener, environment: Record<string, string> = {}): Promise<number> {
  server = createLimitedServer(readSettings(environment), answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Sends bytes as they are, and gives what comes back until the server ends it. */
async function sent(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

const hello: RequestListener = (request, response) => void response.end(`hello ${request.headers.host}`);
const asked = (port: number) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({port, host: "127.0.0.1", agent}, resolve).on("error", reject);
  });

describe("what comes before access", () => {
  test.each(["X-A: a", "Host: a\r\nExpect: 100-continue", "Host: a\r\nExpect: something"])(
    "a request with %j is for the application to judge",
    async (head) => {
      const port = await started(hello);
      const reply = await sent(port, `GET / HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello/);
    },
  );

  test.each([
    [15_000, 200],
    [17_000, 431],
  ])("headers of %i bytes are a %i", async (bytes, status) => {
    const port = await started(hello);
    const head = `Host: a\r\nConnection: close\r\nX-A: ${"a".repeat(bytes)}`;
    expect(await sent(port, `GET / HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

test("has the limits that are promised", async () => {
  await started(hello, {CATTLE_KEEP_ALIVE_MS: "7000"});
  const {headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout} = server;
  expect([headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout]).toEqual([
    10_000, 15_000, 7_000, 10_000, 30_000,
  ]);
});

test.runIf(process.platform === "linux").each([
  [300, 44],
  [257, 1],
  [200, 1],
])("with %i files that may be open %i connections are taken", (files, connections) => {
  const modules = ["lib/read-settings.ts", "server/commands/limited-server.ts"].map((file) =>
    join(packageRoot, file),
  );
  const script = `const [{readSettings}, {createLimitedServer}] = await Promise.all(
    ${JSON.stringify(modules)}.map((file) => import(file)));
    console.log(createLimitedServer(readSettings({}), () => undefined).maxConnections);`;
  const node = `${process.execPath} --input-type=module -e '${script}'`;
  const {stdout} = spawnSync("sh", ["-c", `ulimit -n ${files} && exec ${node}`], {encoding: "utf8"});
  expect(stdout).toBe(`${connections}\n`);
});

describe("O3: connections that never sent a byte", () => {
  /** Two of them, which take all places, at a time when both have been silent for long. */
  async function crowded() {
    vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"]});
    const port = await started(hello);
    server.maxConnections = 2;
    const silent = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    for (const _ of silent) await once(server, "connection");
    const now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => now + 3_001);
    return {port, gone: Promise.all(silent.map((socket) => once(socket, "close")))};
  }
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

  test("are cut where a caller is turned away", async () => {
    const {port, gone} = await crowded();
    connect(port, "127.0.0.1").on("error", () => undefined);
    await gone;
    expect(await open()).toBe(0);
  });

  test("are looked for every second, as long as the server is open", async () => {
    const {gone} = await crowded();
    vi.advanceTimersByTime(999);
    expect(await open()).toBe(2);
    vi.advanceTimersByTime(1);
    await gone;
    await closeServer(server);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the end of a server", () => {
  /** A server whose answers end when they are let go, and that would keep idle connections for a minute. */
  async function slow() {
    const {promise, resolve: letGo} = Promise.withResolvers<void>();
    const answer: RequestListener = async (_, response) => {
      response.write("begun");
      await promise;
      response.end(" and ended");
    };
    return {port: await started(answer, {CATTLE_KEEP_ALIVE_MS: "60000"}), letGo};
  }

  test("lets answers under way end, takes no new connections, and closes those that are idle then", async () => {
    const {port, letGo} = await slow();
    const reply = await asked(port);
    vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout"]});
    const closed = closeServer(server);
    await expect(sent(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")).rejects.toThrow("ECONNREFUSED");
    letGo();
    expect(await text(reply)).toBe("begun and ended");
    // The ten seconds after which answers are cut do not pass.
    await closed;
  });

  test("cuts answers that are not over after ten seconds, and leaves no timer", async () => {
    const {port} = await slow();
    const reply = await asked(port);
    const cut = text(reply).catch(() => "cut");
    vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"]});
    const closed = closeServer(server);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(server.listening).toBe(false);
    expect(reply.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await closed;
    expect([await cut, vi.getTimerCount()]).toEqual(["cut", 0]);
  });
});

test("several processes listen on one port, and a single one has it alone", async () => {
  const port = await freePort();
  const second = async (processes: string) => {
    const settings = readSettings({CATTLE_PORT: String(port), CATTLE_PROCESSES: processes});
    server = createLimitedServer(settings, hello);
    expect(await listen(server, settings)).toBe(port);
    const other = createLimitedServer(settings, hello);
    return listen(other, settings)
      .finally(() => closeServer(other))
      .finally(() => closeServer(server));
  };
  expect(await second("2")).toBe(port);
  await expect(second("1")).rejects.toThrow(`CATTLE_PORT: 127.0.0.1:${port} is in use`);
});
