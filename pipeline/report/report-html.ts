import type {BuildReport, FileReport} from "../../schemas/build-report.ts";
import type {GateResult} from "../../schemas/manifest.ts";
import {meetingText} from "../parcels/number-meetings.ts";
import type {BuildPlan} from "../parts/build-plan.ts";
import {warningWords} from "../parts/freshness-gate.ts";
import {gateText, heldBackByBuild} from "../parts/gate.ts";
import type {PartOutcome} from "../parts/part-outcome.ts";
import {
  accountText,
  allReports,
  codeText,
  isUnread,
  rejectedRows,
  sumText,
} from "../results/report-counts.ts";
import {chartStyle} from "./drawing.ts";
import {priceFigures} from "./figures.ts";
import {type Cell, htmlPage, htmlSection, htmlTable, htmlText, type Section} from "./html.ts";
import {modelsSection, modelsStyle} from "./models-section.ts";
import {barChart} from "./plots.ts";
import {
  countyPriceSection,
  coverageSection,
  freshnessSection,
  rowsSection,
  weeklyPriceSection,
} from "./sections.ts";

/** Number of rejections or gates in a chart; its table has all. */
const maxBars = 12;
const longestReason = 160;

/**
 * Renders `report.html`: the verdict of a build, then coverage, prices, rows, freshness, rejections, gates, files and models, each as a
 * chart with its table, on one page without scripts. `buildDir` holds the finished tables. The page contains neither time nor build id.
 */
export async function reportHtml(
  buildDir: string,
  plan: BuildPlan,
  outcomes: readonly PartOutcome[],
  report: BuildReport,
): Promise<string> {
  const prices = await priceFigures(buildDir);
  const sections = [
    coverageSection(outcomes),
    countyPriceSection(prices),
    weeklyPriceSection(prices),
    rowsSection(outcomes),
    freshnessSection(plan, outcomes),
    rejectsSection(report),
    gatesSection([...plan.gates, ...outcomes.flatMap(({gates}) => gates)]),
    filesSection(report),
    modelsSection(report.models ?? []),
  ].filter((section) => section !== null);
  const title = `Build report, as of ${plan.asOf}${plan.sample ? " (generated sample data)" : ""}`;
  const contents = sections
    .map(({id, heading}) => `<li><a href="#${id}">${htmlText(heading)}</a></li>`)
    .join("");
  const body = `${verdict(plan, outcomes, report)}
<nav aria-label="Contents"><ul>${contents}</ul></nav>
<main>
${sections.map(htmlSection).join("\n")}
</main>`;
  return htmlPage(title, body, `${chartStyle}\n${modelsStyle}`);
}

/** States in a few sentences whether the build is complete, and names each part and file that is not. */
function verdict(
  {gates: gatesOfBuild}: BuildPlan,
  outcomes: readonly PartOutcome[],
  report: BuildReport,
): string {
  const leftAlone = heldBackByBuild(gatesOfBuild);
  const heldBackParts = outcomes.filter(({heldBack}) => heldBack !== null);
  const files = allReports(report);
  const unread = files.filter(isUnread);
  const total = (count: (file: FileReport) => number) => sumText(files, count);
  const warnings = outcomes.flatMap(({gates}) => gates).filter(({status}) => status === "warn");
  const isSound =
    unread.length + warnings.length + leftAlone.length === 0 &&
    files.every((file) => rejectedRows(file) === 0);
  const rowsIn = total((file) => file.rowsIn);
  const published = isSound
    ? `Published: all ${outcomes.length} parts are in order.`
    : `Published with warnings${warningWords(files, warnings)
        .map((words, at) => `${at === 0 ? ":" : ";"} ${words}`)
        .join("")}.`;
  const first =
    heldBackParts.length === 0
      ? published
      : `${heldBackParts.length} of ${outcomes.length} parts are held back; the last good ones are kept.`;
  const rows = `${rowsIn} rows read: ${total(({accepted}) => accepted)} accepted, ${total(rejectedRows)} rejected, ${total(({merged}) => merged)} merged into others.`;
  const filesRead =
    unread.length === 0
      ? `All ${files.length} files were read.`
      : `${unread.length} of ${files.length} files were not read whole.`;
  const faults = [
    ...leftAlone.map(({part, because}) => `${part}: ${because}`),
    ...heldBackParts.map(({planned, heldBack}) => `${planned.name}: ${heldBack!.split("\n")[0]}`),
    ...unread.slice(0, maxBars).map(({path, reason}) => unreadText(path, reason ?? "an issue is not whole")),
    ...warnings.slice(0, maxBars).map((gate) => `Warning: ${gateText(gate)}`),
  ];
  const list =
    faults.length === 0 ? "" : `<ul>${faults.map((text) => `<li>${htmlText(text)}</li>`).join("")}</ul>`;
  const kind = heldBackParts.length + leftAlone.length > 0 ? " bad" : isSound ? "" : " warn";
  return `<div class="verdict${kind}"><p><strong>${first}</strong> ${filesRead} ${rows}</p>${list}</div>`;
}

