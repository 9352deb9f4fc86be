import {createServer, type ServerResponse} from "node:http";
import {type AddressInfo, connect, type Socket} from "node:net";
import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {readSettings} from "../../lib/read-settings.ts";
import {FetchError, refusalOfAddress} from "../../pipeline/fetch/client/fetch-error.ts";
import {PoliteClient} from "../../pipeline/fetch/client/polite-client.ts";
import {planFetch} from "../../pipeline/fetch/fetch-plan.ts";
import {FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {fileSource, filesIn, night, quickRate} from "./fetched.ts";
import {file, ReplayServer, type Seen} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const now = new Date("2026-11-20T05:30:00Z");
const list = Buffer.from(`name,city\n${"Invented Stock Yard,Nowhere\n".repeat(5000)}`);
const gib = 2 ** 30;
const never = new AbortController().signal;

describe("hosts and keys", () => {
  test("are used only over https at a host that the entry names", () => {
    const hosts = new Set(["data.example", "127.0.0.1:8080", "other.example:8443"]);
    const refusal = (address: string) => refusalOfAddress(new URL(address), hosts);
    expect(refusal("https://data.example/list.csv")).toBeNull();
    expect(refusal("https://other.example:8443/list.csv")).toBeNull();
    expect(refusal("http://127.0.0.1:8080/list.csv")).toBeNull();
    expect(refusal("http://data.example/list.csv")).toContain("https");
    expect(refusal("ftp://data.example/list.csv")).toContain("https");
    expect(refusal("https://data.example:444/list.csv")).toContain("not named");
    expect(refusal("https://data.example.evil.example/list.csv")).toContain("not named");
    expect(refusal("https://user:word@data.example/list.csv")).toContain("credentials");
  });

  test("send a key only to its own URL, not along with a redirect, even to a named host", async () => {
    const other = await ReplayServer.start();
    other.on(
      "/",
      file(() => list),
    );
    for (const [at, code] of [
      ["/query", 302],
      ["/user", 307],
    ] as const)
      server.on(at, (_, reply) => void reply.writeHead(code, {location: `${other.origin}/taken`}).end());
    const hosts = new Set([new URL(server.origin).host, new URL(other.origin).host]);
    const manners = {
      hosts,
      rate: {perSecond: 500, atOnce: 1},
      timeoutMs: 300_000,
      signal: never,
    };
    const client = new PoliteClient({userAgent: "test"});
    const take = async ({body}: {body: NodeJS.ReadableStream}) => void body.resume();
    const secret = "k-invented-7731";
    await client.ask(
      {url: `${server.origin}/query`, secret: {parameter: "key", value: secret}},
      manners,
      take,
    );
    await client.ask({url: `${server.origin}/user`, secret: {user: secret}}, manners, take);
    await client[Symbol.asyncDispose]();
    await other.stop();
    expect(server.seen.map(({query}) => query.get("key"))).toEqual([secret, null]);
    expect(server.seen[1]!.headers.authorization).toBe(
      `Basic ${Buffer.from(`${secret}:`).toString("base64")}`,
    );
    expect(other.seen).toHaveLength(2);
    for (const {query, headers} of other.seen) {
      expect(query.get("key")).toBeNull();
      expect(headers.authorization).toBeUndefined();
    }
  });
});

describe("limits", () => {
  test("retry a transient fault five times, and any other refusal never", async () => {
    const client = new PoliteClient({userAgent: "test", retries: {firstPauseMs: 1}});
    const host = new Set([new URL(server.origin).host]);
    const manners = {
      hosts: host,
      rate: {perSecond: 500, atOnce: 1},
      timeoutMs: 300_000,
      signal: never,
    };
    const tries: Record<number, number> = {};
    for (const status of [429, 502, 503, 504, 400, 401, 403, 404, 410]) {
      server.on(`/${status}`, (_, reply) => void reply.writeHead(status).end());
      const asked = client.ask({url: `${server.origin}/${status}`}, manners, async () => undefined);
      await expect(asked).rejects.toThrow(FetchError);
      tries[status] = server.of(`/${status}`).length;
    }
    await client[Symbol.asyncDispose]();
    expect(tries).toEqual({429: 6, 502: 6, 503: 6, 504: 6, 400: 1, 401: 1, 403: 1, 404: 1, 410: 1});
  });

  test.each([
    [21_599, 21_599],
    [21_600, 21_600],
    [21_601, 21_600],
    [86_400, 21_600],
  ])("believe a host that asks to wait %i s for %i s: at most six hours", async (seconds, believed) => {
    server.on("/", (_, reply) => void reply.writeHead(503, {"retry-after": String(seconds)}).end());
    const client = new PoliteClient({userAgent: "test"});
    const hosts = new Set([new URL(server.origin).host]);
    const manners = {hosts, rate: {perSecond: 500, atOnce: 1}, timeoutMs: 300_000, signal: never};
    const asked = client.ask({url: `${server.origin}/list`}, manners, async () => undefined);
    await expect(asked).rejects.toMatchObject({kind: "wait", retryAfterMs: believed * 1000});
    await client[Symbol.asyncDispose]();
  });

  test("tell a host that takes no connection by a code, after all retries", async () => {
    const client = new PoliteClient({userAgent: "test", retries: {firstPauseMs: 1}});
    const closed = {url: "http://127.0.0.1:1/query"};
    const manners = {
      hosts: new Set(["127.0.0.1:1"]),
      rate: {perSecond: 500, atOnce: 1},
      timeoutMs: 300_000,
      signal: never,
    };
    await expect(client.ask(closed, manners, async () => undefined)).rejects.toMatchObject({
      kind: "unreached",
      isTransient: true,
    });
    await client[Symbol.asyncDispose]();
  });

  test("refuse a file announced as larger than the limit before storing a byte", async () => {
    server.on(
      "/list.csv",
      file(() => list),
    );
    const rawDir = temporaryFolder();
    const limits = {CATTLE_FETCH_FILE_GIB: (list.length - 1) / gib};
    const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now, limits});
    expect(outcome).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("larger than"),
      requests: 1,
    });
    expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
  });

  test("share the bytes of a run among its sources; the one that exhausts them is partial", async () => {
    server.on(
      "/",
      file(() => list),
    );
    const sources = ["a", "b", "c"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`, rate: quickRate}),
    );
    const limits = {CATTLE_FETCH_GIB: (list.length * 2.5) / gib};
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now, limits});
    expect(outcomes.map(({status}) => status)).toEqual(["new", "new", "partial"]);
    expect(outcomes[2]!.reason).toMatch(/the bytes of the run are used up \(CATTLE_FETCH_GIB\)/);
  });

  test("give one source only its share while others wait, and all the rest when none does", async () => {
    server.on(
      "/",
      file(() => list),
    );
    const sources = ["a", "b"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`, rate: quickRate}),
    );
    const limits = {CATTLE_FETCH_GIB: (list.length * 1.9) / gib};
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now, limits});
    expect(outcomes[0]).toMatchObject({
      status: "partial",
      reason: expect.stringMatching(/source's share of the run/),
    });
    const alone = await night(sources.slice(0, 1), {rawDir: temporaryFolder(), now, limits});
    expect(alone[0]).toMatchObject({status: "new"});
  });

  test("hold no source to its share for one that is not asked", async () => {
    server.on(
      "/",
      file(() => list),
    );
    const sources = [false, true].map((licensed) =>
      fileSource(`${server.origin}/list.csv`, {id: `dealers-${licensed}`, rate: quickRate, licensed}),
    );
    const limits = {CATTLE_FETCH_GIB: (list.length * 1.9) / gib};
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now, limits});
    expect(outcomes.map(({status}) => status)).toEqual(["new", "not allowed"]);
  });

  test("stop running transfers when a run's time is over, and report it", async () => {
    server.on("/list.csv", (_, reply) => void reply.writeHead(200).write("name,city\n"));
    const limits = {CATTLE_FETCH_HOURS: 0.0001};
    const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {
      ...{rawDir: temporaryFolder(), now, limits},
    });
    expect(outcome).toMatchObject({status: "partial", reason: "the time of the run is over"});
  });

  test("do not start a file for which the disk has no room", async () => {
    server.on(
      "/list.csv",
      (_, reply) => void reply.writeHead(200, {"content-length": String(2 ** 52)}).write("n"),
    );
    const limits = {CATTLE_FETCH_FILE_GIB: 2 ** 30};
    const rawDir = temporaryFolder();
    const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {
      ...{rawDir, now, limits},
    });
    expect(outcome).toMatchObject({status: "partial", reason: expect.stringContaining("free on the disk")});
    expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
  });
});

