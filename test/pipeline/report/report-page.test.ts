import {existsSync} from "node:fs";
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import puppeteer, {type Browser, type Page} from "puppeteer-core";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {build} from "../../../pipeline/publish/build.ts";
import {sampleBuild} from "../../sample-build.ts";
import {makeWorkshop, parcels, type Workshop} from "../publish/workshop.ts";

const browserPath = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
if (browserPath === undefined) {
  process.stderr.write("report-page.test.ts is skipped: no Chromium here; CHROMIUM names one\n");
}

const screens = {
  desktop: {width: 1200, height: 900},
  phone: {width: 390, height: 844, isMobile: true, hasTouch: true},
};

/** Chart texts that overlap each other or cross the edge by more than the space between two lines. */
const badTexts = `[...document.querySelectorAll("svg")].flatMap((svg) => {
  const edge = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent !== "")
    .flatMap((text) => text.querySelectorAll("tspan").length > 1 ? [...text.querySelectorAll("tspan")] : [text])
    .map((text) => ({said: text.textContent, box: text.getBoundingClientRect()}));
  const cut = texts.filter(({box}) => box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1 || box.bottom > edge.bottom + 1);
  const over = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) =>
    Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 &&
    Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 4).map((b) => a.said + " on " + b.said));
  return [...cut.map(({said}) => said + " is cut"), ...over];
})`;

describe.skipIf(browserPath === undefined)("the report in a browser", () => {
  let browser: Browser;
  let shop: Workshop;
  const pages: Record<string, string> = {};

  beforeAll(async () => {
    pages["sample"] = join((await sampleBuild("2026-11-21")).dir, "report.html");
    shop = await makeWorkshop();
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
    await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
    await shop.put("market/mars/a.csv", "mars,2026-08-20,250\nmars,2026-08-21,251\nbroken row\n");
    await build(shop.options());
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
    const {buildId} = await build(shop.options());
    pages["held back"] = join(shop.data.builds, buildId, "report.html");
    browser = await puppeteer.launch({
      executablePath: browserPath!,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
  });
  afterAll(async () => {
    await browser.close();
    await shop.remove();
  });

  async function opened(name: string, screen: keyof typeof screens): Promise<{page: Page; faults: string[]}> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) faults.push(`asked ${request.url()}`);
    });
    await page.setViewport(screens[screen]);
    await page.goto(pathToFileURL(pages[name]!).href);
    return {page, faults};
  }

  const both = Object.keys(screens) as (keyof typeof screens)[];
  const cases = ["sample", "held back"].flatMap((name) => both.map((screen) => ({name, screen})));

  test.each(cases)(
    "$name, $screen: no error, no request, nothing wider than the screen",
    async ({name, screen}) => {
      const {page, faults} = await opened(name, screen);
      const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(over)).toBe(0);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect(await page.evaluate(over)).toBe(0);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test.each(cases)("$name, $screen: the verdict is visible on the first screen", async ({name, screen}) => {
    const {page} = await opened(name, screen);
    const box = (await page.evaluate(
      "(({top, bottom}) => ({top, bottom}))(document.querySelector('.verdict').getBoundingClientRect())",
    )) as {top: number; bottom: number};
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.bottom).toBeLessThanOrEqual(screens[screen].height);
    await page.close();
  });

  test.each(cases)(
    "$name, $screen: no chart label is truncated, overlaps another or is too small",
    async ({name, screen}) => {
      const {page} = await opened(name, screen);
      expect(await page.evaluate(badTexts)).toEqual([]);
      const heights = (await page.evaluate(
        "[...document.querySelectorAll('figure svg text')].map((text) => text.getBoundingClientRect().height)",
      )) as number[];
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(10);
      await page.close();
    },
  );

  test.each(["sample", "held back"])(
    "%s: one h1, then h2, and every plot has a caption and a table",
    async (name) => {
      const {page} = await opened(name, "desktop");
      const headings = (await page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map((each) => each.tagName)",
      )) as string[];
      // The workshop's market has no models.
      const sections = name === "sample" ? 9 : 8;
      expect(headings).toEqual(["H1", ...Array.from({length: sections}, () => "H2")]);
      const plots = (await page.evaluate(
        `[...document.querySelectorAll("main section")].filter((section) => section.querySelector("svg"))
        .map((section) => [section.id, section.querySelectorAll("figcaption").length, section.querySelectorAll("tbody tr").length > 0])`,
      )) as [string, number, boolean][];
      expect(plots.length).toBeGreaterThanOrEqual(3);
      expect(plots.filter(([, captions, hasTable]) => captions !== 1 || !hasTable)).toEqual([]);
      const links = (await page.evaluate(
        "[...document.querySelectorAll('nav a')].filter((each) => !document.querySelector(each.hash)).length",
      )) as number;
      expect(links).toBe(0);
      await page.close();
    },
  );

  test("the graphs of models fit the screen, no text of theirs overlaps, and a box leads to the SQL", async () => {
    const {page} = await opened("sample", "desktop");
    await page.evaluate("for (const each of document.querySelectorAll('.room')) each.open = true");
    expect(await page.evaluate(badTexts)).toEqual([]);
    const widths = (await page.evaluate(
      "[...document.querySelectorAll('svg.graph')].map((svg) => svg.getBoundingClientRect().right)",
    )) as number[];
    expect(widths.length).toBeGreaterThan(4);
    expect(Math.max(...widths)).toBeLessThanOrEqual(screens.desktop.width);
    await page.evaluate("for (const each of document.querySelectorAll('.room')) each.open = false");
    await page.evaluate("location.hash = 'model-sale_cells'");
    await page.waitForFunction("document.querySelector('#model-sale_cells pre').checkVisibility()");
    await page.close();
  });

  test("the verdict names a part that is held back, and is highlighted", async () => {
    const {page} = await opened("held back", "phone");
    expect(await page.$eval(".verdict.bad", (verdict) => verdict.textContent)).toContain("AZ: ");
    expect(await readFile(pages["held back"]!, "utf8")).not.toContain("of 0 counties");
    await page.close();
  });
});
