import {existsSync} from "node:fs";
import puppeteer, {type Browser, type HTTPRequest, type Page} from "puppeteer-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const executablePath = [process.env["CHROMIUM"] ?? "", ...places].find(
  (path) => path !== "" && existsSync(path),
);

export async function openBrowser(): Promise<Browser | undefined> {
  if (executablePath === undefined) return undefined;
  const args = ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking"];
  return puppeteer.launch({executablePath, args});
}

/** Opens the page with a question, in a context of its own, with the key unless it is null. */
export async function openPage(
  {browser, base, key}: {browser: Browser; base: string; key: string | null},
  question: string,
  intercept?: (request: HTTPRequest) => void,
) {
  const context = await browser.createBrowserContext();
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

export const textOf = (page: Page) => page.evaluate("document.body.innerText") as Promise<string>;
