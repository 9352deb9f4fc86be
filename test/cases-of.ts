import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../lib/paths.ts";

/** The rows of a table of cases below `test/cases`, a JSON list in each line; lines with `#` are comments. */
export function casesOf<Row>(name: string): Row[] {
  const lines = readFileSync(join(packageRoot, "test/cases", name), "utf8")
    .trim()
    .split("\n");
  return lines.filter((line) => !line.startsWith("#")).map((line) => JSON.parse(line));
}
