// `make mutants`: changes one small thing of the program at a time and sees whether the tests that reach its file notice.
//   MUTANTS=300       how many of the possible changes are tried, chosen by chance
//   SEED=…            the same choice again
//   MUTANTS_FILES=…   only files whose path contains this text
// Stryker (10.1.1) was tried first. It reads tsconfig.json by the compiler's JavaScript interface, which TypeScript 7 no longer has, changes no
// SQL, and its first run of the tests that two files need had not ended after five minutes.
import {spawn} from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {availableParallelism, tmpdir} from "node:os";
import {basename, dirname, join, relative} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {projectFiles, projectText} from "../project-files.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {type Mutation, mutationsOf} from "./mutations.ts";

const count = Number(process.env["MUTANTS"] ?? 300);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const onlyFiles = process.env["MUTANTS_FILES"] ?? "";
const leastKilled = 0.85;
/** A change is shown to the nearest tests first, which end most of them, then to the others, up to so many files in all. */
const batchSizes = [5, 25];
/** A run of tests that takes longer hangs by the change. */
const limitMs = 300_000;

/** Suites that kill, damage and build for minutes. */
const slow = /^test\/(?:conformance|crash|fuzz|runbook)\/|^test\/fetch\/(?:kills|nightly)\./;

type Mutant = Mutation & {readonly file: string};
type Verdict = Mutant & {readonly killed: boolean; readonly asked: number};

const files = projectFiles().filter((file) => /\.ts$/.test(file));
const usersOf = usersByFile();

/** Gives the files that import a file, by its path. */
function usersByFile(): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const file of files) {
    for (const [, target] of projectText(file).matchAll(/(?:from|import\(|new URL\()\s*"(\.[^"]*)"/g)) {
      const path = join(dirname(file), target!);
      users.set(path, [...(users.get(path) ?? []), file]);
    }
  }
  return users;
}

/** Gives the test files that reach a file by imports, those with the fewest steps first, and of these the ones beside it. */
function relatedTests(file: string): string[] {
  const steps = new Map([[file, 0]]);
  for (const [at, step] of steps) {
    for (const user of usersOf.get(at) ?? []) if (!steps.has(user)) steps.set(user, step + 1);
  }
  const shared = (test: string) => {
    const [a, b] = [test.replace(/^test\//, "").split("/"), file.split("/")];
    return a.findIndex((part, i) => part !== b[i]);
  };
  return [...steps.keys()]
    .filter((path) => path.endsWith(".test.ts") && !slow.test(path))
    .sort((a, b) => steps.get(a)! - steps.get(b)! || shared(b) - shared(a) || (a < b ? -1 : 1));
}

/** A copy of the checkout, in which changes harm nobody. */
function copiedTree(folder: string): string {
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    cpSync(join(packageRoot, file), join(folder, file));
  }
  symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** The test files that fail in a copy; all of them where the run hangs. */
async function failuresIn(tree: string, tests: readonly string[], bail = 1): Promise<readonly string[]> {
  const report = join(tree, "..", `${basename(tree)}.json`);
  rmSync(report, {force: true});
  const vitest = join(tree, "node_modules/vitest/vitest.mjs");
  const args = [
    "run",
    `--bail=${bail}`,
    "--maxWorkers=1",
    "--reporter=json",
    `--outputFile=${report}`,
    ...tests,
  ];
  const child = spawn(process.execPath, [vitest, ...args], {cwd: tree, detached: true, stdio: "ignore"});
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), limitMs);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
  if (code === 0) return [];
  if (!existsSync(report)) return tests;
  const {testResults} = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: {name: string; status: string}[];
  };
  const failed = testResults.filter(({status}) => status === "failed");
  return failed.length === 0 ? tests : failed.map(({name}) => relative(tree, name));
}

/** Test files that fail, or take too long, without any change: they judge nothing. */
const unfit = new Set<string>();
const fit = new Set<string>();