describe("sick hosts", () => {
  const wait = (seconds: number) => (_: unknown, reply: ServerResponse) =>
    void reply.writeHead(503, {"retry-after": String(seconds)}).end();

  test("hold up nobody else when they ask to wait an hour, and are reported", async () => {
    const sick = await Promise.all(Array.from({length: 4}, () => ReplayServer.start()));
    for (const host of sick) host.on("/", wait(3600));
    server.on(
      "/list.csv",
      file(() => list),
    );
    const sources = [
      ...sick.map(({origin}, index) =>
        fileSource(`${origin}/list.csv`, {id: `dealers-${index}`, folder: `dealers/${index}`}),
      ),
      fileSource(`${server.origin}/list.csv`, {folder: "dealers/well"}),
    ];
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now});
    expect(outcomes.map(({status}) => status)).toEqual(["failed", "failed", "failed", "failed", "new"]);
    expect(outcomes[0]!.reason).toMatch(/status 503, asks us to wait 60 min/);
    for (const host of sick) await host.stop();
  });

  test("are asked again after the others if they ask to wait too long", async () => {
    const order: string[] = [];
    const answers = (name: string, isSick: boolean) => (request: Seen, reply: ServerResponse) => {
      order.push(name);
      return isSick && order.filter((each) => each === name).length === 1
        ? wait(2)(request, reply)
        : file(() => list)(request, reply);
    };
    server.on("/", answers("later", true));
    const other = await ReplayServer.start();
    other.on("/", (request, reply) => answers(request.path, false)(request, reply));
    const sources = [
      fileSource(`${server.origin}/later.csv`, {id: "dealers-later", folder: "dealers/later"}),
      ...["a", "b", "c", "d", "e"].map((name) =>
        fileSource(`${other.origin}/${name}.csv`, {id: `dealers-${name}`, folder: `dealers/${name}`}),
      ),
    ];
    const retries = {maxWaitMs: 500};
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now, retries});
    await other.stop();
    expect(outcomes.map(({status}) => status)).toEqual(sources.map(() => "new"));
    // Its worker was released: all others were asked before it was asked again.
    expect(order.at(-1)).toBe("later");
    expect(order).toHaveLength(7);
  });

  test("yield the worker of a dripping source when its share of time is over and others wait", async () => {
    server.on("/drip.csv", (_, reply) => {
      const drip = setInterval(() => reply.write(Buffer.alloc(64, 44)), 20);
      reply.writeHead(200).on("close", () => clearInterval(drip));
    });
    server.on(
      "/next.csv",
      file(() => list),
    );
    const sources = ["drip", "next"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`}),
    );
    const limits = {CATTLE_FETCH_HOURS: 6 / 3600};
    const [drip, next] = await night(sources, {rawDir: temporaryFolder(), now, limits});
    expect(drip).toMatchObject({status: "partial", reason: expect.stringMatching(/share of the run's time/)});
    expect(next).toMatchObject({status: "new"});
  });

  test("do not keep a time in the future beyond the run that found it", async () => {
    const rawDir = temporaryFolder();
    const states = new FetchStates(rawDir);
    const future = "2028-01-01T00:00:00.000Z";
    server.on("/list.csv", (_, reply) => void reply.writeHead(404).end());
    const source = fileSource(`${server.origin}/list.csv`);
    await states.note({
      ...{source: source.id, last_asked: future, last_good: future, last_new: null},
      ...{status: "new", reason: null, losses: [], failures: 0, nights_without_progress: 0, bytes: 0},
    });
    await night([source], {rawDir, now});
    expect((await states.all()).get(source.id)).toMatchObject({status: "failed", last_good: null});
  });

  test("report the server's message if a run ends in a pause, and record no source that was never asked", async () => {
    const over = new AbortController();
    server.on("/sick.csv", (_, reply) => {
      reply.writeHead(503).end(() => setTimeout(() => over.abort(), 400));
    });
    const rawDir = temporaryFolder();
    const {signal} = over;
    const sources = ["sick", "a"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`}),
    );
    const [sick, next] = await night(sources, {rawDir, now, signal});
    expect(sick).toMatchObject({status: "failed", reason: expect.stringMatching(/status 503/)});
    expect(next).toMatchObject({status: "not reached", requests: 0});
    expect(filesIn(rawDir)).toEqual([".fetch/dealers-sick.json"]);
  });

  test("distrust and report a last good run in the future", () => {
    const source = fileSource(`${server.origin}/list.csv`);
    const state = {
      source: source.id,
      last_asked: "2028-01-01T00:00:00.000Z",
      last_new: null,
      status: "new" as const,
      reason: null,
      losses: [],
      failures: 0,
      nights_without_progress: 0,
      bytes: 0,
    };
    const states = new Map([[source.id, {...state, last_good: "2028-01-01T00:00:00.000Z"}]]);
    const settings = readSettings({CATTLE_CONTACT: "nobody@example.org"});
    const [planned] = planFetch([source], {settings, states, now, areNamed: false});
    expect(planned).toMatchObject({
      action: "ask",
      because: expect.stringMatching(/2028-01-01.*in the future/),
    });
  });
});

