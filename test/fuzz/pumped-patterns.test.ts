import {globSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {createContext, runInContext} from "node:vm";
import {expect, test} from "vitest";
import {parseAst} from "vitest/node";
import {packageRoot} from "../../lib/paths.ts";

type Node = {readonly regex?: {readonly pattern: string; readonly flags: string}};

/** The pieces of foreign texts that patterns repeat; those of a pattern's own words come on top. */
const pieces = [
  " ",
  "a",
  "A",
  "1",
  "a ",
  "A ",
  "1 ",
  "1,",
  "1.",
  "a-",
  "A-A",
  "/",
  "-",
  " - ",
  "*",
  "_",
  "(",
];
pieces.push("%", "\n", "\r", "\t", "=", "'", "& ", "| ", "https://a|");
const characters = 4_000;
const sandbox = createContext({});
/** A quadratic pattern takes up to 40 ms of the processor for so many characters, a cubic one over 300 ms, a worse one never ends. */
const mostMs = 150;

/** The repeating regular expressions in the code of a folder, with their files. */
function patternsIn(glob: string): [string, RegExp][] {
  const patterns: [string, RegExp][] = [];
  for (const file of globSync(glob, {cwd: packageRoot})) {
    const visit = (node: unknown): void => {
      if (node === null || typeof node !== "object") return;
      const {regex} = node as Node;
      if (regex !== undefined && /[*+]|,\}/.test(regex.pattern))
        patterns.push([file, new RegExp(regex.pattern, regex.flags.replace(/[gy]/g, ""))]);
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(readFileSync(join(packageRoot, file), "utf8"), {lang: "ts"}));
  }
  return patterns;
}

/** Texts that begin as the pattern does, repeat one piece, and end as no text of the pattern does. */
function* pumpedTexts({source}: RegExp): Generator<string> {
  const words = (source.match(/[A-Za-z]{2,}(?:[ -][A-Za-z]{2,})*/g) ?? []).slice(0, 8);
  const heads = ["", "Abc: ", ...words.slice(0, 3), ...words.slice(0, 3).map((word) => `${word} `)];
  for (const piece of new Set([...pieces, ...words, ...words.map((word) => `${word} `)]))
    for (const head of heads)
      for (const end of ["\0", " \0!"]) yield head + piece.repeat(characters / piece.length) + end;
}

/** Milliseconds of the processor; infinite for a pattern that does not end. The best of three, where one is long. */
function costOf(pattern: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > mostMs; tries += 1) {
    const context = Object.assign(sandbox, {pattern, text});
    const before = process.cpuUsage();
    try {
      runInContext("pattern.test(text)", context, {timeout: 3_000});
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    const {user, system} = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

test.each(["packages/usda-reports/src/*.ts", "pipeline/fetch/**/*.ts"])(
  "S8: no pattern of %s takes long for a hostile text",
  (glob) => {
    const slow: string[] = [];
    const patterns = patternsIn(glob);
    expect(patterns.length).toBeGreaterThan(10);
    for (const [file, pattern] of patterns) {
      const text = pumpedTexts(pattern).find((each) => costOf(pattern, each) > mostMs);
      if (text !== undefined) slow.push(`${file}: ${pattern} for ${JSON.stringify(text.slice(0, 40))}`);
    }
    expect(slow).toEqual([]);
  },
  600_000,
);
