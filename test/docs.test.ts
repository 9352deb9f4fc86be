import {globSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {registeredSources} from "../pipeline/fetch/jobs/known-sources.ts";
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

test("the README has at most 900 words, so that it can be read in one sitting", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});

test("the long suites listed in vitest.config.ts exist, else make test would run them", () => {
  const config = readFileSync(join(packageRoot, "vitest.config.ts"), "utf8");
  const listed = [...config.matchAll(/^ {2}"(test\/.+)",$/gm)].map(([, pattern]) => pattern!);
  expect(listed).not.toEqual([]);
  expect(listed.filter((pattern) => globSync(pattern, {cwd: packageRoot}).length === 0)).toEqual([]);
});

test("each feed and each of the 35 statewide doors has its request, a claim with a year, and what is not confirmed", () => {
  const page = readFileSync(join(packageRoot, "docs/reference/live-sources.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` \| `(GET [^`]+)` \| (.+) \| (.+) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const named = rows.map(([id]) => id!);
  expect(named).toEqual(registeredSources().map(({id}) => id));
  expect(rows.filter(([, request]) => !request!.startsWith("GET https://")).map(([id]) => id)).toEqual([]);
  expect(rows.filter(([, , claim]) => !/\b20\d\d\b/.test(claim!)).map(([id]) => id)).toEqual([]);
  const doors =
    "TX FL NY NJ MA VT WI MN NC WA UT MT AZ OR NE IA ND WY ID CO AR TN MS OH CA CT MD VA WV NH IN DE AK HI ME PA RI NV";
  const lacking = doors
    .toLowerCase()
    .split(" ")
    .filter((state) => !named.some((id) => id.startsWith(`us-${state}-`)));
  expect([lacking, named.includes("ca-mb-roll-entry")]).toEqual([[], true]);
});
