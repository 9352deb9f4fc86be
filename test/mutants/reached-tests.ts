// Which short test files run the code that a change is in: asked of one run of all of them, with calls in a copy of the checkout.
import {execFileSync} from "node:child_process";
import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {join, relative} from "node:path";
import {projectText} from "../project-files.ts";
import {type Mutation, watched} from "./mutations.ts";
import {copiedTree} from "./tree.ts";

type Mutant = Mutation & {readonly file: string};

/**
 * Maps each change to the test files that reach it, in their own process or in one that they start. A change outside of functions is
 * left out: it runs when its module is loaded, for whichever test came first.
 */
export function reachingTests(mutants: readonly Mutant[], folder: string): Map<Mutant, readonly string[]> {
  const tree = copiedTree(join(folder, "reach"));
  const seen = join(folder, "reached");
  mkdirSync(seen);
  const asked = new Map<Mutant, string>();
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const noteAt = (place: number) => join(seen, String(mutants.indexOf(own[place]!)));
    const {text, atLoad} = watched(projectText(file), own, (place) => callThatNotes(noteAt(place)));
    writeFileSync(join(tree, file), text);
    for (const [i, mutant] of own.entries()) if (!atLoad.includes(i)) asked.set(mutant, noteAt(i));
  }
  appendFileSync(
    join(tree, "test/set-up.ts"),
    '\nimport {expect as running} from "vitest";\nprocess.env["REACHING_TEST"] = running.getState().testPath!;\n',
  );
  try {
    const words = ["vitest", "run", "--project", "short", "--reporter", "dot"];
    execFileSync("npx", words, {cwd: tree, stdio: "ignore"});
  } catch {
    // Tests of the texts of the program fail, since the texts are changed.
  }
  const testsOf = (note: string) => {
    const lines = existsSync(note) ? readFileSync(note, "utf8").trim().split("\n") : [];
    return [...new Set(lines.map((path) => relative(tree, path)))];
  };
  const reached = new Map([...asked].map(([mutant, note]) => [mutant, testsOf(note)] as const));
  rmSync(tree, {recursive: true, force: true, maxRetries: 10});
  return reached;
}

/** An expression that notes the running test in a file, once for each process and test. */
function callThatNotes(path: string): string {
  const key = `${JSON.stringify(`${path} `)} + process.env.REACHING_TEST`;
  return (
    `((globalThis.__reached ??= {})[${key}] ??= (process.env.REACHING_TEST && ` +
    `process.getBuiltinModule("fs").appendFileSync(${JSON.stringify(path)}, process.env.REACHING_TEST + "\\n"), 1))`
  );
}