test("a question that cannot be sent is no fault of the connection, and is not asked again", async () => {
  server.on("/here", (_, reply) => void reply.end("{}"));
  await using client = new PoliteClient({userAgent: "test (ops@example.org \u2013 cattle)"});
  const policy = {
    ...{hosts: new Set([new URL(server.origin).host]), rate: {perSecond: 500, atOnce: 1}},
    ...{timeoutMs: 300_000, signal: never},
  };
  const asked = client.ask({url: `${server.origin}/here`}, policy, () => Promise.resolve(0));
  await expect(asked).rejects.toThrow(/user-agent/);
  await expect(asked).rejects.not.toThrow(FetchError);
  expect(server.seen).toEqual([]);
});

describe("redirects", () => {
  const asked = async (code: number) => {
    const other = server.on("/there", (_, reply) => void reply.end("{}"));
    server.on("/here", (request, reply) => {
      if (code === 405 && request.method === "GET") return void reply.end("{}");
      reply.writeHead(code, code === 405 ? {} : {location: "/there"}).end();
    });
    const client = new PoliteClient({userAgent: "test"});
    const manners = {
      ...{hosts: new Set([new URL(server.origin).host]), rate: {perSecond: 500, atOnce: 1}},
      ...{timeoutMs: 300_000, signal: never},
    };
    const form = {where: "1=1", f: "json"};
    await client.ask({url: `${server.origin}/here`, form}, manners, async ({body}) => void body.resume());
    await client[Symbol.asyncDispose]();
    const {method, query} = other.seen.at(-1)!;
    return [method, query.get("where")];
  };

  test.each([
    [307, "POST"],
    [308, "POST"],
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [405, "GET"],
  ])("repeat a posted question after %i with %s and its body", async (code, method) => {
    expect(await asked(code)).toEqual([method, "1=1"]);
  });
});

