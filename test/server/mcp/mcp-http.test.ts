import {once} from "node:events";
import {mkdirSync} from "node:fs";
import {connect} from "node:net";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {Client, StreamableHTTPClientTransport} from "@modelcontextprotocol/client";
import {afterAll, beforeAll, describe, expect, it, vi} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {answerDirectly} from "../../../server/http/direct-answer.ts";
import {answerTool, createMcpServer} from "../../../server/mcp/mcp-server.ts";
import {mcpService} from "../../../server/mcp/mcp-service.ts";
import {tools} from "../../../server/mcp/tool-table.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {sampleBuild} from "../../sample-build.ts";
import {silentLog} from "../../silent-log.ts";
import {writeBuild} from "../build-fixture.ts";
import {type TestServer, temporaryFolder, testKey, testServer} from "../server-fixture.ts";
import {type Call, sixtyCalls} from "./sixty-calls.ts";

const app = "https://app.example.org";
const settings = readSettings({
  CATTLE_RATE_PER_MINUTE: "1000000",
  CATTLE_OWNER_SEARCH_PER_DAY: "20",
  CATTLE_CORS_ORIGINS: app,
});
const marketOnly = testKey({id: "market", scopes: ["market"]});
const searcher = testKey({id: "searcher"});
const agents = ["a", "b", "c", "d"].map((id) => testKey({id}));
const folder = temporaryFolder();
let server: TestServer;
let generation: Awaited<ReturnType<typeof openGeneration>>;

beforeAll(async () => {
  const {dir} = await sampleBuild("2026-11-21");
  generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
  server = await testServer({
    endpoints,
    settings,
    records: [marketOnly, searcher, ...agents].map(({record}) => record),
    generation: () => generation,
    services: (parts) => [mcpService(parts, {settings, log: silentLog})],
  });
});
afterAll(async () => {
  await server?.close();
  folder.remove();
});

async function open(key = server.key): Promise<Client> {
  const client = new Client({name: "test", version: "1.0.0"});
  const url = new URL(`http://127.0.0.1:${server.port}/mcp`);
  const requestInit = {headers: {Authorization: `Bearer ${key}`}};
  await client.connect(new StreamableHTTPClientTransport(url, {requestInit}));
  return client;
}

/** Posts a body as a client of the 2025 protocol does. */
function post(body: string, headers: Record<string, string> = {}, method = "POST", at = server) {
  const always = {"Content-Type": "application/json", Accept: "application/json, text/event-stream"};
  return at.get("/mcp", {method, body, headers: {"X-API-Key": server.key, ...always, ...headers}});
}

const listTools = JSON.stringify({jsonrpc: "2.0", id: 1, method: "tools/list", params: {}});

