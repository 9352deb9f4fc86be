/**
 * A value as one line of JSON, without its line end. Half a surrogate pair in a text becomes U+FFFD, because DuckDB refuses a
 * whole file for one.
 */
export function jsonLine(value: unknown): string {
  const line = JSON.stringify(value);
  // Only half a pair is escaped as \ud…; a text that holds these letters itself is written again without a change.
  return line.includes("\\ud") ? JSON.stringify(value, wellFormed) : line;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
