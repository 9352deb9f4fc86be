import {MARKET} from "../../lib/storage/build-layout.ts";
import type {BuildReport} from "../../schemas/build-report.ts";
import type {MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {PartOutcome} from "../publish/part-outcome.ts";
import type {BuildPlan} from "../publish/plan.ts";
import {allReports, isUnread, rejectedRows} from "./build-report.ts";

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.5rem 0 2rem}th,td{border-bottom:1px solid #ddd;padding:.2rem .8rem;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.fail,.held{color:#a00}.warn{color:#a60}`;

/** Gives `report.html`, the outcome of a build on one page without scripts. Neither the clock nor the build id is in it. */
export function reportHtml(plan: BuildPlan, outcomes: readonly PartOutcome[], report: BuildReport): string {
  const title = `Build report, as of ${plan.asOf}${plan.sample ? " (generated sample data)" : ""}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${htmlText(title)}</title><style>${style}</style></head><body>
<h1>${htmlText(title)}</h1>
${partsTable(outcomes)}
${coverageTable(outcomes)}
${freshnessTable(plan, outcomes)}
${rejectsTable(report)}
${filesTable(report)}
${gatesTable(outcomes)}
</body></html>
`;
}

function htmlText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

type Cell = string | number | {text: string; className: string};

function table(heading: string, columns: string[], rows: Cell[][], empty = "None."): string {
  if (rows.length === 0) return `<h2>${htmlText(heading)}</h2><p>${htmlText(empty)}</p>`;
  const numeric = columns.map((_, i) => rows.every((row) => typeof row[i] === "number"));
  const head = columns
    .map((name, i) => `<th${numeric[i] ? ' class="n"' : ""}>${htmlText(name)}</th>`)
    .join("");
  const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n");
  return `<h2>${htmlText(heading)}</h2><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function cell(value: Cell): string {
  if (typeof value === "number") return `<td class="n">${value.toLocaleString("en-US")}</td>`;
  if (typeof value === "string") return `<td>${htmlText(value)}</td>`;
  return `<td class="${value.className}">${htmlText(value.text)}</td>`;
}

function partsTable(outcomes: readonly PartOutcome[]): string {
  const rows = outcomes.map(({planned, part, heldBack}): Cell[] => [
    planned.name,
    heldBack === null ? "ready" : {text: `held back: ${heldBack.split("\n")[0]}`, className: "held"},
    rowsOf(planned.base, planned.name),
    rowsOf(part, planned.name),
  ]);
  return table("Parts", ["part", "state", "rows before", "rows now"], rows);
}

function coverageTable(outcomes: readonly PartOutcome[]): string {
  const rows = outcomes.flatMap(({planned, part}): Cell[][] => {
    if (planned.name === MARKET || part === null) return [];
    return (part as StatePart).counties.map((county) => [
      planned.name,
      `${county.county_key} ${county.county_name}`,
      county.complete ? "live" : "partial",
      county.rows,
      county.vintage ?? "not stated",
      county.sources.join(", "),
    ]);
  });
  return table("Coverage", ["state", "county", "coverage", "rows", "vintage", "sources"], rows);
}

function freshnessTable({asOf}: BuildPlan, outcomes: readonly PartOutcome[]): string {
  const market = outcomes.find(({planned}) => planned.name === MARKET)?.part as MarketPart | null | undefined;
  const rows = (market?.sources ?? []).map(({id, source_date}): Cell[] => [
    id,
    source_date ?? "not stated",
    source_date === null ? "-" : (Date.parse(asOf) - Date.parse(source_date)) / 86_400_000,
  ]);
  return table("Freshness of market sources", ["source", "newest date", "days old"], rows);
}

function rejectsTable(report: BuildReport): string {
  const totals = new Map<string, number>();
  for (const {rejected} of allReports(report)) {
    for (const [code, count] of Object.entries(rejected)) totals.set(code, (totals.get(code) ?? 0) + count);
  }
  const rows = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return table("Rejected rows by reason", ["reason", "rows"], rows);
}

function filesTable(report: BuildReport): string {
  const rows = allReports(report).map((file): Cell[] => [
    file.path,
    isUnread(file) ? {text: file.status, className: "fail"} : file.status,
    file.rowsIn,
    file.accepted,
    rejectedRows(file),
    file.merged,
    [codes(file.rejected), codes(file.notes), file.reason ?? ""].filter((text) => text !== "").join("; "),
  ]);
  const columns = ["file", "status", "rows in", "accepted", "rejected", "merged", "reasons and notes"];
  return table("Files", columns, rows);
}

function gatesTable(outcomes: readonly PartOutcome[]): string {
  const rows = outcomes.flatMap(({gates}) =>
    gates.map((gate): Cell[] => [
      gate.part,
      gate.gate,
      gate.status === "fail" || gate.status === "warn"
        ? {text: gate.status, className: gate.status}
        : gate.status,
      gate.figure === null ? "-" : String(gate.figure),
      gate.fail_at === null ? "-" : String(gate.fail_at),
      gate.detail ?? "",
    ]),
  );
  return table("Gates", ["part", "gate", "result", "figure", "fails above", "detail"], rows);
}

function codes(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([code, count]) => `${code} ${count}`)
    .join(", ");
}

function rowsOf(part: MarketPart | StatePart | null, name: string): number {
  if (part === null) return 0;
  if (name !== MARKET) return (part as StatePart).rows;
  return Object.values((part as MarketPart).rows).reduce((sum, count) => sum + count, 0);
}
