import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {problemAdvice} from "./problem-advice.ts";

/** Gives the page that says what a kind of problem means and what to do. */
export function problemPage(slug: ProblemSlug): string {
  const {status, title} = problemKinds[slug];
  const {meaning, wayOn} = problemAdvice[slug];
  return plainPage(
    title,
    `<p>HTTP ${status}, <code>${slug}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${wayOn}</p>
<p><a href="/problems">All problems</a>, <a href="/docs">reference of all endpoints</a></p>`,
  );
}

/** Gives the page that lists all kinds of problems. */
export function problemsPage(): string {
  const items = Object.entries(problemKinds).map(
    ([slug, {status, title}]) =>
      `<li>${status} <a href="/problems/${slug}">${title}</a>, <code>${slug}</code></li>`,
  );
  return plainPage(
    "Problems",
    `<ul>\n${items.join("\n")}\n</ul>\n<p><a href="/docs">Reference of all endpoints</a></p>`,
  );
}

/** Gives the page at the root: what this is, and where to go on. */
export function frontPage(): string {
  return plainPage(
    "Cattle-market answers and parcel lookups",
    `<p>A read-only service: reported cattle prices, sale barns, dealers and land parcels, each with source, date, confidence and
limitations. Not brokerage, financial, veterinary or regulatory advice; not survey, title, ownership or boundary evidence.</p>
<ul>
<li><a href="/docs">Reference of all endpoints</a>, with a form for each; <a href="/docs/reference.json">the same as an OpenAPI document</a></li>
<li><code>/coverage</code>: states, counties and sources that are there, and how fresh they are (with a key)</li>
<li><a href="/problems">Problems</a>: what each kind of error means and what to do</li>
<li><a href="/readyz">State of this server</a></li>
</ul>
<p>Answers need a key in the header <code>X-API-Key</code>. The operator of this deployment makes keys.</p>`,
  );
}

function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<article>
<h1>${title}</h1>
${content}
</article>
</body>
</html>
`;
}
