import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {countWords} from "../../lib/counts.ts";
import {type Account, BuildReport, type FileReport} from "../../schemas/build-report.ts";

/** Reads the report of a build folder. Throws if it is absent or violates its schema. */
export async function readBuildReport(buildDir: string): Promise<BuildReport> {
  return BuildReport.parse(JSON.parse(await readFile(join(buildDir, "report.json"), "utf8")));
}

/** Returns all file reports of a build, sorted by path. */
export function allReports({parts, left_out}: BuildReport): FileReport[] {
  return [...Object.values(parts).flat(), ...left_out].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reject codes that mean part of a file was left out: a part of an issue, or a county refused by the limits. */
const partsLeftOut = ["partial_issue", "county_refused"];

/** True if a file should have given more than it did: no reader, a failed reader, a part left out, or geometry that was not read. */
export function isUnread({status, rejected, notes = {}}: FileReport): boolean {
  return (
    status === "no_reader" ||
    status === "failed" ||
    partsLeftOut.some((code) => code in rejected) ||
    "geometry_unread" in notes
  );
}

/** Adds up a count over files and formats it for people. */
export function sumText(reports: readonly FileReport[], count: (report: FileReport) => number): string {
  return countWords(reports.reduce((total, report) => total + count(report), 0));
}

/** Number of a file's rows that were rejected, for any reason. */
export function rejectedRows({rejected}: FileReport): number {
  return Object.values(rejected).reduce((sum, count) => sum + count, 0);
}

/** Formats counts by code, most frequent first. */
export function codeText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([code, count]) => `${code} ${count}`)
    .join(", ");
}

/**
 * Formats how many bytes and rows of a parcel file were read, and why the others were not, and its quotation marks and geometry: `1,204 of 1,240 bytes read (title_line 36)`. Empty for a
 * file that is not counted.
 */
export function accountText({account}: FileReport): string {
  if (account === undefined) return "";
  const {bytes, rows, quotes, geometry} = account;
  const countsOf = (what: string, {all, read, skipped}: Account) => {
    const rest = codeText(skipped);
    return `${countWords(read)} of ${countWords(all)} ${what}${rest === "" ? "" : ` (${rest})`}`;
  };
  return [
    countsOf("bytes read", bytes),
    ...(rows.all === rows.read ? [] : [countsOf("rows read", rows)]),
    ...(quotes === undefined || quotes.all === 0 ? [] : [countsOf("quotation marks read", quotes)]),
    ...Object.entries(geometry).map(([name, points]) => countsOf(`rows with a point by "${name}"`, points)),
  ].join(", ");
}

/** Tells a person how to let something through a part's gate. */
export function acceptAdvice(part: string, gate: string): string {
  return `If it is right all the same: cattle build --accept ${part}:${gate} --reason "…", with the other options as before.`;
}
