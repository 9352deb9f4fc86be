import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import type {Browser, HTTPRequest, Page} from "puppeteer-core";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {pageServices} from "../../../server/pages/page-service.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {sampleBuild} from "../../sample-build.ts";
import {type TestServer, testKey, testServer} from "../server-fixture.ts";
import {executablePath, openBrowser, openPage, textOf} from "./open-page.ts";

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
  browser = await openBrowser();
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
});

/** Opens the page with a question, with the key of the server unless another or none is given. */
const open = (
  question: string,
  key: string | null = server.key,
  intercept?: (request: HTTPRequest) => void,
) => openPage({browser: browser!, base, key}, question, intercept);

/** Answers the requests whose address has the text, and leaves the others to the server. */
const answering = (text: string, body: unknown) => (request: HTTPRequest) =>
  request.url().includes(text)
    ? request.respond({contentType: "application/json", body: JSON.stringify(body)})
    : request.continue();

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
      expect(await textOf(opened.page)).toContain(
        "Read as the town of a barn: Sample Wells, in Maricopa County, AZ.",
      );
      const isOpen = () => opened.page.$eval("#words", (words) => words.matches(":popover-open"));
      expect(await isOpen()).toBe(false);
      await opened.page.click("[popovertarget=words]");
      expect(await isOpen()).toBe(true);
    });

    it.each([
      ["Sample Wells, AZ 85326", "zip=85326", ""],
      ["sample wells az", "state=AZ&county=04013", "Read as the town of a barn: Sample Wells, in Maricopa"],
      ["Maricopa,AZ", "county=Maricopa%2CAZ", "Read as a county. For a town without a barn give its ZIP."],
      ["Maricopa County, Arizona", "county=Maricopa+County%2C+Arizona", ""],
    ])("reads the place %s, and says how where it could be another", async (place, asked, read) => {
      const questions: string[] = [];
      await using opened = await open(
        `#prices?${new URLSearchParams({place, class: "steers"})}`,
        server.key,
        (request) => {
          questions.push(request.url());
          return request.continue();
        },
      );
      expect(questions.find((url) => url.includes("/price-by-county"))).toContain(`?${asked}&class=steers`);
      const text = await textOf(opened.page);
      expect(text).toContain("Maricopa County, AZ");
      expect(text.match(/Read as .+/)?.[0] ?? "").toMatch(read === "" ? /^$/ : read);
    });

    it("shows each price with its own unit and cattle, whatever those of the first row are", async () => {
      const bulls = {county_name: "Ford County", state: "KS", class: "bulls", commodity: "feeder_cattle"};
      const records = [
        {...bulls, weight_bin: "500-549", price_unit: "per_cwt", price_avg: 445, head_count: 7},
        {...bulls, weight_bin: "250-299", price_unit: "per_head", price_avg: 1500, head_count: 3},
      ];
      const answer = answering("/price-by-county", {records, context: [], as_of_date: "2026-11-21"});
      await using opened = await open("#prices?place=85326&class=feeder_bulls", server.key, answer);
      const cells = (await opened.page.$$eval("#answer td", (all) =>
        all.map((cell) => cell.textContent),
      )) as string[];
      expect(cells.slice(1, 4)).toEqual(["feeder bulls, 500-549 lb", "445.00 USD per cwt", "7 head"]);
      expect(cells).toContain("1,500.00 USD a head");
      expect(await textOf(opened.page)).toContain("feeder bulls, 500-549 lb, Ford County, KS:");
    });

    it("cites a parcel without a number by its id, in the county or municipality as printed", async () => {
      const property = {
        parcelUid: "mb-x1",
        county: "ALONSA (RM)",
        state: "MB",
        provenance: {default: {vintage: "2026"}},
      };
      const answer = answering("address-lookup", {property, metadata: {}});
      await using opened = await open("#land?by=address&text=x&state=MB", server.key, answer);
      expect(await textOf(opened.page)).toContain("mb-x1 (no parcel number, record mb-x1, ALONSA (RM), MB).");
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
      const answer = answering("address-lookup", {property, metadata: {limitations: [hostile]}});
      await using opened = await open("#land?by=address&text=x&state=TX", server.key, answer);
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
