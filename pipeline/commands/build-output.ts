import {existsSync} from "node:fs";
import {join} from "node:path";
import {countWithNoun, countWords} from "../../lib/counts.ts";
import {buildFolder, type DataFolder} from "../../lib/storage/data-folder.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import {meetingText} from "../parcels/number-meetings.ts";
import type {BuildPlan} from "../parts/build-plan.ts";
import type {DeltaCounts} from "../parts/delta-inputs.ts";
import {gateText} from "../parts/gate.ts";
import {type BuildResult, exitCode} from "../publish/build.ts";
import {modelsPagePath} from "../results/model-files.ts";
import {
  accountText,
  allReports,
  codeText,
  isUnread,
  rejectedRows,
  sumText,
} from "../results/report-counts.ts";
import {print, printJson, textTable} from "./command-line.ts";

/**
 * Prints the result of a build: gates that did not pass, parts and files that were held back, totals, and finally the outcome. With
 * `files`, one line per file comes first. Returns the exit code.
 */
export function printBuildResult(
  result: BuildResult,
  data: DataFolder,
  {json = false, files = false}: {json?: boolean; files?: boolean},
): number {
  const code = exitCode(result);
  if (json) {
    const {buildId, outcome, heldBack, gates, report, delta} = result;
    printJson({
      build_id: buildId,
      outcome,
      held_back: heldBack,
      gates,
      delta,
      files: allReports(report),
      exit_code: code,
    });
    return code;
  }
  const reports = allReports(result.report);
  if (files) {
    print(fileTable(reports));
    for (const {meetings = []} of reports) for (const each of meetings) print(meetingText(each));
  }
  printKeptBack(result);
  if (!files) {
    for (const file of reports.filter(isUnread)) print(`not read: ${shortReason(file)}`);
    const isNoted = (file: FileReport) => file.accepted > 0 && file.reason !== null && !isUnread(file);
    for (const file of reports.filter(isNoted)) print(`note: ${shortReason(file)}`);
  }
  for (const counts of result.delta) print(deltaText(counts));
  print(sums(reports));
  const report = join(buildFolder(data, result.buildId), "report.html");
  if (existsSync(report)) print(`report: ${report}`);
  const models = modelsPagePath(data, result.buildId);
  if (existsSync(models)) print(`models: ${models}`);
  print(`${outcomeWords[result.outcome]} ${result.buildId}`);
  return code;
}

/** Prints the gates that did not pass, and the parts that were held back. */
export function printKeptBack({gates, heldBack}: BuildResult): void {
  for (const gate of gates) {
    if (["warn", "fail", "accepted"].includes(gate.status)) print(`${gate.status}: ${gateText(gate)}`);
  }
  for (const {part, because} of heldBack) print(`held back: ${part}: ${because}`);
}

/** The path of a file and the reason of its report on one line; most reasons begin with the path themselves. */
export function shortReason({path, reason}: FileReport): string {
  const text = shortened(reason ?? "");
  return text.startsWith(path) ? text : `${path}: ${text}`;
}

/** Prints the plan of a build; returns the exit code. */
export function printPlan(plan: BuildPlan, json: boolean): number {
  const parts = plan.parts.map(({name, action, because, files}) => ({
    part: name,
    action,
    because,
    files: files.length,
    bytes: files.reduce((sum, {sizeBytes}) => sum + sizeBytes, 0),
  }));
  const head = {
    build_id: plan.buildId,
    adopts: plan.adopts,
    sample: plan.sample,
    base: plan.base?.manifest.build_id ?? null,
  };
  if (json) {
    printJson({...head, earlier: plan.earlier?.manifest.build_id ?? null, parts, left_out: plan.leftOut});
    return 0;
  }
  print(
    textTable(
      ["part", "action", "files", "because"],
      parts.map((part) => [part.part, part.action, part.files, part.because]),
    ),
  );
  for (const {path, status, reason} of plan.leftOut) print(`${status}: ${path}: ${reason}`);
  print(plan.adopts ? `would publish ${plan.buildId}, which already exists` : `would build ${plan.buildId}`);
  return 0;
}

/** Summarises a delta folder in one line: its record counts by outcome. */
function deltaText({
  folder,
  segments,
  rowsIn,
  accepted,
  rejected,
  merged,
  fromTheFuture,
}: DeltaCounts): string {
  const counts = [rowsIn, accepted, rejected - fromTheFuture, merged];
  const [rows, newest, damaged, older] = counts.map((count) => countWords(count));
  const future = fromTheFuture === 0 ? "" : `, ${fromTheFuture} rejected from_the_future`;
  return `${folder}, ${countWithNoun(segments, "segment")}: ${rows} discoveries in, ${newest} accepted, ${damaged} damaged, ${older} merged${future}`;
}

/** Summarises all files in one line: their number, and row counts by outcome. */
function sums(reports: readonly FileReport[]): string {
  const sum = (count: (report: FileReport) => number) => sumText(reports, count);
  const rows = [
    `${sum(({rowsIn}) => rowsIn)} rows in`,
    `${sum(({accepted}) => accepted)} accepted`,
    `${sum(rejectedRows)} rejected`,
    `${sum(({merged}) => merged)} merged`,
  ];
  return `${countWithNoun(reports.length, "file")}: ${rows.join(", ")}`;
}

const longestReason = 300;

const outcomeWords = {
  published: "published",
  adopted: "published (built before from the same inputs)",
  part: "written, not published:",
  nothing: "nothing published; would have been",
} as const;

function fileTable(reports: FileReport[]): string {
  const rows = reports.map((file): (string | number)[] => [
    file.path,
    file.status,
    file.rowsIn,
    file.accepted,
    rejectedRows(file),
    file.merged,
    shortened(
      [codeText(file.rejected), file.reason ?? "", accountText(file)]
        .filter((text) => text !== "")
        .join("; "),
    ),
  ]);
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
  rows.push([
    `${reports.length} files`,
    "",
    sum(2),
    sum(3),
    sum(4),
    sum(5),
    "rows in = accepted + rejected + merged",
  ]);
  return textTable(["file", "status", "rows in", "accepted", "rejected", "merged", "reasons"], rows);
}

/** Shortens a reason to one line; the build report has it in full. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= longestReason ? line : `${line.slice(0, longestReason)} …`;
}
