import {connect} from "node:net";
import {brotliDecompressSync, gunzipSync} from "node:zlib";
import {afterAll, afterEach, beforeAll, describe, expect, it, vi} from "vitest";
import {z} from "zod";
import {limitations} from "../../../lib/limitations.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {type Answer, type Call, defineEndpoint} from "../../../server/http/endpoint.ts";
import {Problem} from "../../../server/http/problem-document.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {openLog} from "../../../server/system/json-log.ts";
import {createMetrics} from "../../../server/system/metrics.ts";
import {type MarketArtifacts, openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {BUILT_AT, generationOf, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

const folder = temporaryFolder();
const lines: string[] = [];
let market: MarketArtifacts;
let server: TestServer;

const endpoint = (path: string, answer: (call: Call<unknown>) => Answer | Promise<Answer>) =>
  defineEndpoint({
    path,
    operationId: path.slice(1),
    summary: "for the test",
    family: "parcel",
    scope: "parcel",
    parameters: z.strictObject({owner: z.string().max(5, "is too long").optional()}),
    redacted: ["owner"],
    response: z.unknown(),
    answer,
  });
const broken = endpoint("/public/land-agent/broken", () => {
  throw new Error("secret SMITH");
});
const slow = endpoint("/public/land-agent/slow", () => new Promise(() => {}));
const big = endpoint("/public/land-agent/big", () => ({body: JSON.stringify("cattle ".repeat(1000))}));
const bytes = endpoint("/public/land-agent/bytes", () => ({
  body: Buffer.from(JSON.stringify("añojo ".repeat(1000))),
}));
const live = endpoint("/public/land-agent/live", () => ({body: "{}", store: "no-store", lookup: "cadastre"}));

beforeAll(async () => {
  await writeMarketFixture(folder.path);
  market = openMarketArtifacts(folder.path);
  server = await testServer({
    endpoints: [...marketEndpoints, broken, slow, big, bytes, live],
    generation: () => generationOf(market),
    settings: readSettings({CATTLE_DEADLINE_MS: "200", CATTLE_RATE_PER_MINUTE: "1000000"}),
    log: openLog("info", (line: string) => void lines.push(line)),
  });
});

afterAll(async () => {
  await server.close();
  folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  server.get(path, {headers: {"X-API-Key": server.key, ...headers}, method});

describe("caching", () => {
  it("gives equal questions the same bytes and the same strong tag", async () => {
    const [first, second] = [
      await get("/price-by-state?state=OK"),
      await get("/price-by-state/?state=ok&limit=&zebra="),
    ];
    expect(first.headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(second.headers.etag).not.toBe(first.headers.etag); // `zebra` is listed as ignored
    const third = await get("/price-by-state?state=%20oK%20");
    expect([third.headers.etag, third.text]).toEqual([first.headers.etag, first.text]);
  });

  it("answers 304 to the tag in either form, weak or in a list, with the caching headers", async () => {
    const {headers} = await get("/price-by-state");
    const tag = headers.etag ?? "";
    const values = [
      tag,
      `W/${tag}`,
      `"x", ${tag}`,
      `${tag.slice(0, -1)}-gzip"`,
      `${tag.slice(0, -1)}-br"`,
      "*",
    ];
    for (const value of values) {
      const reply = await get("/price-by-state", {"If-None-Match": value});
      expect([value, reply.status, reply.raw.length]).toEqual([value, 304, 0]);
      expect(reply.headers["cache-control"]).toBe("private, max-age=300, must-revalidate");
      expect(reply.headers["vary"]).toBe("Accept-Encoding");
    }
    expect((await get("/price-by-state", {"If-None-Match": '"other"'})).status).toBe(200);
  });

  it("mirrors GET on HEAD, without the body", async () => {
    const parcelPaths = ["/public/land-agent/big", "/public/land-agent/bytes"];
    for (const path of ["/price-by-state", ...parcelPaths, "/nowhere", "/healthz"]) {
      const coding = {"Accept-Encoding": "gzip"};
      const [whole, head] = [await get(path, coding), await get(path, coding, "HEAD")];
      expect(head.status).toBe(whole.status);
      expect(head.raw.length).toBe(0);
      for (const name of [
        "content-length",
        "content-type",
        "etag",
        "cache-control",
        "content-encoding",
        "vary",
      ]) {
        expect([path, name, head.headers[name]]).toEqual([path, name, whole.headers[name]]);
      }
    }
  });

  it("compresses from 1 KiB, with the coding in the tag", async () => {
    const plain = await get("/public/land-agent/big");
    const gzip = await get("/public/land-agent/big", {"Accept-Encoding": "gzip"});
    const brotli = await get("/public/land-agent/big", {"Accept-Encoding": "br, gzip"});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gzip.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-gzip"`);
    expect(brotli.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-br"`);
    expect(gunzipSync(gzip.raw).toString()).toBe(plain.text);
    expect(brotliDecompressSync(brotli.raw).toString()).toBe(plain.text);
    const small = await get("/public/land-agent/live", {"Accept-Encoding": "gzip"});
    expect(small.headers["content-encoding"]).toBeUndefined();
  });

  it("sends ready bytes as it sends text: with length and tag, compressed or not", async () => {
    const text = JSON.stringify("añojo ".repeat(1000));
    const plain = await get("/public/land-agent/bytes");
    const gzip = await get("/public/land-agent/bytes", {"Accept-Encoding": "gzip"});
    expect([plain.text, plain.headers["content-length"]]).toEqual([text, String(Buffer.byteLength(text))]);
    expect([gunzipSync(gzip.raw).toString(), gzip.headers.etag]).toEqual([
      text,
      `${plain.headers.etag?.slice(0, -1)}-gzip"`,
    ]);
  });

  it("keeps parcel answers for re-asking only, and answers of the cadastre not at all", async () => {
    expect((await get("/public/land-agent/big")).headers["cache-control"]).toBe("private, no-cache");
    const {headers} = await get("/public/land-agent/live");
    expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
  });

  it("changes tag and bytes when the build is older than 36 hours (L11)", async () => {
    const later = await testServer({
      generation: () => generationOf(market),
      now: () => new Date(Date.parse(BUILT_AT) + 36 * 3_600_000 + 1000),
    });
    const [fresh, old] = [await get("/price-by-state"), await later.get("/price-by-state")];
    expect(old.headers.etag).toMatch(/-old"$/);
    expect(old.headers.etag?.slice(0, 28)).not.toBe(undefined);
    expect(old.json().limitations).toContain(limitations.L11);
    expect(fresh.json().limitations).not.toContain(limitations.L11);
    await later.close();
  });
});

describe("errors", () => {
  it("answers problem documents that no cache keeps, with the request id", async () => {
    const reply = await get("/nowhere", {"X-Request-Id": "abc-1"});
    expect(reply.headers["content-type"]).toBe("application/problem+json");
    expect(reply.headers["cache-control"]).toBe("no-store");
    const {error, detail, ...body} = reply.json() as Record<string, unknown>;
    expect(body).toMatchObject({type: "/problems/not-found", status: 404, instance: "abc-1"});
    expect([typeof error, error]).toEqual(["string", detail]);
    expect(reply.headers["x-request-id"]).toBe("abc-1");
  });

  it("takes no request id that could carry anything else", async () => {
    for (const id of ["has space", "x".repeat(65), "<script>"]) {
      expect((await get("/nowhere", {"X-Request-Id": id})).headers["x-request-id"]).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
  });

  it("adds `error` on every parcel path, equal to `detail`", async () => {
    for (const [path, status] of [
      ["/public/land-agent/nowhere", 404],
      ["/public/land-agent/broken", 500],
      ["/public/land-agent/slow", 503],
      ["/public/land-agent/big?owner=SMITH-JONES", 400],
    ] as const) {
      const reply = await get(path);
      expect(reply.status).toBe(status);
      expect(reply.json()["error"]).toBe(reply.json()["detail"]);
    }
  });

  it("answers 405 with Allow to other methods on a known path", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const reply = await get("/barns", {}, method);
      expect([method, reply.status, reply.headers["allow"]]).toEqual([method, 405, "GET, HEAD"]);
    }
  });

  it("answers 503 deadline-exceeded with Retry-After to an answer that takes too long", async () => {
    const reply = await get("/public/land-agent/slow");
    expect(reply.json()["type"]).toBe("/problems/deadline-exceeded");
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("answers 414 to an address over 4 KiB and 400 to a body on GET", async () => {
    expect((await get(`/barns?county=${"x".repeat(4100)}`)).status).toBe(414);
    const reply = await server.get("/barns", {headers: {"X-API-Key": server.key}, body: "x"});
    expect([reply.status, reply.headers["connection"]]).toEqual([400, "close"]);
  });

  it("S9: keeps the message of an unexpected fault out of the answer and the log", async () => {
    lines.length = 0;
    const reply = await get("/public/land-agent/broken");
    expect(reply.json()).toMatchObject({type: "/problems/internal", status: 500});
    expect(reply.text).not.toMatch(/SMITH|secret|\.ts/);
    expect(lines.join("")).not.toMatch(/SMITH/);
    expect(lines.join("")).toMatch(/internal error/);
  });

  it("breaks a request off where even its error cannot be written, and shows no page of Express", async () => {
    const members = {count: 1n};
    const hopeless = endpoint("/public/land-agent/hopeless", () => {
      throw new Problem("parcel-not-found", "None.", {members});
    });
    const failing = await testServer({endpoints: [hopeless], generation: () => generationOf(market)});
    await expect(failing.get(hopeless.path)).rejects.toThrow("socket hang up");
    await failing.close();
  });

  it("never repeats the value of a redacted parameter", async () => {
    const reply = await get("/public/land-agent/big?owner=SMITH-JONES");
    expect(reply.json().invalid_params).toEqual([{name: "owner", reason: "is too long"}]);
    expect(reply.text).not.toMatch(/SMITH/);
  });

  it("answers 503 build-unavailable while no build is served", async () => {
    const empty = await testServer({generation: () => null});
    const reply = await empty.get("/barns");
    expect([reply.status, reply.json()["type"]]).toEqual([503, "/problems/build-unavailable"]);
    expect(reply.headers["retry-after"]).toBe("5");
    await empty.close();
  });

  it("closes a connection whose request line is no HTTP", async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () =>
        socket.end("GET /barns HTTP/1.1\r\nHost: a\r\nA:\0b\r\n\r\n"),
      );
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("the order of the steps", () => {
  afterEach(() => void vi.useRealTimers());

  it("is access, rate, shedding, form, route, parameters", async () => {
    // The clocks of the rate and of a key's share stand, but for the second that the test lets pass.
    vi.useFakeTimers({toFake: ["performance", "Date"]});
    vi.advanceTimersByTime(10_000);
    let delayMs = 500;
    const ordered = await testServer({
      generation: () => null,
      settings: readSettings({CATTLE_RATE_PER_MINUTE: "10"}),
      loopDelay: () => delayMs,
    });
    const long = `?x=${"x".repeat(4100)}`;
    const status = async (path: string, headers?: Record<string, string>) =>
      (await ordered.get(path, headers === undefined ? {method: "POST"} : {method: "POST", headers})).status;
    expect(await status(`/nowhere${long}`, {})).toBe(403);
    // A key has four requests of each second, however slow the loop is.
    for (let i = 0; i < 4; i++) expect(await status(`/nowhere${long}`)).toBe(414);
    expect(await status(`/nowhere${long}`)).toBe(503);
    delayMs = 0;
    // The shares of the keys are those of a second.
    vi.advanceTimersByTime(1_000);
    expect(await status(`/nowhere${long}`)).toBe(414);
    expect(await status("/nowhere?state=ZZ")).toBe(404);
    expect(await status("/barns?state=ZZ")).toBe(405);
    expect((await ordered.get("/barns?state=ZZ")).status).toBe(400);
    expect((await ordered.get("/barns")).status).toBe(503);
    delayMs = 500;
    expect(await status(`/nowhere${long}`)).toBe(429);
    expect(await status(`/nowhere${long}`, {})).toBe(403);
    await ordered.close();
  });
});

describe("limits and headers", () => {
  it("counts requests per key, says so on 200 and 429, and divides by the processes", async () => {
    const limited = await testServer({
      generation: () => generationOf(market),
      settings: readSettings({CATTLE_RATE_PER_MINUTE: "4", CATTLE_PROCESSES: "2"}),
    });
    const first = await limited.get("/barns");
    expect(first.headers["ratelimit-policy"]).toBe('"default";q=2;w=60');
    expect(first.headers["ratelimit"]).toBe('"default";r=1;t=60');
    await limited.get("/barns");
    const third = await limited.get("/barns");
    expect([third.status, third.json()["type"]]).toEqual([429, "/problems/rate-limited"]);
    expect(third.headers["ratelimit"]).toMatch(/^"default";r=0;t=\d+$/);
    expect(Number(third.headers["retry-after"])).toBeGreaterThan(0);
    expect((await limited.get("/barns", {headers: {}})).status).toBe(403);
    await limited.close();
  });

  it("sheds with 503 when the event loop stays slow, but for four requests of a key in a second", async () => {
    vi.useFakeTimers({toFake: ["performance"]});
    vi.advanceTimersByTime(10_000);
    const delayed = await testServer({generation: () => generationOf(market), loopDelay: () => 500});
    for (let i = 0; i < 4; i++) expect((await delayed.get("/barns")).status).toBe(200);
    const reply = await delayed.get("/barns");
    expect([reply.status, reply.json()["type"]]).toEqual([503, "/problems/overloaded"]);
    await delayed.close();
    vi.useRealTimers();
  });

  it("sends the security headers and hides what it runs on", async () => {
    const {headers} = await get("/barns");
    expect(headers["content-security-policy"]).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("S9: logs a request by an allow-list: names of parameters, never values or paths", async () => {
    lines.length = 0;
    await get("/barns?county=SECRETCOUNTY&NAMEOFUNKNOWN=1");
    await get("/UNKNOWNPATH?x=y");
    const text = lines.join("");
    expect(text).not.toMatch(/SECRETCOUNTY|NAMEOFUNKNOWN|UNKNOWNPATH/);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      keyId: "key-test",
      method: "GET",
      route: "/barns",
      parameters: ["county"],
      status: 400,
      buildId: "20261121-3f9c1a",
    });
  });

  it("counts requests by route template and status, with no other label", async () => {
    const metrics = createMetrics();
    const counted = await testServer({generation: () => generationOf(market), metrics});
    await counted.get("/barns?county=SECRETCOUNTY");
    await counted.get("/UNKNOWNPATH");
    await expect
      .poll(() => metrics.registry.metrics())
      .toContain('http_requests_total{route="unknown",status="404"} 1');
    const text = await metrics.registry.metrics();
    expect(text).toContain('http_requests_total{route="/barns",status="400"} 1');
    expect(text).not.toMatch(/SECRETCOUNTY|UNKNOWNPATH/);
    await counted.close();
  });

  it("tells readiness with build and reasons", async () => {
    const degraded = await testServer({
      readiness: () => ({
        generation: generationOf(market),
        draining: false,
        mapping: "mmap",
        reasons: ["keys_file_bad"],
      }),
    });
    expect((await degraded.get("/readyz", {headers: {}})).json()).toEqual({
      status: "degraded",
      build_id: "20261121-3f9c1a",
      as_of_date: "2026-11-21",
      mapping: "mmap",
      reasons: ["keys_file_bad"],
    });
    await degraded.close();
  });
});
