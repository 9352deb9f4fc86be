import {createRequire} from "node:module";
import {join} from "node:path";
import {guide} from "./guide.ts";

/** The reference page: a renderer of OpenAPI from its package, and what it needs to start. Nothing comes from another host. */
export const docsPage = `<!doctype html>
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
export const startScript = `const reply = await fetch("/docs/reference.json");
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
export const pageStyle = `body { margin: 0; font-family: system-ui, sans-serif; color: #222; background: #fff; }
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
export const rendererFiles: readonly string[] = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** Gives the path of a file of the renderer's package. */
export function rendererFile(name: string): string {
  const manifest = createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
  return join(manifest, "..", name);
}
