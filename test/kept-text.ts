import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {expect} from "vitest";
import {packageRoot} from "../lib/paths.ts";

/** Expects a text to equal a file below `test/cases`; a missing file is written once, and never in CI. */
export function expectKept(name: string, text: string): void {
  const path = join(packageRoot, "test/cases", name);
  if (!existsSync(path) && process.env["CI"] === undefined) {
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, text);
  }
  expect(
    text,
    `${name}; where the change is meant, remove test/cases/${name}, run again and read the diff`,
  ).toBe(readFileSync(path, "utf8"));
}
