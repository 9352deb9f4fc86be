import {hash} from "node:crypto";
import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {extname, join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {pageStep} from "../http/docs.ts";
import {Problem} from "../http/problem-document.ts";
import type {Service} from "../http/service.ts";
import type {Step} from "../http/step.ts";

/** Everything from this server, nothing inline; no text becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

/** The files that the page loads, each with where it comes from: its own folder, or the package that has it. */
const assets: Readonly<Record<string, () => string>> = {
  "icon.svg": () => ownFile("icon.svg"),
  "page.css": () => ownFile("page.css"),
  "page.js": () => ownFile("page.js"),
  "ask.js": () => ownFile("ask.js"),
  "dom.js": () => ownFile("dom.js"),
  "charts.js": () => ownFile("charts.js"),
  "prices.js": () => ownFile("prices.js"),
  "land.js": () => ownFile("land.js"),
  "coverage.js": () => ownFile("coverage.js"),
  "uPlot.esm.js": () => packageFile("uplot/dist/uPlot.esm.js"),
  "uPlot.min.css": () => packageFile("uplot/dist/uPlot.min.css"),
  "map.json": () => packageFile("us-atlas/counties-albers-10m.json"),
};

const immutable = "public, max-age=31536000, immutable";

/** The page for people at `/`, and its files below `/assets/`, under a digest of them all. It has no data: its program asks the endpoints. */
export function pageServices(): readonly Service[] {
  let prefix: Promise<string> | undefined;
  const assetsPath = () => {
    prefix ??= digestOfAll().then((digest) => `/assets/${digest}/`);
    return prefix;
  };
  const page = async () => (await readFile(ownFile("index.html"), "utf8")).replaceAll("@assets/", await assetsPath());
  const steps = new Map(
    Object.entries(assets).map(([name, place]) => [name, pageStep("/assets/", types[extname(name)]!, () => readFile(place()), {policy, cacheControl: immutable})]),
  );
  const asset: Step = async (request, response, next) => {
    const path = await assetsPath();
    const step = request.path.startsWith(path) ? steps.get(request.path.slice(path.length)) : undefined;
    if (step === undefined) throw new Problem("not-found", "The page has no such file; reload it.");
    return step(request, response, next);
  };
  const open = {method: "get", scope: "open", counts: "requests"} as const;
  return [
    {...open, path: "/", route: "/", answer: pageStep("/", "text/html; charset=utf-8", page, {policy})},
    {...open, path: /^\/assets\//, route: "/assets/", answer: asset},
  ];
}

/** The digest changes with any of the files, so that a page never meets files of another version. */
async function digestOfAll(): Promise<string> {
  const texts = await Promise.all(Object.values(assets).map((place) => readFile(place())));
  return hash("sha256", Buffer.concat(texts), "hex").slice(0, 16);
}

function ownFile(name: string): string {
  return join(packageRoot, "server", "pages", name);
}

function packageFile(path: string): string {
  return createRequire(import.meta.url).resolve(path);
}