describe("/mcp", () => {
  it("lists the tools of stdio but SQL, to a key of fewer scopes fewer", async () => {
    const client = await open();
    expect((await client.listTools()).tools.map(({name}) => name)).toEqual(tools.map(({name}) => name));
    await client.close();
    const narrow = await open(marketOnly.key);
    const names = (await narrow.listTools()).tools.map(({name}) => name);
    expect(names).toContain("prices_near_zip");
    expect(names.filter((name) => name.startsWith("parcel"))).toEqual([]);
    await narrow.close();
  });

  /** The answer that stdio gives, which has no key and no HTTP. */
  const locally = ({name, arguments: given}: Call) =>
    answerTool(tools.find((tool) => tool.name === name)!, given, (path, values) =>
      answerDirectly(endpoints.find((each) => each.path === path)!, values, {generation, settings}),
    );

  it("answers sixty questions with the text that stdio gives, numbers as text too", async () => {
    const client = await open();
    for (const call of sixtyCalls) {
      const over = await client.callTool(call);
      expect(over.content, JSON.stringify(call)).toEqual((await locally(call)).content);
    }
    expect(new Set(sixtyCalls.map((call) => JSON.stringify(call))).size).toBe(60);
    expect(new Set(sixtyCalls.map(({name}) => name))).toEqual(new Set(tools.map(({name}) => name)));
    await client.close();
  });

  it("answers a hundred clients at once, each its own question", async () => {
    const clients = await Promise.all(
      Array.from({length: 100}, (_, at) => open(agents[at % agents.length]!.key)),
    );
    const calls = clients.map((_, at) => sixtyCalls[at % sixtyCalls.length]!);
    const answers = await Promise.all(clients.map((client, at) => client.callTool(calls[at]!)));
    for (const [at, call] of calls.entries())
      expect(answers[at]!.content, JSON.stringify(call)).toEqual((await locally(call)).content);
    await Promise.all(clients.map((client) => client.close()));
  });

  it("answers clients of the newest protocol alike, and writes nothing beside the log", async () => {
    const warned = vi.spyOn(console, "warn");
    const client = new Client({name: "test", version: "1.0.0"}, {versionNegotiation: {mode: "auto"}});
    const requestInit = {headers: {Authorization: `Bearer ${server.key}`}};
    const url = new URL(`http://127.0.0.1:${server.port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, {requestInit}));
    const over = await client.callTool(sixtyCalls[0]!);
    expect(client.getNegotiatedProtocolVersion()).toMatch(/^2026-/);
    expect(over.content).toEqual((await locally(sixtyCalls[0]!)).content);
    expect(warned).not.toHaveBeenCalled();
    await client.close();
  });

  it("counts owner searches against the key's day", async () => {
    const client = await open(searcher.key);
    const search = () =>
      client.callTool({name: "parcels_of_owner", arguments: {owner: "FENWYN", state: "TX"}});
    for (let at = 0; at < 20; at += 1) expect((await search()).isError).toBeUndefined();
    expect(JSON.stringify((await search()).content)).toContain("20 owner searches a day are used");
    await client.close();
  });

  it("keeps no state: every message alone, in JSON, without an id of a session", async () => {
    const reply = await post(listTools);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers["content-type"]).toContain("application/json");
    expect(reply.headers["mcp-session-id"]).toBeUndefined();
  });

  it("refuses foreign origins, other names of this machine, and calls without a key with the usual 403", async () => {
    const foreign: Record<string, string>[] = [
      {Origin: "https://evil.example.org"},
      {Host: "evil.example.org"},
      {Origin: "null"},
    ];
    for (const headers of foreign)
      expect((await post(listTools, headers)).status, JSON.stringify(headers)).toBe(403);
    for (const Origin of [app, `http://127.0.0.1:${server.port}`])
      expect((await post(listTools, {Origin})).status, Origin).toBe(200);
    const none = await server.get("/mcp", {method: "POST", headers: {}, body: listTools});
    expect([none.status, none.headers["www-authenticate"]]).toEqual([403, undefined]);
  });

  it("refuses a long message only when it has arrived, so that a proxy that is still sending hears of it", async () => {
    const length = 900_000;
    const socket = connect(server.port, "127.0.0.1");
    const faults: Error[] = [];
    let told = "";
    socket.on("error", (error) => faults.push(error)).on("data", (chunk) => (told += String(chunk)));
    const closed = once(socket, "close");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: a\r\nOrigin: https://evil.example.org\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (let sent = 0; sent < length; sent += length / 9) {
      socket.write(" ".repeat(length / 9));
      await sleep(20);
    }
    await closed;
    expect([faults, socket.bytesWritten > length]).toEqual([[], true]);
    expect(told).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("takes the public name that a trusted proxy hands on, and the origin of that name alone", async () => {
    const behind = {...settings, CATTLE_TRUST_PROXY: ["127.0.0.1"]};
    const proxied = await testServer({
      endpoints,
      settings: behind,
      generation: () => generation,
      services: (parts) => [mcpService(parts, {settings: behind, log: silentLog})],
    });
    const Host = "api.example.org";
    const ask = async (headers: Record<string, string>) =>
      (await post(listTools, {"X-API-Key": proxied.key, Host, ...headers}, "POST", proxied)).status;
    expect([await ask({}), await ask({Origin: `https://${Host}`})]).toEqual([200, 200]);
    expect(await ask({Origin: "https://evil.example.org"})).toBe(403);
    await proxied.close();
  });

  it("refuses batches, other methods, other versions, deep and large bodies", async () => {
    const deep = `{"a":${"[".repeat(40)}${"]".repeat(40)}}`;
    for (const body of [`[${listTools}]`, "{", "7", deep, JSON.stringify({a: "x".repeat(2 ** 20)})])
      expect((await post(body)).status, body.slice(0, 40)).toBe(400);
    expect((await post(listTools, {"MCP-Protocol-Version": "1999-01-01"})).status).toBe(400);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const {status, headers} = await server.get("/mcp", {method});
      expect([status, headers["allow"]], method).toEqual([405, "POST"]);
    }
  });
});

it("the tools' server lists a tool only where its endpoint is there", () => {
  const market = endpoints.filter(({scope}) => scope === "market");
  const ask = () => Promise.reject(new Error("nothing is asked"));
  expect(() => createMcpServer({endpoints: market, ask, askSql: null}, "test")).not.toThrow();
});

describe("ask_sql at a distance", () => {
  const [files, other] = ["files", "other"].map((id) => testKey({id, scopes: ["market", "files"]}));
  const slow = "SELECT count(*) FROM range(100000000000) t(a) WHERE a % 7 = 3";
  let open: TestServer;

  beforeAll(async () => {
    const build = await writeBuild(folder.path, "20261121-cccccc", async (into) => {
      mkdirSync(join(into, "tables"));
      using db = await openDatabase();
      for (const table of ["sale_events", "dealers"])
        await db.run(`COPY (SELECT '${table}' AS name) TO '${join(into, "tables", `${table}.parquet`)}'`);
    });
    const openState = () => {
      throw new Error("no state is in this build");
    };
    const sampled = await openGeneration(build, {openState, depth: "sizes"});
    // Of a sample every table may be handed on.
    const published = {...sampled, manifest: {...sampled.manifest, sample: false}};
    const withSql = readSettings({
      CATTLE_RATE_PER_MINUTE: "1000000",
      CATTLE_MCP_SQL: "1",
      CATTLE_DATA: folder.path,
    });
    open = await testServer({
      endpoints,
      settings: withSql,
      records: [marketOnly.record, files!.record, other!.record],
      generation: () => published,
      services: (parts) => [mcpService(parts, {settings: withSql, log: silentLog})],
    });
  });
  afterAll(() => open?.close());

  const send = async (key: string, method: string, params: object, signal?: AbortSignal) => {
    const reply = await fetch(`http://127.0.0.1:${open.port}/mcp`, {
      method: "POST",
      body: JSON.stringify({jsonrpc: "2.0", id: 1, method, params}),
      headers: {
        "X-API-Key": key,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      ...(signal === undefined ? {} : {signal}),
    });
    const {result} = (await reply.json()) as {result: unknown};
    return result as {tools: {name: string}[]; isError?: boolean; content: {text: string}[]};
  };
  const ask = async (sql: string, {key} = files!, signal?: AbortSignal) => {
    const params = {name: "ask_sql", arguments: {sql}};
    const {isError = false, content} = await send(key, "tools/call", params, signal);
    return {isError, text: content.map(({text}) => text).join("\n")};
  };

  it("is for keys with the scope files alone, where the setting is on", async () => {
    const names = async (key: string) => (await send(key, "tools/list", {})).tools.map(({name}) => name);
    expect(await names(files!.key)).toContain("ask_sql");
    expect(await names(marketOnly.key)).not.toContain("ask_sql");
  });

  it("reads the tables that /files/ shows and no other, by no name", async () => {
    expect(await ask("SELECT name FROM sale_events")).toMatchObject({
      isError: false,
      text: expect.stringContaining("sale_events"),
    });
    const hidden = join(folder.path, "builds/20261121-cccccc/tables/dealers.parquet");
    for (const sql of [
      "FROM dealers",
      `FROM '${hidden}'`,
      `FROM read_parquet('${hidden}')`,
      "FROM '/etc/passwd'",
    ]) {
      const {isError, text} = await ask(sql);
      expect([sql, isError, text.includes(folder.path)]).toEqual([sql, true, false]);
    }
    const {text} = await ask("SELECT sql FROM duckdb_views() WHERE NOT internal");
    expect(text).not.toContain(folder.path);
  });

  it("runs one statement of a key at a time; no other key waits for it, and it ends when its caller leaves", async () => {
    const leaving = new AbortController();
    const running = ask(slow, files!, leaving.signal).catch((error: Error) => error.name);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [same, another] = await Promise.all([
      ask("SELECT 1"),
      ask("SELECT count(*) AS n FROM sale_events", other!),
    ]);
    expect([same.isError, same.text]).toEqual([
      true,
      expect.stringContaining("A statement of this key is running"),
    ]);
    expect(another.isError).toBe(false);
    leaving.abort();
    expect(await running).toBe("AbortError");
    await expect.poll(async () => (await ask("SELECT 1")).isError, {timeout: 5_000}).toBe(false);
  });
});
