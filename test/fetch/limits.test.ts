import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {refusalOfAddress} from "../../pipeline/fetch/client/allowed-url.ts";
import {AskFault} from "../../pipeline/fetch/client/ask-fault.ts";
import {PoliteClient} from "../../pipeline/fetch/client/polite-client.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {fileSource, filesIn, night, quickRate} from "./fetched.ts";
import {file, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const now = new Date("2026-11-20T05:30:00Z");
const list = Buffer.from(`name,city\n${"Invented Stock Yard,Nowhere\n".repeat(5000)}`);
const gib = 2 ** 30;

describe("hosts and keys", () => {
  test("an address is asked by https at a host that its entry names, and nowhere else", () => {
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

  test("a key goes to the address that it was meant for, and not along with a redirect, even to a named host", async () => {
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
      timeoutMs: 5000,
      signal: AbortSignal.timeout(20_000),
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
    await client.close();
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
  test("a passing fault is tried again five times, and any other refusal never", async () => {
    const client = new PoliteClient({userAgent: "test", retries: {firstPauseMs: 1}});
    const host = new Set([new URL(server.origin).host]);
    const manners = {
      hosts: host,
      rate: {perSecond: 500, atOnce: 1},
      timeoutMs: 5000,
      signal: AbortSignal.timeout(20_000),
    };
    const tries: Record<number, number> = {};
    for (const status of [429, 502, 503, 504, 400, 401, 403, 404, 410]) {
      server.on(`/${status}`, (_, reply) => void reply.writeHead(status).end());
      const asked = client.ask({url: `${server.origin}/${status}`}, manners, async () => undefined);
      await expect(asked).rejects.toThrow(AskFault);
      tries[status] = server.of(`/${status}`).length;
    }
    await client.close();
    expect(tries).toEqual({429: 6, 502: 6, 503: 6, 504: 6, 400: 1, 401: 1, 403: 1, 404: 1, 410: 1});
  });

  test("a file that is said to be larger than the limit is refused before a byte of it is kept", async () => {
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

  test("the bytes of a run are shared by its sources, and the one that finds them used up is partial", async () => {
    server.on(
      "/",
      file(() => list),
    );
    const sources = ["a", "b"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`, rate: quickRate}),
    );
    const limits = {CATTLE_FETCH_GIB: (list.length * 1.5) / gib};
    const outcomes = await night(sources, {rawDir: temporaryFolder(), now, limits});
    expect(outcomes.map(({status}) => status)).toEqual(["new", "partial"]);
    expect(outcomes[1]!.reason).toContain("CATTLE_FETCH_GIB");
  });

  test("a run that is at the end of its time ends what is under way, and says so", async () => {
    server.on("/list.csv", (_, reply) => void reply.writeHead(200).write("name,city\n"));
    const limits = {CATTLE_FETCH_HOURS: 0.0001};
    const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {
      ...{rawDir: temporaryFolder(), now, limits},
      signal: AbortSignal.timeout(15_000),
    });
    expect(outcome).toMatchObject({status: "partial", reason: "the time of the run is over"});
    expect(outcome!.seconds).toBeLessThan(14);
  });

  test("a file for which the disk has no room is not begun", async () => {
    server.on(
      "/list.csv",
      (_, reply) => void reply.writeHead(200, {"content-length": String(2 ** 52)}).write("n"),
    );
    const limits = {CATTLE_FETCH_FILE_GIB: 2 ** 30};
    const rawDir = temporaryFolder();
    const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {
      ...{rawDir, now, limits},
      signal: AbortSignal.timeout(15_000),
    });
    expect(outcome).toMatchObject({status: "partial", reason: expect.stringContaining("free on the disk")});
    expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
  });
});

describe("terms", () => {
  test("a licensed source is asked only where the deployment says that it has a licence", async () => {
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
