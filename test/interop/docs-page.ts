// Opens the reference page in a headless browser as a person does: enters a key, sends a request, reads the answer, at desktop and
// phone width. Arguments: address of a server, key, folder for screenshots. CHROMIUM names the browser; without one it is "not run".
import {existsSync, mkdirSync} from "node:fs";
import {join} from "node:path";
import puppeteer, {type Page} from "puppeteer-core";

const [address, key, shots] = process.argv.slice(2);
if (address === undefined || key === undefined || shots === undefined) {
  throw new Error("usage: docs-page.ts ADDRESS KEY SCREENSHOTS");
}
const browsers = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const browserPath = browsers.find((path) => path !== undefined && existsSync(path));
const widths = {
  desktop: {width: 1280, height: 900},
  phone: {width: 390, height: 844, isMobile: true, hasTouch: true},
};

if (browserPath === undefined) say("reference page", "not run", "no Chromium here; CHROMIUM names one");
else await runAll(browserPath);

async function runAll(executablePath: string): Promise<void> {
  mkdirSync(shots!, {recursive: true});
  const browser = await puppeteer.launch({executablePath, args: ["--no-sandbox", "--disable-gpu"]});
  try {
    for (const [name, viewport] of Object.entries(widths)) {
      const page = await browser.newPage();
      await page.setViewport(viewport);
      const faults = await visit(page, name);
      say(`reference page, ${name}`, faults.length === 0 ? "ok" : "FAILED", faults.join("; "));
      if (faults.length > 0) process.exitCode = 1;
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

/** Goes through the page; returns what a person would stumble over. */
async function visit(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text().slice(0, 200));
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address!) && !request.url().startsWith("data:"))
      faults.push(`asked ${request.url()}`);
  });
  const shoot = (step: string) => page.screenshot({path: join(shots!, `${name}-${step}.png`)});
  await page.goto(`${address}/docs`, {waitUntil: "networkidle0", timeout: 120_000});
  await page.waitForSelector(".opblock-summary", {timeout: 60_000});
  await shoot("1-opened");

  // The key: Authorize, the field of X-API-Key, Authorize, Close.
  await page.click(".btn.authorize");
  await page.waitForSelector(".auth-container input");
  await page.type(".auth-container input", key!);
  await page.click(".auth-btn-wrapper .btn.authorize");
  await shoot("2-key");
  await page.click(".auth-btn-wrapper .btn-done");

  // The request: county prices of a ZIP, two records.
  await page.click("#operations-market-priceByCounty .opblock-summary-control");
  await page.waitForSelector("#operations-market-priceByCounty .execute");
  // The fields contain the example request; one value is replaced.
  const limit = '#operations-market-priceByCounty tr[data-param-name="limit"] input';
  await page.waitForSelector(limit);
  await page.click(limit, {count: 3});
  await page.type(limit, "2");
  await page.click("#operations-market-priceByCounty .execute");
  await page.waitForSelector("#operations-market-priceByCounty .live-responses-table .response-col_status", {
    timeout: 60_000,
  });
  // The guide describes failures, so endpoints document only their answer.
  const documented = await page.$$(
    "#operations-market-priceByCounty .responses-table:not(.live-responses-table) tr.response",
  );
  if (documented.length !== 1) faults.push(`${documented.length} answers of one endpoint`);
  const live = await page.$eval("#operations-market-priceByCounty .live-responses-table", (table) => {
    table.scrollIntoView();
    return table.textContent ?? "";
  });
  await shoot("3-answered");
  if (!live.includes("200") || !live.includes("Maricopa County"))
    faults.push(`no answer: ${live.slice(0, 200)}`);
  const over = Number(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"));
  if (over > 0) faults.push(`${over} px wider than the screen`);
  return faults;
}

function say(check: string, result: string, detail: string): void {
  process.stdout.write(`${check.padEnd(40)} ${result}${detail === "" ? "" : `  ${detail}`}\n`);
}
