import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";

/** Meaning and advice per problem kind; rendered at `/problems/<slug>`. */
export const problemAdvice: Readonly<
  Record<ProblemSlug, {readonly meaning: string; readonly nextSteps: string}>
> = {
  "invalid-parameter": {
    meaning: "A parameter is missing, malformed, given twice, or contradicts another one.",
    nextSteps:
      "Read invalid_params: it names each wrong parameter, the reason and, where they are few, the values that are accepted. Then ask again.",
  },
  "invalid-request": {
    meaning: "The request itself is malformed: it has a body, or its target is not a path.",
    nextSteps: "Send GET or HEAD without a body, to a path that begins with a slash.",
  },
  "state-required": {
    meaning: "The address does not name its state, and several states have a place of that name.",
    nextSteps: "Add state, or a ZIP code or city that lies in only one state.",
  },
  "ambiguous-parcel": {
    meaning: "Several parcels match the question equally well.",
    nextSteps:
      "Choose one of the candidates by its parcelUid with parcel-id-lookup, or add county, city, ZIP code or unit.",
  },
  "access-denied": {
    meaning:
      "The key is missing, malformed, unknown, expired or revoked, or lacks the scope for this endpoint. The answer does not say which.",
    nextSteps:
      "Send the key in the header X-API-Key (parcel lookups also take Authorization). The operator issues, lists and renews keys.",
  },
  "not-found": {
    meaning: "The server has no such path.",
    nextSteps: "Paths are case-sensitive; the reference page and /openapi.json list them.",
  },
  "parcel-not-found": {
    meaning: "Neither the dataset nor the county's own service has such a parcel.",
    nextSteps:
      "Check the spelling, or search by location or owner; coverage shows how complete the county is here.",
  },
  "parcel-not-covered": {
    meaning:
      "The dataset has no such parcel, and no county service can be asked for it, or nothing says of which county. It may still exist.",
    nextSteps:
      "Add county where the detail says so; see coverage; ask the county's assessor, or ask again after a later build.",
  },
  "method-not-allowed": {
    meaning: "This path is read-only.",
    nextSteps: "Use GET or HEAD.",
  },
  "uri-too-long": {
    meaning: "The address of the request is longer than 4 KiB.",
    nextSteps: "Shorten the parameters.",
  },
  "range-not-satisfiable": {
    meaning: "The file has no such range of bytes, or several ranges were asked for at once.",
    nextSteps: "Content-Range says how long the file is. Ask for one range inside it, such as bytes=0-1023.",
  },
  "rate-limited": {
    meaning: "The key has used up its requests for now, or too many of its requests are in flight.",
    nextSteps: "Wait for the seconds in Retry-After. RateLimit shows how many requests are left.",
  },
  internal: {
    meaning: "The server failed to answer this request. It is not the caller's fault.",
    nextSteps: "Ask again later; if it persists, send the operator the request id in instance.",
  },
  overloaded: {
    meaning: "The server has more requests than it can answer in time.",
    nextSteps: "Wait for the seconds in Retry-After, then ask again.",
  },
  "cadastre-unavailable": {
    meaning:
      "The dataset has no such parcel, and the county's own service did not answer. This does not mean that the parcel does not exist.",
    nextSteps: "Wait for the seconds in Retry-After, then ask again.",
  },
  "build-unavailable": {
    meaning: "No data build is being served, or the one that is has no such data.",
    nextSteps: "Wait for the seconds in Retry-After; /readyz shows the state of the server.",
  },
  "deadline-exceeded": {
    meaning: "The answer was not ready within the time for one request.",
    nextSteps: "Narrow the question (a smaller limit or radius, a state or county), or ask again later.",
  },
};

/** Renders the page of a problem kind: what it means and what to do. */
export function problemPage(slug: ProblemSlug): string {
  const {status, title} = problemKinds[slug];
  const {meaning, nextSteps} = problemAdvice[slug];
  return plainPage(
    title,
    `<p>HTTP ${status}, <code>${slug}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${nextSteps}</p>
<p><a href="/problems">All problems</a>, <a href="/docs">reference of all endpoints</a></p>`,
  );
}

/** Renders the list of all problem kinds. */
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
