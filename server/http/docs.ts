import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {join} from "node:path";
import {promisify} from "node:util";
import {gzip} from "node:zlib";
import type {Express} from "express";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {problemPage, problemsPage} from "./problem-page.ts";
import {matchingTag, send, sendNotModified, tagOf} from "./reply.ts";
import type {Outgoing, Step} from "./step.ts";

/** Escapes a code sample for HTML. */
function code(text: string): string {
  return `<pre><code>${text.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code></pre>`;
}

const curl = `
curl --get "$CATTLE_URL/price-by-state" -H "X-API-Key: $CATTLE_KEY" \\
  --data-urlencode state=OK --data-urlencode class=steers`;

const python = `
import json, os, urllib.parse, urllib.request

query = urllib.parse.urlencode({"state": "OK", "class": "steers"})
request = urllib.request.Request(
    os.environ["CATTLE_URL"] + "/price-by-state?" + query,
    headers={"X-API-Key": os.environ["CATTLE_KEY"]},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for record in answer["records"]:
    print(record["cell_id"], record["price_avg"], record["price_unit"])`;

const javascript = `
const {CATTLE_URL: url, CATTLE_KEY: key} = process.env;
const query = new URLSearchParams({state: "OK", class: "steers"});
const response = await fetch(\`\${url}/price-by-state?\${query}\`, {
  headers: {"X-API-Key": key},
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
for (const {cell_id, price_avg, price_unit} of answer.records)
  console.log(cell_id, price_avg, price_unit);`;

const r = `
library(httr2)
answer <- request(Sys.getenv("CATTLE_URL")) |>
  req_url_path_append("price-by-state") |>
  req_url_query(state = "OK", class = "steers") |>
  req_headers("X-API-Key" = Sys.getenv("CATTLE_KEY")) |>
  req_perform() |>
  resp_body_json(simplifyVector = TRUE)
print(answer$records[c("cell_id", "price_avg", "price_unit")])`;

/** The failures by status, each with a link to its page. */
const failures = Object.entries(
  Object.groupBy(Object.keys(problemKinds) as ProblemSlug[], (slug) => problemKinds[slug].status),
)
  .map(([status, slugs = []]) => {
    const kinds = slugs.map((slug) => `<a href="/problems/${slug}">${problemKinds[slug].title}</a>`);
    return `<tr><td>${status}</td><td>${kinds.join("<br>")}</td></tr>`;
  })
  .join("\n");

/** The guide at the top of the reference page: what all endpoints have in common. The samples read the host from CATTLE_URL. */
const guide = `<article id="guide">
<h1>Cattle-market answers and parcel lookups</h1>
<h2>Quick start</h2>
<p>Every question is a GET with a key in the header <code>X-API-Key</code>; the operator of this deployment issues keys. The samples
read address and key from <code>CATTLE_URL</code> and <code>CATTLE_KEY</code>. Below, enter the key under Authorize and send with Execute.</p>
<h3>Shell</h3>
${code(curl)}
<h3>Python</h3>
${code(python)}
<h3>JavaScript</h3>
${code(javascript)}
<h3>R</h3>
${code(r)}
<h2>Paging</h2>
<p>Lists are paged: <code>limit</code> records after skipping <code>offset</code>. Market answers say in <code>page</code> how
many there are (<code>total</code>) and whether there are more (<code>truncated</code>). <code>evidence=none</code> makes a market
answer smaller.</p>
<h2>Errors</h2>
<p>An error is a problem document (RFC 9457): <code>type</code> names its kind, <code>detail</code> what is wrong with this request,
<code>invalid_params</code> each wrong parameter with the reason. <a href="/problems">The kinds</a> are the same on all endpoints. After
429 and 503, wait for the seconds in <code>Retry-After</code>.</p>
<table>
<thead><tr><th>Status</th><th>Kinds</th></tr></thead>
<tbody>
${failures}
</tbody>
</table>
<h2>Freshness</h2>
<p>Answers change with a build, not with the clock: <code>generated_at</code> is when it was computed, <code>source_date</code> the day
of the newest fact, <code>age_days</code> counts to <code>as_of_date</code>. Send the <code>ETag</code> of an answer in
<code>If-None-Match</code>: 304 means that it is still valid. <code>/coverage</code> shows how old each source is.</p>
</article>`;

/** The reference page: an OpenAPI renderer from an npm package, and its start script. Nothing is loaded from another host. */
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
 * Starts the renderer; a separate file because the page's CSP forbids inline scripts. The guide lists the failures once, so they are
 * removed from every endpoint.
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

/** Rules missing in the renderer's stylesheet: layout on phones, and the look of the problem pages. */
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

/** Files of the renderer that are served, by name. */
const rendererFiles: readonly string[] = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** Scripts and styles only from this server and never inline; no requests to other hosts. */
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
 * Adds the reference at `/docs` with its files, and a page per problem kind. They contain no data and need no key. Each is
 * read and compressed once, at its first request.
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
  add("/problems", "/problems", HTML, problemsPage);
  for (const slug of Object.keys(problemKinds) as ProblemSlug[]) {
    add(`/problems/${slug}`, "/problems", HTML, () => problemPage(slug));
  }
}

type PageOptions = {policy?: string; cacheControl?: string};

/** Serves one fixed file without a key, read and compressed at its first request, under a policy that replaces the default one. */
export function pageStep(
  route: string,
  type: string,
  read: () => Promise<Buffer | string> | string,
  {policy: own = policy, cacheControl = "public, max-age=300, must-revalidate"}: PageOptions = {},
): Step {
  let made: Promise<Page> | null = null;
  return async (request, response) => {
    response.locals.route = route;
    allowOwnFiles(response, own);
    made ??= makePage(type, read);
    const page = await made;
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

async function makePage(type: string, read: () => Promise<Buffer | string> | string): Promise<Page> {
  const plain = Buffer.from(await read());
  return {type, plain, packed: await compress(plain), tag: tagOf([plain.toString("base64")])};
}

/** Replaces the default policy, which forbids everything, with that of the pages. */
function allowOwnFiles({locals: {headers}}: Outgoing, policy: string): void {
  const at = headers.indexOf("Content-Security-Policy");
  if (at >= 0) headers[at + 1] = policy;
}

/** Returns the path of a file in the renderer's package. */
function rendererFile(name: string): string {
  const manifest = createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
  return join(manifest, "..", name);
}
