import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {type TestServer, testServer} from "../server-fixture.ts";

const app = "https://app.example.org";
const preflight = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-api-key"};

let server: TestServer;
beforeAll(async () => {
  server = await testServer({settings: readSettings({CATTLE_CORS_ORIGINS: `${app},http://localhost:3000`})});
});
afterAll(() => server.close());

describe("a page of another origin", () => {
  it("gets 204 for a preflight when its origin is listed, the same for every path, without a key", async () => {
    const replies = [];
    for (const path of ["/price-by-county", "/no-such-path"]) {
      const {status, headers, text} = await server.get(path, {
        method: "OPTIONS",
        headers: {Origin: app, ...preflight},
      });
      const {"x-request-id": _id, date: _date, ...same} = headers;
      replies.push({status, text, same});
    }
    expect(replies[0]).toEqual(replies[1]);
    expect(replies[0]).toMatchObject({
      status: 204,
      text: "",
      same: {
        "access-control-allow-origin": app,
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-max-age": "600",
      },
    });
    expect(replies[0]!.same["access-control-allow-headers"]).toContain("X-API-Key");
  });

  it("may read answers and refusals, which vary by origin, never with credentials", async () => {
    for (const headers of [{Origin: app}, {Origin: app, "X-API-Key": server.key}]) {
      const reply = await server.get("/openapi.json", {headers});
      expect(reply.headers["access-control-allow-origin"]).toBe(app);
      expect(reply.headers.vary).toContain("Origin");
      expect(reply.headers["access-control-expose-headers"]).toContain("Retry-After");
      expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
    }
  });

  it("gets the usual 403 and no header when its origin is not listed", async () => {
    for (const Origin of [
      "https://evil.example.org",
      "null",
      `${app}.evil.example.org`,
      "http://app.example.org",
    ]) {
      const reply = await server.get("/price-by-county", {
        method: "OPTIONS",
        headers: {Origin, ...preflight},
      });
      expect([reply.status, reply.headers["access-control-allow-origin"]], Origin).toEqual([403, undefined]);
    }
  });
});

describe("CATTLE_CORS_ORIGINS", () => {
  it.each([
    "*",
    "null",
    "http://app.example.org",
    "https://app.example.org/",
    "https://*.example.org/x",
    "https://a.example.org,*",
  ])("refuses %s", (text) => {
    expect(() => readSettings({CATTLE_CORS_ORIGINS: text})).toThrow("CATTLE_CORS_ORIGINS");
  });

  it("is empty by default: no answer has a CORS header", async () => {
    const closed = await testServer({});
    const reply = await closed.get("/openapi.json", {headers: {Origin: app, "X-API-Key": closed.key}});
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(reply.headers.vary).not.toContain("Origin");
    await closed.close();
  });
});
