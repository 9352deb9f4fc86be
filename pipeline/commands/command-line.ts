import {countWords} from "../../lib/counts.ts";
import {ConfigError, UsageError} from "../../lib/errors.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {writeData, writeText} from "../../lib/text/terminal-output.ts";
import {visibleText} from "../../lib/text/visible-text.ts";
import {buildClock} from "../parts/options.ts";

/** Returns the data folder to work on: `--out`, or else `CATTLE_DATA`. */
export function chosenData(out: string | undefined): DataFolder {
  return dataFolder(out ?? readSettings().CATTLE_DATA);
}

/** Returns today's date in UTC. */
export function today(now: Date = new Date()): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Returns the clock of a run: the machine's, or fixed at `SOURCE_DATE_EPOCH`. Throws a `ConfigError` if that is not a number of seconds.
 */
export function runClock(): () => Date {
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  if (epoch !== undefined && epoch !== "" && !/^\d{1,11}$/.test(epoch)) {
    throw new ConfigError(`SOURCE_DATE_EPOCH: ${JSON.stringify(epoch)} is not a number of seconds.`);
  }
  return buildClock(epoch);
}

/** Gives the day of `--as-of`, today in UTC when absent. Throws a `UsageError` for what is not a date. */
export function asOfDate(text: string | undefined): string {
  const date = text ?? today(runClock()());
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) !== date) {
    throw new UsageError(`--as-of: ${JSON.stringify(date)} is not a date (expected YYYY-MM-DD).`);
  }
  return date;
}

/** Writes a result line for people to stdout. */
export function print(text: string): void {
  writeText(`${text}\n`);
}

/** Writes a result to stdout as JSON, for programs. */
export function printJson(value: unknown): void {
  writeData(`${JSON.stringify(value, null, 1)}\n`);
}

/** Formats aligned columns; numbers are right-aligned with thousands separators, and lines have no trailing blanks. */
export function textTable(columns: readonly string[], rows: readonly (string | number)[][]): string {
  const printedRows = rows.map((row) =>
    row.map((value) => (typeof value === "number" ? countWords(value) : visibleText(value))),
  );
  const widths = columns.map((name, i) =>
    Math.max(name.length, ...printedRows.map((row) => (row[i] ?? "").length)),
  );
  const right = columns.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === "number"));
  const line = (cells: readonly string[]) =>
    cells
      .map((text, i) => (right[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd();
  return [line(columns), ...printedRows.map(line)].join("\n");
}
