import {connect} from "node:net";
import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, it, vi} from "vitest";
import {openLog} from "../../../server/system/json-log.ts";
import {createMetrics} from "../../../server/system/metrics.ts";
import {generationOf, type TestServer, testServer} from "../server-fixture.ts";

const lines: string[] = [];
const metrics = createMetrics();
let server: TestServer;

beforeAll(async () => {
  const log = openLog("info", (line: string) => void lines.push(line));
  server = await testServer({generation: () => generationOf(null), log, metrics});
});
afterAll(() => server.close());

/** Sends bytes as they are and gives what comes back until so many answers have begun, or the connection closes. */
function send(bytes: string, answers = Number.POSITIVE_INFINITY): Promise<{text: string; closed: boolean}> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const end = (closed: boolean) => {
      socket.destroy();
      resolve({text, closed});
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (statuses(text).length >= answers) end(false);
    });
    socket.on("close", () => end(true));
    socket.on("error", () => end(true));
  });
}

const head = () => `GET /openapi.json HTTP/1.1\r\nHost: a\r\nX-API-Key: ${server.key}\r\n`;
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]);

describe("S7: requests that proxies and servers may read differently", () => {
  it.each([
    [
      "length and chunks at once",
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ],
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"],
    ["a NUL in a header", "X-A: a\0b\r\n\r\n"],
    ["a blank before the colon", "X-A : a\r\n\r\n"],
    ["chunks that are no chunks", "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n"],
    ["an unknown coding", "Transfer-Encoding: cow\r\n\r\n"],
    ["a body on a read", "Content-Length: 3\r\n\r\nabc"],
    ["two hosts", "hOST: b\r\n\r\n"],
    ["the same host twice", "Host: a\r\n\r\n"],
  ])("S7: refuses %s once and closes", async (_name, rest) => {
    const {text, closed} = await send(head() + rest);
    expect(statuses(text)).toEqual(["400"]);
    expect(closed).toBe(true);
  });

  it("S7: answers a header section over 16 KiB with 431", async () => {
    const {text} = await send(`${head()}X-A: ${"a".repeat(17_000)}\r\n\r\n`);
    expect(statuses(text)).toEqual(["431"]);
  });

  it("S7: answers pipelined requests one by one, in order", async () => {
    const one = (path: string) => head().replace("/openapi.json", path).concat("\r\n");
    const {text} = await send(one("/nowhere") + one("/healthz") + one("/nowhere"), 3);
    expect(statuses(text)).toEqual(["404", "200", "404"]);
  });
});

describe("S7: a refused body", () => {
  it.each([
    ["once the last of it has come", 900_000, 900_000],
    ["after a mebibyte of more", 90_000_000, 1_200_000],
  ])(
    "S7: is answered %s, without waiting for the time limit",
    async (_, length, sent) => {
      const {setTimeout: start} = globalThis;
      const slow = (run: () => void, ms = 0) => start(run, ms * 1_000).unref();
      vi.spyOn(globalThis, "setTimeout").mockImplementation(slow as typeof setTimeout);
      try {
        const {text} = await send(`${head()}Content-Length: ${length}\r\n\r\n${" ".repeat(sent)}`, 1);
        expect(statuses(text)).toEqual(["400"]);
      } finally {
        vi.restoreAllMocks();
      }
    },
    20_000,
  );
});

describe("S7: request targets", () => {
  it.each(["http://", "*", "http://localhost/barns", "ftp://["])(
    "S7: answers %s, which is no path, like any other bad request",
    async (target) => {
      lines.length = 0;
      const request = head().replace("/openapi.json", target);
      const {text, closed} = await send(`${request}X-Request-Id: id-1\r\n\r\n`);
      expect(statuses(text)).toEqual(["400"]);
      expect(closed).toBe(true);
      expect(text).toMatch(/^X-Request-Id: id-1\r$/m);
      expect(text).toMatch(/^Content-Type: application\/problem\+json\r$/m);
      expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({
        type: "/problems/invalid-request",
        status: 400,
        instance: "id-1",
      });
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        {requestId: "id-1", route: null, status: 400},
      ]);
      expect(await metrics.registry.metrics()).toMatch(
        /http_requests_total\{route="unknown",status="400"\} \d/,
      );
    },
  );

  it("S7: gives every target that the parser takes one answer with a request id", async () => {
    const target = fc.string({unit: fc.constantFrom(..."/:.?#@%*[]\\ab0é~"), minLength: 1, maxLength: 12});
    await fc.assert(
      fc.asyncProperty(target, async (text) => {
        const reply = await send(`${head().replace("/openapi.json", () => text)}Connection: close\r\n\r\n`);
        expect(statuses(reply.text)).toHaveLength(1);
        if (!reply.text.startsWith("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"))
          expect(reply.text).toMatch(/^X-Request-Id: /m);
      }),
      {numRuns: 200, seed: 11},
    );
  });
});

describe("S5: paths that try to leave", () => {
  it.each([
    "/../../etc/passwd",
    "/%2e%2e/keys.json",
    "/barns/../openapi.json",
    "//barns",
    "/barns%00",
    "/barns;x",
    "/BARNS",
  ])("S5: finds nothing at %s", async (path) => {
    const {text} = await send(head().replace("/openapi.json", path).concat("\r\n"), 1);
    expect(statuses(text)[0]).toMatch(/^40[04]$/);
  });
});
