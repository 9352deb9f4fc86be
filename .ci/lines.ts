/** Prints the lines of code by package and room, and those of tests and benches. */
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";

const root = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "*.ts", "*.js", "*.css", "*.html"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (file) =>
      /^(?:packages|schemas|lib|pipeline|server|bin|test|bench)\//.test(file) && !/\/cases\//.test(file),
  );

/** Where a file is counted: a package, a room of two folders, or tests and benches. */
function placeOf(file: string): string {
  if (/^(?:test|bench)\/|^packages\/[^/]+\/test\//.test(file))
    return file.startsWith("bench") ? "bench" : "test";
  const folders = file.split("/").slice(0, -1);
  return folders.slice(0, 2).join("/");
}

const lines = new Map<string, number>();
for (const file of files) {
  const count = readFileSync(join(root, file), "utf8").split("\n").length - 1;
  lines.set(placeOf(file), (lines.get(placeOf(file)) ?? 0) + count);
}
const sum = (part: RegExp) =>
  [...lines].reduce((all, [place, count]) => all + (part.test(place) ? count : 0), 0);
const totals: [string, number][] = [
  ["packages", sum(/^packages/)],
  ["house", sum(/^(?!packages|test|bench)/)],
  ["tests and benches", sum(/^(?:test|bench)/)],
];
for (const [place, count] of [...[...lines].sort(), ["", null] as const, ...totals])
  process.stdout.write(count === null ? "\n" : `${String(count).padStart(7)}  ${place}\n`);
