import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";

/** Words of the samples that HTML would read as its own. */
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

/** The guide that opens the reference page: what every endpoint has in common, once. The samples name no host: it is in CATTLE_URL. */
export const guide = `<article id="guide">
<h1>Cattle-market answers and parcel lookups</h1>
<h2>Quick start</h2>
<p>Every question is a GET with a key in the header <code>X-API-Key</code>; the operator of this deployment makes keys. The samples
read address and key from <code>CATTLE_URL</code> and <code>CATTLE_KEY</code>. Below, Authorize takes the key and Execute asks.</p>
<h3>Shell</h3>
${code(curl)}
<h3>Python</h3>
${code(python)}
<h3>JavaScript</h3>
${code(javascript)}
<h3>R</h3>
${code(r)}
<h2>Paging</h2>
<p>A list comes in pages: <code>limit</code> records after the first <code>offset</code>. Market answers say in <code>page</code> how
many there are (<code>total</code>) and whether there are more (<code>truncated</code>). <code>evidence=none</code> makes a market
answer smaller.</p>
<h2>Errors</h2>
<p>An error is a problem document (RFC 9457): <code>type</code> names its kind, <code>detail</code> what is wrong with this request,
<code>invalid_params</code> each wrong parameter with the reason. <a href="/problems">The kinds</a> are the same on all endpoints. After
429 and 503 wait as many seconds as <code>Retry-After</code> says.</p>
<table>
<thead><tr><th>Status</th><th>Kinds</th></tr></thead>
<tbody>
${failures}
</tbody>
</table>
<h2>Freshness</h2>
<p>Answers change with a build, not with the clock: <code>generated_at</code> is when it was computed, <code>source_date</code> the day
of the newest fact, <code>age_days</code> counts to <code>as_of_date</code>. Send the <code>ETag</code> of an answer in
<code>If-None-Match</code>: 304 says that it still holds. <code>/coverage</code> tells how old each source is.</p>
</article>`;