test("send all requests through the configured proxy, which resolves the server's name", async () => {
  const asked: string[] = [];
  const proxy = createServer().on("connect", (request, socket: Socket) => {
    asked.push(`${request.method} ${request.url}`);
    const {hostname, port} = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  server.on(
    "/list.csv",
    file(() => list),
  );
  const environment = {CATTLE_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`};
  const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {
    ...{rawDir: temporaryFolder(), now, environment},
  });
  proxy.closeAllConnections();
  proxy.close();
  expect(outcome).toMatchObject({status: "new"});
  expect(asked).toEqual([`CONNECT ${new URL(server.origin).host}`]);
});

describe("terms", () => {
  test("fetch a licensed source only if the deployment states a licence", async () => {
    server.on(
      "/list.csv",
      file(() => list),
    );
    const source = fileSource(`${server.origin}/list.csv`, {licensed: true});
    const options = {rawDir: temporaryFolder(), now, named: true};
    expect((await night([source], options))[0]).toMatchObject({
      status: "not allowed",
      reason: expect.stringContaining("CATTLE_FUTURES_LICENSED"),
    });
    expect(server.seen).toEqual([]);
    const environment = {CATTLE_FUTURES_LICENSED: "1"};
    expect((await night([source], {...options, environment}))[0]).toMatchObject({status: "new"});
  });
});

test("return a request queued at a host that asks to wait an hour at once, like those behind it", async () => {
  server.on(
    "/",
    (_, reply) => void setTimeout(() => reply.writeHead(503, {"retry-after": "3600"}).end(), 100),
  );
  const client = new PoliteClient({userAgent: "test"});
  const manners = {
    ...{
      hosts: new Set([new URL(server.origin).host]),
      timeoutMs: 300_000,
      signal: new AbortController().signal,
    },
    rate: {perSecond: 100, atOnce: 1},
  };
  const asked = [1, 2, 3].map((n) =>
    client
      .ask({url: `${server.origin}/${n}`}, manners, async () => "came")
      .catch((fault: FetchError) => fault.kind),
  );
  expect(await Promise.all(asked)).toEqual(["wait", "wait", "wait"]);
  expect(server.seen).toHaveLength(1);
  await client[Symbol.asyncDispose]();
});

test.each([
  [true, 1],
  [false, 3],
])(
  "a question of which less can be asked (%s) is asked %i times where nobody answers",
  async (isPartible, times) => {
    server.on("/", () => undefined);
    const client = new PoliteClient({userAgent: "test", retries: {retries: 2, firstPauseMs: 1}});
    const manners = {
      ...{hosts: new Set([new URL(server.origin).host]), rate: {perSecond: 100, atOnce: 1}},
      ...{timeoutMs: 50, signal: new AbortController().signal},
    };
    const asked = client.ask({url: `${server.origin}/slow`, isPartible}, manners, async () => "came");
    await expect(asked).rejects.toMatchObject({kind: "timeout"});
    expect(server.seen).toHaveLength(times);
    await client[Symbol.asyncDispose]();
  },
);

test("count consecutive failed nights, until a good one", async () => {
  const rawDir = temporaryFolder();
  let isThere = false;
  server.on("/roll.csv", (_, reply) =>
    isThere ? void reply.writeHead(200, {"content-length": 4}).end("a,b\n") : void reply.writeHead(404).end(),
  );
  const failures: number[] = [];
  for (const day of [20, 21, 22, 23]) {
    isThere = day === 23;
    await night([fileSource(`${server.origin}/roll.csv`)], {
      rawDir,
      now: new Date(`2026-11-${day}T05:30:00Z`),
    });
    failures.push((await new FetchStates(rawDir).all()).get("dealers-test")!.failures);
  }
  expect(failures).toEqual([1, 2, 3, 0]);
});
