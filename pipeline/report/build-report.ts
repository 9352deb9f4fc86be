import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {BuildReport, type FileReport} from "../../schemas/build-report.ts";

/** Gives the report of a build folder. Throws where it is absent or breaks its schema. */
export async function readBuildReport(buildDir: string): Promise<BuildReport> {
  return BuildReport.parse(JSON.parse(await readFile(join(buildDir, "report.json"), "utf8")));
}

/** Gives all file reports of a build, sorted by path. */
export function allReports({parts, left_out}: BuildReport): FileReport[] {
  return [...Object.values(parts).flat(), ...left_out].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Codes of rejected rows for which a file should have given more than it did: a part of an issue, or a county that its bounds keep out. */
const partsLeftOut = ["partial_issue", "county_refused"];

/** Says whether a file should have given rows and did not: no reader knows it, its reader failed, or a part of it was left out. */
export function isUnread({status, rejected}: FileReport): boolean {
  return status === "no_reader" || status === "failed" || partsLeftOut.some((code) => code in rejected);
}

/** Gives the sum of a count over files, as people read it. */
export function sumText(reports: readonly FileReport[], count: (report: FileReport) => number): string {
  return reports.reduce((total, report) => total + count(report), 0).toLocaleString("en-US");
}

/** Gives the number of rows of a file that were rejected, for whatever reason. */
export function rejectedRows({rejected}: FileReport): number {
  return Object.values(rejected).reduce((sum, count) => sum + count, 0);
}

/** Gives counted codes as a list, the most frequent first. */
export function codeText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([code, count]) => `${code} ${count}`)
    .join(", ");
}

/** Gives the sentence that tells a person how a gate of a part lets something through. */
export function acceptAdvice(part: string, gate: string): string {
  return `If it is right all the same: cattle build --accept ${part}:${gate} --reason "…", with the other options as before.`;
}
