import {readFileSync} from "node:fs";
import {join} from "node:path";

/** The rows of a table of cases beside the tests, a JSON list in each line; lines with `#` are comments. */
export function casesOf<Row>(name: string): Row[] {
  const lines = readFileSync(join(import.meta.dirname, "cases", name), "utf8")
    .trim()
    .split("\n");
  return lines.filter((line) => !line.startsWith("#")).map((line) => JSON.parse(line));
}
