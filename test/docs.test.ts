import {globSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {type DocsBlock, docsBlocks, updateBlock, writtenBlock} from "./docs-blocks.ts";

const blocks = docsBlocks();

test.each(blocks)("S12: $name in $document says what the code does", (block: DocsBlock) => {
  if (process.env["UPDATE_DOCS"] === "1") updateBlock(block);
  expect(writtenBlock(block)).toBe(block.text);
});

test("CONTRIBUTING names every make target and no other", () => {
  const page = readFileSync(join(packageRoot, "CONTRIBUTING.md"), "utf8");
  const makefile = readFileSync(join(packageRoot, "Makefile"), "utf8");
  const targets = [...makefile.matchAll(/^([a-z]+):.*## /gm)]
    .map((found) => found[1]!)
    .filter((name) => name !== "help");
  const named = new Set(
    [...page.matchAll(/`make ([a-z]+)`|^make ([a-z]+)/gm)].map((found) => found[1] ?? found[2]!),
  );
  expect([...named].sort()).toEqual(targets.sort());
});

test("the README is read in one sitting: at most 1,400 words", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1400);
});

test("the long suites that vitest.config.ts lists are there, else make test would run them", () => {
  const config = readFileSync(join(packageRoot, "vitest.config.ts"), "utf8");
  const listed = [...config.matchAll(/^ {2}"(test\/.+)",$/gm)].map(([, pattern]) => pattern!);
  expect(listed).not.toEqual([]);
  expect(listed.filter((pattern) => globSync(pattern, {cwd: packageRoot}).length === 0)).toEqual([]);
});
