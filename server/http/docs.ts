import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {join} from "node:path";
import {promisify} from "node:util";
import {gzip} from "node:zlib";
import type {Express} from "express";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {guide} from "./guide.ts";
import {frontPage, problemPage, problemsPage} from "./problem-page.ts";
import {matchingTag, send, sendNotModified, tagOf} from "./reply.ts";
import type {Outgoing, Step} from "./step.ts";

/** The reference page: a renderer of OpenAPI from its package, and what it needs to start. Nothing comes from another host. */
const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cattle-market answers and parcel lookups: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
${guide}
<main id="reference"><p>This page needs JavaScript; <a href="/docs/reference.json">the same as an OpenAPI document</a> does not.</p></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Starts the renderer. It stands in a file of its own because the policy of the page allows no script within it. The guide tells the
 * failures once, so that no endpoint repeats them.
 */
const startScript = `const reply = await fetch("/docs/reference.json");
const spec = await reply.json();
for (const {get} of Object.values(spec.paths)) get.responses = {200: get.responses[200]};
SwaggerUIBundle({
  spec,
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  supportedSubmitMethods: ["get"],
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** Rules that the renderer's own style lacks: room on a phone, and the look of the pages of problems. */
const pageStyle = `body { margin: 0; font-family: system-ui, sans-serif; color: #222; background: #fff; }
article { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5; }
th, td { padding: 0.2rem 1rem 0.2rem 0; text-align: left; vertical-align: top; }
article pre { overflow-x: auto; padding: 0.75rem; background: #f4f4f4; font-size: 0.85rem; }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .info { margin: 16px 0; }
  .swagger-ui .info .title { font-size: 24px; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; overflow-wrap: anywhere; }
  .swagger-ui table.parameters tr, .swagger-ui table.parameters td { display: block; width: auto; padding-left: 0; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; }
  .swagger-ui .dialog-ux .modal-ux { width: 94vw; min-width: 0; }
  .swagger-ui .auth-container input[type="text"] { min-width: 0; width: 100%; box-sizing: border-box; }
  .swagger-ui .responses-inner { padding: 8px; }
  .swagger-ui table.responses-table td { overflow-wrap: anywhere; }
}
`;

/** The renderer's files that are served, by name. */
const rendererFiles: readonly string[] = ["swagger-ui.css", "swagger-ui-bundle.js"];

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

/** Gives the path of a file of the renderer's package. */
function rendererFile(name: string): string {
  const manifest = createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
  return join(manifest, "..", name);
}
