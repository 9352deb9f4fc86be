import {readFile} from "node:fs/promises";
import {promisify} from "node:util";
import {gzip} from "node:zlib";
import type {Express} from "express";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {docsPage, pageStyle, rendererFile, rendererFiles, startScript} from "./docs-page.ts";
import {frontPage, problemPage, problemsPage} from "./problem-page.ts";
import {matchingTag, send, sendNotModified, tagOf} from "./reply.ts";
import type {Outgoing, Step} from "./step.ts";

/** Scripts and styles come from this server alone, none stands within the page, and requests go nowhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const compress = promisify(gzip);
const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const JS = "text/javascript; charset=utf-8";

type Page = {readonly type: string; readonly plain: Buffer; readonly packed: Buffer; readonly tag: string};

/**
 * Adds the page at the root, the reference at `/docs` with its files, and the problems with a page for each kind. They hold no data and need no key. Each
 * is read and compressed once, at the first request for it.
 */
export function addDocs(app: Express, openApiText: string): void {
  const add = (path: string, route: string, type: string, read: () => Promise<Buffer> | string) =>
    app.get(path, pageStep(route, type, read));
  add("/docs", "/docs", HTML, () => docsPage);
  add("/docs/start.js", "/docs", JS, () => startScript);
  add("/docs/page.css", "/docs", CSS, () => pageStyle);
  add("/docs/reference.json", "/docs", "application/json; charset=utf-8", () => openApiText);
  for (const name of rendererFiles) {
    add(`/docs/${name}`, "/docs", name.endsWith(".css") ? CSS : JS, () => readFile(rendererFile(name)));
  }
  add("/", "/", HTML, frontPage);
  add("/problems", "/problems", HTML, problemsPage);
  for (const slug of Object.keys(problemKinds) as ProblemSlug[]) {
    add(`/problems/${slug}`, "/problems", HTML, () => problemPage(slug));
  }
}

function pageStep(route: string, type: string, read: () => Promise<Buffer> | string): Step {
  let made: Promise<Page> | null = null;
  return async (request, response) => {
    response.locals.route = route;
    allowOwnFiles(response);
    made ??= makePage(type, read);
    const page = await made;
    const cacheControl = "public, max-age=300, must-revalidate";
    const held = matchingTag(request, page.tag);
    if (held !== null) return sendNotModified(response, held, {tag: page.tag, cacheControl});
    const packed =
      request.headers["accept-encoding"] !== undefined && request.acceptsEncodings("gzip") === "gzip";
    const headers = ["Content-Type", type, "Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
    headers.push("ETag", `"${page.tag}${packed ? "-gzip" : ""}"`);
    if (packed) headers.push("Content-Encoding", "gzip");
    send(response, {status: 200, headers, body: packed ? page.packed : page.plain});
  };
}

async function makePage(type: string, read: () => Promise<Buffer> | string): Promise<Page> {
  const plain = Buffer.from(await read());
  return {type, plain, packed: await compress(plain), tag: tagOf([plain.toString("base64")])};
}

/** Puts the policy of the pages in place of the one that lets nothing in. */
function allowOwnFiles({locals: {headers}}: Outgoing): void {
  const at = headers.indexOf("Content-Security-Policy");
  if (at >= 0) headers[at + 1] = policy;
}
