import {existsSync, readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import puppeteer, {type Browser, type HTTPRequest, type Page} from "puppeteer-core";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
// @ts-expect-error: the modules of the page have no types.
import {cardLines} from "../../../server/pages/land.js";
import {pageServices} from "../../../server/pages/page-service.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {cardFacts} from "../../../server/text/parcel-card.ts";
import {sampleBuild} from "../../sample-build.ts";
import {type TestServer, testKey, testServer} from "../server-fixture.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = [process.env["CHROMIUM"] ?? "", ...places].find(
  (path) => path !== "" && existsSync(path),
);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const noKey = {headers: {}};

let server: TestServer;
let browser: Browser | undefined;
let base: string;

beforeAll(async () => {
  const {dir} = await sampleBuild("2026-11-21");
  const generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
  server = await testServer({endpoints, generation: () => generation, services: pageServices});
  base = `http://127.0.0.1:${server.port}/`;
  if (executablePath === undefined) return;
  const args = ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking"];
  browser = await puppeteer.launch({executablePath, args});
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe("the page's files", () => {
  it("need no key, come from this server alone, and have no inline script or style", async () => {
    const page = await server.get("/", noKey);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(page.text).not.toMatch(/<script>|<style|style=|https?:|\son\w+=/);
    const named = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThanOrEqual(4);
    for (const path of named) {
      const asset = await server.get(path, noKey);
      expect([asset.status, asset.headers["cache-control"]], path).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
    const [folder] = /^\/assets\/[0-9a-f]+\//.exec(named[0]!)!;
    for (const odd of [`${folder}page-service.ts`, "/assets/0000000000000000/page.js", `${folder}../page.js`])
      expect((await server.get(odd, noKey)).status, odd).toBe(404);
  });

  it("are under 800 lines together", () => {
    const folder = new URL("../../../server/pages/", import.meta.url);
    const served = readdirSync(folder).filter((name) => !name.endsWith(".ts"));
    const lines = served.map((name) => readFileSync(new URL(name, folder), "utf8").split("\n").length - 1);
    expect(served.length).toBeGreaterThan(8);
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(800);
  });

  it("have a card with the lines that `cattle lookup` prints", () => {
    const lines = (cardLines as string[][]).map(([, members, , note = ""]) => [members, note]);
    const facts = cardFacts.map(({of, note = ""}) => [of.join(" "), note]);
    expect(new Set(lines.map(String))).toEqual(new Set(facts.map(String)));
  });

  it("make nothing of data but text, and keep no key beyond the tab", () => {
    const names = ["ask", "charts", "coverage", "dom", "land", "page", "prices"];
    for (const name of names) {
      const text = readFileSync(new URL(`../../../server/pages/${name}.js`, import.meta.url), "utf8");
      const forbidden =
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|javascript:|localStorage|document\.cookie/;
      expect(text, name).not.toMatch(forbidden);
    }
  });
});

/** Opens the page with a question, with the key of the server unless another or none is given. */
async function open(
  question: string,
  key: string | null = server.key,
  intercept?: (request: HTTPRequest) => void,
) {
  const context = await browser!.createBrowserContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (/Content.Security|Trusted/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(base);
  if (key !== null) await page.evaluate((text) => sessionStorage.setItem("cattle-key", text), key);
  if (intercept !== undefined) {
    await page.setRequestInterception(true);
    page.on("request", intercept);
  }
  await page.goto("about:blank");
  await page.goto(`${base}${question}`);
  await settled(page);
  return {page, faults, [Symbol.asyncDispose]: () => context.close()};
}

/** Waits until the page has said what came of its question. */
async function settled(page: Page): Promise<void> {
  const done = `!/^(|Asking …)$/.test(document.getElementById("status").textContent) || document.getElementById("answer").childElementCount > 0`;
  await page.waitForFunction(done, {timeout: 120_000});
}

const textOf = (page: Page) => page.evaluate("document.body.innerText") as Promise<string>;

async function seriousFaults(page: Page): Promise<string[]> {
  return (await page
    .evaluate(`(() => { ${axe}; return axe.run(); })()`)
    .then((result) =>
      (result as {violations: {id: string; impact: string; nodes: {html: string}[]}[]}).violations
        .filter(({impact}) => impact === "serious" || impact === "critical")
        .map(({id, nodes}) => `${id}: ${nodes[0]?.html}`),
    )) as string[];
}

const price = "#prices?place=85326&class=steers&weight=550";

describe.skipIf(executablePath === undefined)(
  "the page in Chromium (skipped where no browser is installed)",
  () => {
    it("answers prices: sentence, figure, charts, counties, barns, drought and diesel", async () => {
      await using opened = await open(price);
      const text = await textOf(opened.page);
      expect(text).toMatch(
        /Medium and Large 1 steers of 550 lb were worth about [\d.]+ USD per cwt within 150 miles of 85326/,
      );
      for (const words of [
        "Price by weight",
        "each point is a pen",
        "curve, grade 1",
        "By county",
        "Barns",
        "drought",
        "diesel",
        "USD a gallon",
        "Maricopa County, AZ",
        "What the reporters say",
        "feeder steers and heifers sold steady",
        "Phone",
        "of 12 weeks have sales",
        "days old",
        "Copy link, without the key",
      ])
        expect(text).toContain(words);
      expect(text).toMatch(
        /That is [\d.,]+ USD a head\. From 500 to 600 lb the price (falls|rises) by [\d.]+ USD per cwt\./,
      );
      expect(await opened.page.$$eval("canvas", (all) => all.length)).toBe(2);
      expect(opened.faults).toEqual([]);
    });

    it("takes a town with a barn, and has each word of its glossary one click away", async () => {
      await using opened = await open("#prices?place=Sample+Wells,+AZ&class=steers");
      expect(await textOf(opened.page)).toContain("Maricopa County, AZ");
      const isOpen = () => opened.page.$eval("#words", (words) => words.matches(":popover-open"));
      expect(await isOpen()).toBe(false);
      await opened.page.click("[popovertarget=words]");
      expect(await isOpen()).toBe(true);
    });

    it("answers a land question with value, date, confidence and source, and a list of several with links", async () => {
      await using one = await open("#land?by=address&text=116+W+Bluestem+Rd&state=TX");
      const text = await textOf(one.page);
      for (const words of ["Owner", "As of", "Confidence", "Texas land parcels", "Copy citation"])
        expect(text).toContain(words);
      await using several = await open("#land?by=owner&text=FENWYN&state=TX");
      const links = await several.page.$$eval("#answer td a", (all) =>
        all.map((link) => link.getAttribute("href")!),
      );
      expect(links.length).toBeGreaterThan(2);
      await several.page.goto(`${base}${links[0]}`);
      await several.page.waitForFunction(`document.body.innerText.includes("Copy citation")`, {
        timeout: 120_000,
      });
    });

    it("draws the coverage and a state's counties", async () => {
      await using all = await open("#coverage");
      expect(await all.page.$$eval("svg.map path.some, svg.map path.all", (paths) => paths.length)).toBe(2);
      await using texas = await open("#coverage?state=TX");
      expect(await texas.page.$$eval("svg.map path.county", (paths) => paths.length)).toBe(254);
      expect(await textOf(texas.page)).toContain("How complete the fields are");
    });

    it("says what to do without a key, with a wrong one, for nothing found, for a bad value and offline", async () => {
      await using none = await open(price, null);
      expect(await textOf(none.page)).toMatch(
        /Answers need a key[\s\S]*An example, from the generated sample[\s\S]*Enter your key/,
      );
      await using wrong = await open(price, testKey().key);
      expect(await textOf(wrong.page)).toContain("This key is not accepted");
      expect(await wrong.page.evaluate("document.getElementById('key-form').hidden")).toBe(false);
      await using miss = await open("#land?by=address&text=1+Nowhere+St&state=TX");
      expect(await textOf(miss.page)).toMatch(/No such parcel[\s\S]*ask the county's assessor/);
      await using unknown = await open("#prices?place=00000&class=steers");
      expect(await textOf(unknown.page)).toContain("The place is not known here");
      await using bad = await open("#prices?place=85326&class=steers&weight=heavy");
      expect(await bad.page.$eval("#status", (status) => status.className)).toBe("problem");
      await using empty = await open("#prices");
      expect(await textOf(empty.page)).toContain("Fill in the form and ask.");
      await using offline = await open(price, server.key, (request) =>
        request.resourceType() === "fetch" ? request.abort("internetdisconnected") : request.continue(),
      );
      expect(await textOf(offline.page)).toContain("The server does not answer. Check your connection");
    });

    it("answers each choice of cattle, or says that none were sold", async () => {
      await using opened = await open("#prices");
      const {page} = opened;
      const choices = (await page.$$eval("form[name=prices] option", (options) =>
        options.map((option) => option.getAttribute("value")),
      )) as string[];
      expect(choices).toContain("slaughter_cows");
      for (const choice of choices) {
        await page.goto(`${base}#prices?place=85326&class=${choice}`);
        await page.waitForFunction(
          `document.forms.prices.elements.class.value === "${choice}" && document.getElementById("status").textContent !== "Asking …"`,
        );
        const problem = await page.$eval("#status", (status) => status.className);
        expect([choice, problem]).toEqual([choice, ""]);
      }
    });

    it("takes a key from the fragment once: into the tab's storage, out of the address and the history", async () => {
      await using opened = await open(`#key=${server.key}`, null);
      expect(await opened.page.evaluate("location.href")).toBe(base);
      expect(await opened.page.evaluate(() => sessionStorage.getItem("cattle-key"))).toBe(server.key);
      await opened.page.click("#forget");
      expect(await opened.page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0]);
    });

    it("shows hostile texts as text: markup, direction marks, control characters, odd links", async () => {
      const hostile = `<img src=x onerror="document.title='hit'">\u202eevil\u001b[31m`;
      const property = {
        parcelId: hostile,
        county: hostile,
        state: "TX",
        ownerName: hostile,
        addressFull: hostile,
        legalDesc: "javascript:alert(1)",
        acres: 1,
      };
      await using opened = await open("#land?by=address&text=x&state=TX", server.key, (request) =>
        request.url().includes("address-lookup")
          ? request.respond({
              contentType: "application/json",
              body: JSON.stringify({property, metadata: {limitations: [hostile]}}),
            })
          : request.continue(),
      );
      const text = await textOf(opened.page);
      expect(text).toContain("<img src=x onerror=");
      expect(text).toContain("\u241b[31m");
      expect(text).not.toContain("\u202e");
      expect(await opened.page.$$eval("#answer img", (all) => all.length)).toBe(0);
      expect(await opened.page.title()).toBe("Cattle prices and land parcels");
      expect(opened.faults).toEqual([]);
    });

    it.each([390, 1280])(
      "has no serious fault of axe and no sideways scrolling at %i px, light and dark",
      async (width) => {
        for (const scheme of ["light", "dark"])
          for (const [question, key] of [
            [price, server.key],
            ["#land?by=address&text=116+W+Bluestem+Rd&state=TX", server.key],
            ["#coverage?state=TX", server.key],
            ["", null],
          ] as const) {
            await using opened = await open(question, key);
            await opened.page.setViewport({width, height: 900});
            await opened.page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
            expect(await seriousFaults(opened.page), `${question} ${scheme}`).toEqual([]);
            expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          }
      },
    );
  },
);