/** Shortens the reason and drops the repeated path; the table of files has it in full. */
function unreadText(path: string, reason: string): string {
  const text = reason.replaceAll(`${path}: `, "").replaceAll(/\s+/g, " ");
  return `${path}: ${text.length <= longestReason ? text : `${text.slice(0, longestReason)} …`}`;
}

function rejectsSection(report: BuildReport): Section {
  const totals = new Map<string, number>();
  for (const {rejected} of allReports(report)) {
    for (const [code, count] of Object.entries(rejected)) totals.set(code, (totals.get(code) ?? 0) + count);
  }
  const rows = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const bars = rows.slice(0, maxBars).map(([label, value]) => ({label, value}));
  return {
    id: "rejections",
    heading: "Rejected rows by reason",
    caption:
      rows.length === 0
        ? "No row was kept back."
        : "Rows that were kept back, by the code of the reason; the quarantine and the rejects of each state hold them all.",
    plot: barChart(bars, {unit: "rows"}),
    table: rows.length === 0 ? null : htmlTable("Rejected rows", ["reason", "rows"], rows),
    folded: true,
  };
}

function gatesSection(gates: readonly GateResult[]): Section {
  const bars = gates
    .flatMap(({part, gate, figure, fail_at}) =>
      figure === null || fail_at === null || fail_at <= 0 || figure <= 0
        ? []
        : [{label: `${part} ${gate}`, value: figure / fail_at}],
    )
    .sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1))
    .slice(0, maxBars);
  const warned = gates.filter(({status}) => status === "warn").map(({part, gate}) => `${part} ${gate}`);
  const rows = gates.map((gate): Cell[] => [
    gate.part,
    gate.gate,
    gate.status === "fail" || gate.status === "warn"
      ? {text: gate.status, className: gate.status}
      : gate.status,
    gate.figure === null ? "-" : String(gate.figure),
    gate.fail_at === null ? "-" : String(gate.fail_at),
    gate.detail ?? "",
  ]);
  return {
    id: "gates",
    heading: "Gates",
    caption:
      bars.length === 0
        ? `No gate that can fail has a figure above zero.${warned.length === 0 ? "" : ` Warnings: ${warned.join(", ")}.`}`
        : "The gates whose figures came nearest to their limits: figure divided by the limit, and a line at 1, above which a gate fails.",
    plot: barChart(bars, {unit: "share of the limit", limit: 1}),
    table: htmlTable(
      "Results of all gates",
      ["part", "gate", "result", "figure", "fails above", "detail"],
      rows,
    ),
    folded: true,
  };
}

function filesSection(report: BuildReport): Section {
  const rows = allReports(report).map((file): Cell[] => [
    file.path,
    isUnread(file) ? {text: file.status, className: "fail"} : file.status,
    file.rowsIn,
    file.accepted,
    rejectedRows(file),
    file.merged,
    [
      codeText(file.rejected),
      codeText(file.notes),
      file.reason ?? "",
      accountText(file),
      ...(file.meetings ?? []).map(meetingText),
    ]
      .filter((text) => text !== "")
      .join("; "),
  ]);
  const columns = ["file", "status", "rows in", "accepted", "rejected", "merged", "reasons and notes"];
  return {
    id: "files",
    heading: "Files",
    caption:
      "Every raw file. Rows in = accepted + rejected + merged; of a file of parcels all bytes, quotation marks and geometry are counted too.",
    plot: null,
    table: htmlTable("Raw files", columns, rows),
    folded: true,
  };
}
