import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {problemAdvice} from "./problem-advice.ts";

/** Gives the page that says what a kind of problem means and what to do. */
export function problemPage(slug: ProblemSlug): string {
  const {status, title} = problemKinds[slug];
  const {meaning, wayOn} = problemAdvice[slug];
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
<p>HTTP ${status}, <code>${slug}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${wayOn}</p>
<p><a href="/docs">Reference of all endpoints</a></p>
</article>
</body>
</html>
`;
}
