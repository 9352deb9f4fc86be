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
