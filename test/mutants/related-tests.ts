// Which test files see a file of the program.
import {basename, dirname, join} from "node:path";
import {longSuites} from "../../vitest.config.ts";
import {projectFiles, projectText} from "../project-files.ts";

/** Suites that kill processes, damage files and build for minutes. */
const slow = /^test\/(?:crash|fuzz|runbook)\/|^test\/fetch\/(?:kills|nightly)\./;
/** Suites that take seconds and more. */
export const long = new Set(longSuites);
/** Suites over publishers' real files cover much; the short ones run before other tests at the same distance. */
const corpus = "test/conformance/";

/** The program's files and its tests. */
export const files = projectFiles().filter((file) => /\.[jt]s$/.test(file));
const usersOf = usersByFile();

/**
 * Maps a file to those that import it or start it as a program. Type imports do not count; a test that names the command line
 * starts it.
 */
function usersByFile(): Map<string, string[]> {
  const users = new Map<string, string[]>();
  const add = (path: string, file: string) => users.set(path, [...(users.get(path) ?? []), file]);
  for (const file of files) {
    const text = projectText(file).replaceAll(/^import type .*$/gm, "");
    for (const [, door] of text.matchAll(/"(@open-cattle\/[\w/-]+)"/g)) add(fileOfDoor(door!), file);
    for (const [, target] of text.matchAll(/["`](\.{1,2}\/[\w./-]+)/g)) {
      const path = join(dirname(file), target!);
      add(/\.[jt]s$/.test(path) ? path : `${path}.ts`, file);
    }
    if (/bin\/cattle\.js"|"cattle\.js"/.test(text)) add("bin/cattle.js", file);
  }
  for (const main of ["pipeline/cli.ts", "server/server-cli.ts"]) add(main, "bin/cattle.js");
  return users;
}

/** The file behind a name by which the house imports a package. */
function fileOfDoor(door: string): string {
  const [, name, ...rest] = door.split("/");
  const {exports} = JSON.parse(projectText(`packages/${name}/package.json`)) as {
    exports: string | Readonly<Record<string, string>>;
  };
  const path = typeof exports === "string" ? exports : exports[[".", ...rest].join("/")]!;
  return join("packages", name!, path);
}

/**
 * Test files that reach a file: first the one with its name, then those of its folder and direct importers, then others by
 * import distance; those over real files first, long ones last.
 */
export function relatedTests(file: string): string[] {
  const steps = new Map([[file, 0]]);
  for (const [at, step] of steps) {
    for (const user of usersOf.get(at) ?? []) if (!steps.has(user)) steps.set(user, step + 1);
  }
  const folder = file.startsWith("packages/") ? file.replace(/\/src\/.*/, "/test") : `test/${dirname(file)}`;
  const rankOf = (test: string) => {
    if (basename(test, ".test.ts") === basename(file, ".ts")) return 0;
    const isNear = steps.get(test) === 1 || test.startsWith(`${folder}/`) || test === `${folder}.test.ts`;
    if (isNear) return long.has(test) ? 2 : 1;
    if (test.startsWith(corpus)) return 3;
    return long.has(test) ? 5 : 4;
  };
  return [...steps.keys()]
    .filter(
      (path) => path.endsWith(".test.ts") && !slow.test(path) && !(path.startsWith(corpus) && long.has(path)),
    )
    .sort((a, b) => rankOf(a) - rankOf(b) || steps.get(a)! - steps.get(b)! || (a < b ? -1 : 1));
}
