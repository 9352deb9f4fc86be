import type {Step} from "../publish/options.ts";

/** Writes a result line to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result to stdout as JSON, for programs. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 1));
}

/** Gives a table of aligned columns; numbers are flush right with thousands separated, and no line ends in blanks. */
export function textTable(columns: readonly string[], rows: readonly (string | number)[][]): string {
  const shown = rows.map((row) =>
    row.map((value) => (typeof value === "number" ? value.toLocaleString("en-US") : value)),
  );
  const widths = columns.map((name, i) =>
    Math.max(name.length, ...shown.map((row) => (row[i] ?? "").length)),
  );
  const right = columns.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === "number"));
  const line = (cells: readonly string[]) =>
    cells
      .map((text, i) => (right[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd();
  return [line(columns), ...shown.map(line)].join("\n");
}

/**
 * Shows each step on stderr as one line with its title, its last word and its time, such as
 * `TX  184,202 rows  41 rejected  built  12.4 s`. On a terminal the line is there from the start and is written over.
 */
export const shownStep: Step = async (title, work) => {
  const started = performance.now();
  const live = process.stderr.isTTY;
  let word = "";
  const line = () =>
    [title, word, `${((performance.now() - started) / 1000).toFixed(1)} s`]
      .filter((part) => part !== "")
      .join("  ");
  // The control characters are a carriage return and "erase to the end of the line" (ECMA-48 EL).
  const show = (end: string) => process.stderr.write(`${live ? "\r\u001b[K" : ""}${line()}${end}`);
  const say = (text: string) => {
    word = text;
    if (live) show("");
  };
  if (live) show("");
  try {
    return await work(say);
  } catch (error) {
    say("failed");
    throw error;
  } finally {
    show("\n");
  }
};
