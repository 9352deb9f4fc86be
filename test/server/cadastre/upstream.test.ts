import {createServer, type RequestListener, type Server} from "node:http";
import type {AddressInfo} from "node:net";
import {gzipSync} from "node:zlib";
import {afterEach, describe, expect, it} from "vitest";
import {createUpstream, type Upstream, type UpstreamOptions} from "../../../server/cadastre/upstream.ts";

let server: Server | null = null;
let upstream: Upstream | null = null;

afterEach(async () => {
  await upstream?.close();
  server?.closeAllConnections();
  server?.close();
});

async function listen(handler: RequestListener, more: Partial<UpstreamOptions> = {}): Promise<string> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  upstream = createUpstream({userAgent: "test", isAllowedAddress: () => true, refusal: () => null, ...more});
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/layer/query`;
}

function ask(url: string, totalMs = 60_000) {
  return upstream!.ask(url, {where: "APN = '1'", f: "json"}, AbortSignal.timeout(totalMs));
}

describe("the upstream client", () => {
  it("S9: sends the question as a form, so that no access log has it", async () => {
    let seen = "";
    const url = await listen((request, response) => {
      request.on("data", (chunk) => {
        seen += `${request.method} ${request.url} ${chunk}`;
      });
      request.on("end", () => response.end('{"count":1}'));
    });
    expect(await ask(url)).toEqual({kind: "answer", body: Buffer.from('{"count":1}')});
    expect(seen).toBe("POST /layer/query where=APN+%3D+%271%27&f=json");
  });

  it("counts the body after decompression", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    const url = await listen((_request, response) =>
      response.writeHead(200, {"content-encoding": "gzip"}).end(bomb),
    );
    expect(await ask(url)).toMatchObject({kind: "failed", status: "rejected"});
  });

  it("refuses broken and unknown codings", async () => {
    const codings = ["gzip", "compress"];
    const url = await listen((_request, response) =>
      response.writeHead(200, {"content-encoding": codings.shift()!}).end("plain"),
    );
    expect(await ask(url)).toMatchObject({kind: "failed", status: "rejected"});
    expect(await ask(url)).toMatchObject({kind: "failed", status: "rejected"});
  });

  it("follows no redirect", async () => {
    let calls = 0;
    const url = await listen((_request, response) => {
      calls += 1;
      response.writeHead(302, {location: "http://127.0.0.1:1/"}).end();
    });
    expect(await ask(url)).toMatchObject({kind: "failed", status: "unavailable", reason: "status 302"});
    expect(calls).toBe(1);
  });

  it("honours Retry-After, in seconds and as a date, for an hour at most", async () => {
    const headers = ["86400", new Date(Date.now() + 86_400_000).toUTCString()];
    const url = await listen((_request, response) => {
      response.writeHead(429, {"retry-after": headers.shift()}).end();
    });
    for (let asked = 0; asked < 2; asked += 1)
      expect(await ask(url)).toMatchObject({kind: "failed", status: "unavailable", retryAfterMs: 3_600_000});
  });

  it("gives up at the deadline of the whole question, and between chunks", async () => {
    const url = await listen((_request, response) => response.writeHead(200).write("{"), {
      limits: {betweenChunksMs: 100},
    });
    expect(await ask(url, 50)).toMatchObject({kind: "failed", status: "timeout"});
    // The clock of undici's own timeouts has a resolution of half a second.
    expect(await ask(url)).toMatchObject({kind: "failed", status: "timeout"});
  });

  it("tries a reset connection once more, and only once", async () => {
    let calls = 0;
    const url = await listen((request, response) => {
      calls += 1;
      if (calls === 1) request.socket.destroy();
      else response.end("{}");
    });
    expect(await ask(url)).toEqual({kind: "answer", body: Buffer.from("{}")});
    server!.removeAllListeners("request");
    server!.on("request", (request) => {
      calls += 1;
      request.socket.destroy();
    });
    calls = 0;
    expect(await ask(url)).toMatchObject({kind: "failed", status: "unavailable"});
    expect(calls).toBe(2);
  });

  it("never dials an address that is not allowed", async () => {
    let calls = 0;
    const url = await listen(
      (_request, response) => {
        calls += 1;
        response.end();
      },
      {isAllowedAddress: () => false},
    );
    const named = url.replace("127.0.0.1", "localhost");
    expect(await ask(named)).toMatchObject({kind: "failed", status: "unavailable"});
    expect(calls).toBe(0);
  });
});