/** Says whether a batch of tests notices a change: one of them fails with it and passes without it. */
async function isNoticed(tree: string, mutant: Mutant, batch: readonly string[]): Promise<boolean> {
  const {file, start, length, text} = mutant;
  const source = projectText(file);
  writeFileSync(join(tree, file), source.slice(0, start) + text + source.slice(start + length));
  const failed = await failuresIn(tree, batch);
  writeFileSync(join(tree, file), source);
  const unsure = failed.filter((test) => !fit.has(test));
  const red = unsure.length === 0 ? [] : await failuresIn(tree, unsure, 0);
  for (const test of unsure) (red.includes(test) ? unfit : fit).add(test);
  if (failed.length === 0 || failed.some((test) => fit.has(test))) return failed.length > 0;
  // Those that fail anyway ended the run before the others were asked.
  const others = batch.filter((test) => !unfit.has(test));
  return others.length > 0 && isNoticed(tree, mutant, others);
}

async function judged(tree: string, mutant: Mutant): Promise<Verdict> {
  const tests = relatedTests(mutant.file).slice(0, batchSizes.at(-1));
  let asked = 0;
  let killed = false;
  for (const size of batchSizes) {
    const batch = tests.slice(asked, size).filter((test) => !unfit.has(test));
    if (killed || batch.length === 0) break;
    killed = await isNoticed(tree, mutant, batch);
    asked += batch.length;
  }
  return {...mutant, killed, asked};
}

function chosen(): Mutant[] {
  const all = files
    .filter((file) => /^(?:lib|pipeline|server)\//.test(file) && file.includes(onlyFiles))
    .flatMap((file) => mutationsOf(projectText(file)).map((mutation) => ({...mutation, file})));
  const random = seededRandom(seed);
  const taken = Array.from(
    {length: Math.min(count, all.length)},
    () => all.splice(random.below(all.length), 1)[0]!,
  );
  process.stdout.write(`SEED=${seed}: ${taken.length} of ${all.length + taken.length} possible changes\n`);
  return taken;
}

function lineOf({file, start, length, text, kind, killed, asked}: Verdict): string {
  const source = projectText(file);
  const line = source.slice(0, start).split("\n").length;
  const shown = (part: string) => part.replace(/\s+/g, " ").slice(0, 50);
  const verdict = killed ? "killed  " : "SURVIVED";
  return `${verdict} ${file}:${line}  ${kind}  ${shown(source.slice(start, start + length))} -> ${shown(text)}  (${asked} test files)\n`;
}

/** The share of the killed by kind of change. */
function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [...Map.groupBy(verdicts, ({kind}) => kind)].map(([kind, own]) => {
    const killed = own.filter((each) => each.killed).length;
    return `${kind.padEnd(20)}${String(own.length).padStart(7)}${String(killed).padStart(8)}${String(own.length - killed).padStart(10)}\n`;
  });
  return `\nchange               tried  killed  survived\n${rows.sort().join("")}`;
}

const work = mkdtempSync(join(tmpdir(), "cattle-mutants-"));
try {
  const waiting = chosen();
  const verdicts: Verdict[] = [];
  const workers = Array.from({length: Math.min(2, availableParallelism())}, async (_, i) => {
    const tree = copiedTree(join(work, `tree-${i}`));
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judged(tree, mutant);
      verdicts.push(verdict);
      process.stdout.write(lineOf(verdict));
    }
  });
  await Promise.all(workers);
  const killed = verdicts.filter((verdict) => verdict.killed).length;
  const share = killed / verdicts.length;
  process.stdout.write(
    `${tableOf(verdicts)}\nSEED=${seed}: ${killed} of ${verdicts.length} killed, ${(100 * share).toFixed(1)} %\n`,
  );
  process.exitCode = share >= leastKilled ? 0 : 1;
} finally {
  rmSync(work, {recursive: true});
}
