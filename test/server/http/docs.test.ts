import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {problemKinds} from "../../../schemas/problem.ts";
import {priceByState} from "../../../server/market/price-by-state.ts";
import {type TestServer, testServer} from "../server-fixture.ts";

let server: TestServer;
const noKey = {headers: {}};

beforeAll(async () => {
  server = await testServer({});
});
afterAll(() => server.close());

describe("the reference page", () => {
  it("needs no key, and lets scripts, styles and requests come from this server alone", async () => {
    const page = await server.get("/docs", noKey);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(/<script>|style=|https?:/);
  });

  it("opens with a guide whose links and sample question are answered", async () => {
    const {text} = await server.get("/docs", noKey);
    const headings = [...text.matchAll(/<h[23]>([^<]+)</g)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Quick start",
      "Shell",
      "Python",
      "JavaScript",
      "R",
      "Paging",
      "Errors",
      "Freshness",
    ]);
    expect(text.indexOf("Freshness")).toBeLessThan(text.indexOf('id="reference"'));
    for (const [, link] of text.matchAll(/<a href="(\/[^"]*)"/g))
      expect((await server.get(link!, noKey)).status, link).toBe(200);
    const asked = new URLSearchParams(
      [...text.matchAll(/urlencode (\w+=\w+)/g)].map(([, pair]) => pair!).join("&"),
    );
    expect(asked.size).toBe(2);
    expect(priceByState.parameters.safeParse(Object.fromEntries(asked)).success).toBe(true);
  });

  it("tells each kind of failure once", async () => {
    const {text} = await server.get("/docs", noKey);
    for (const [slug, {status, title}] of Object.entries(problemKinds)) {
      expect(text.split(`<a href="/problems/${slug}">${title}</a>`), slug).toHaveLength(2);
      expect(text).toContain(`<td>${status}</td>`);
    }
  });

  it("gets every file that it names, and the document of /openapi.json", async () => {
    const page = await server.get("/docs", noKey);
    const named = [...page.text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThanOrEqual(4);
    for (const path of named) expect((await server.get(path, noKey)).status, path).toBe(200);
    const {text} = await server.get("/openapi.json");
    expect((await server.get("/docs/reference.json", noKey)).text).toBe(text);
  });

  it("comes compressed, and as 304 to whoever has it", async () => {
    const path = "/docs/swagger-ui-bundle.js";
    const packed = await server.get(path, {headers: {"Accept-Encoding": "gzip"}});
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.raw.length).toBeLessThan(600_000);
    const again = await server.get(path, {headers: {"If-None-Match": packed.headers.etag}});
    expect([again.status, again.raw.length]).toEqual([304, 0]);
  });

  it("is off with CATTLE_DOCS=0, as are the pages of problems: 403 as any path without a key", async () => {
    const closed = await testServer({settings: readSettings({CATTLE_DOCS: "0"})});
    for (const path of ["/", "/problems", "/docs", "/docs/reference.json", "/problems/internal"]) {
      expect((await closed.get(path, noKey)).status, path).toBe(403);
      expect((await closed.get(path)).status, path).toBe(404);
    }
    await closed.close();
  });
});

describe("the list of problems", () => {
  it("needs no key, and every link on it is answered", async () => {
    for (const path of ["/problems"]) {
      const {status, text} = await server.get(path, noKey);
      expect([path, status]).toEqual([path, 200]);
      const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link!);
      expect(links.length).toBeGreaterThan(3);
      for (const link of links) expect([200, 503], link).toContain((await server.get(link, noKey)).status);
    }
  });

  it("lists each kind of problem", async () => {
    const {text} = await server.get("/problems", noKey);
    for (const slug of Object.keys(problemKinds)) expect(text).toContain(`href="/problems/${slug}"`);
  });
});

describe("the page of a problem", () => {
  it.each(Object.keys(problemKinds))("/problems/%s says what it means and what to do", async (slug) => {
    const {status, text} = await server.get(`/problems/${slug}`, noKey);
    expect(status).toBe(200);
    expect(text).toMatch(/<h2>What it means<\/h2>\n<p>.{20,}<\/p>\n<h2>What to do<\/h2>\n<p>.{10,}<\/p>/);
  });

  it("exists for kinds of problems alone", async () => {
    expect((await server.get("/problems/other", noKey)).status).toBe(403);
  });
});
