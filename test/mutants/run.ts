// `make mutants`: changes one small thing of the program at a time and sees whether `make test` and `.ci/run` would notice: the tests that
// reach its file, or the types.
//   MUTANTS=300       how many of the possible changes are tried, chosen by chance: half of them move a bound by one step
//   SEED=…            the same choice again
//   MUTANTS_FILES=…   only files whose path contains this text
// Stryker (10.1.1) was tried first. It reads tsconfig.json by the compiler's JavaScript interface, which TypeScript 7 no longer has, changes no
// SQL, and its first run of the tests that two files need had not ended after five minutes.
import {type ChildProcess, execFile, fork} from "node:child_process";
import {once} from "node:events";
import {cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {availableParallelism, tmpdir} from "node:os";
import {basename, dirname, join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {longSuites} from "../../vitest.config.ts";
import {projectFiles, projectText} from "../project-files.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import type {Question, Reply} from "./judge.ts";
import {boundary, type Mutation, mutationsOf} from "./mutations.ts";

const count = Number(process.env["MUTANTS"] ?? 300);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const onlyFiles = process.env["MUTANTS_FILES"] ?? "";
const leastKilled = 0.85;
/**
 * Maximum number of test files per mutant, nearest first; these run alone, because they kill most mutants, and the others
 * together.
 */
const mostTests = 25;
const firstTests = 4;
/** A judge silent for this long hangs because of the change. */
const silenceMs = 120_000;

const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");

/** Suites that kill processes, damage files and build for minutes. */
const slow = /^test\/(?:crash|fuzz|runbook)\/|^test\/fetch\/(?:kills|nightly)\./;
/** Suites that take seconds and more. */
const long = new Set(longSuites);
/** Suites over publishers' real files cover much; the short ones run before other tests at the same distance. */
const corpus = "test/conformance/";

type Mutant = Mutation & {readonly file: string};
/** A change, the test file that noticed it, if any, and how many were run. */
type Verdict = Mutant & {
  readonly noticedBy: string | undefined;
  readonly asked: number;
  readonly nearest: string | undefined;
};

const files = projectFiles().filter((file) => /\.[jt]s$/.test(file));
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
    for (const [, target] of text.matchAll(/["`](\.{1,2}\/[\w./-]+)/g)) {
      const path = join(dirname(file), target!);
      add(/\.[jt]s$/.test(path) ? path : `${path}.ts`, file);
    }
    if (/bin\/cattle\.js"|"cattle\.js"/.test(text)) add("bin/cattle.js", file);
  }
  for (const main of ["pipeline/cli.ts", "server/server-cli.ts"]) add(main, "bin/cattle.js");
  return users;
}

/**
 * Test files that reach a file: first the one with its name, then those of its folder and direct importers, then others by
 * import distance; those over real files first, long ones last.
 */
function relatedTests(file: string): string[] {
  const steps = new Map([[file, 0]]);
  for (const [at, step] of steps) {
    for (const user of usersOf.get(at) ?? []) if (!steps.has(user)) steps.set(user, step + 1);
  }
  const folder = `test/${dirname(file)}`;
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

/** A copy of the checkout, so that changes do no harm. */
function copiedTree(folder: string): string {
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    cpSync(join(packageRoot, file), join(folder, file));
  }
  symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** A copy of the tree with a warm vitest over it. */
class Judge {
  readonly #tree: string;
  #child: ChildProcess | undefined;
  readonly #changed = new Set<string>();

  constructor(tree: string) {
    this.#tree = copiedTree(tree);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#tree, file), text);
    this.#changed.add(file);
  }

  /** The test files that fail, up to the first; all of them if the run hangs or ends its process. */
  async failuresOf(tests: readonly string[]): Promise<readonly string[]> {
    this.#child ??= this.#start();
    const child = this.#child;
    const question: Question = {changed: [...this.#changed], tests};
    this.#changed.clear();
    child.send(question);
    let timer = setTimeout(() => this.#kill(), silenceMs);
    let ended = () => {};
    const failed = await new Promise<readonly string[]>((resolve) => {
      ended = () => resolve(tests);
      child.once("exit", ended);
      child.on("message", (reply: Reply) => {
        clearTimeout(timer);
        if (reply === "at work") timer = setTimeout(() => this.#kill(), silenceMs);
        else resolve(reply.failed);
      });
    });
    clearTimeout(timer);
    child.off("exit", ended).removeAllListeners("message");
    return failed;
  }

  /** True when the compiler accepts the tree. */
  async hasRightTypes(): Promise<boolean> {
    const {exitCode} = await new Promise<ChildProcess>((resolve) => {
      const known = ["--incremental", "--tsBuildInfoFile", `${this.#tree}.tsbuildinfo`];
      const words = [compiler, "--noEmit", "-p", this.#tree, ...known];
      const child = execFile(process.execPath, words, () => resolve(child));
    });
    return exitCode === 0;
  }

  /** Stops vitest and all processes that its tests started. */
  async stop(): Promise<void> {
    if (this.#child === undefined) return;
    const ended = once(this.#child, "exit");
    this.#kill();
    await ended;
  }

  #kill(): void {
    if (this.#child !== undefined) process.kill(-this.#child.pid!, "SIGKILL");
  }

  #start(): ChildProcess {
    const temporary = `${this.#tree}-temporary`;
    mkdirSync(temporary, {recursive: true});
    const child = fork(join(this.#tree, "test/mutants/judge.ts"), {
      cwd: this.#tree,
      detached: true,
      stdio: "ignore",
      env: {...process.env, TMPDIR: temporary},
    });
    child.once("exit", () => {
      this.#child = undefined;
    });
    return child;
  }
}

/** Test files that fail without any change and so cannot judge. */
const unfit = new Set<string>();
const fit = new Set<string>();

/** The first test file that notices a change: it fails with the change and passes without. */
async function noticing(judge: Judge, mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
  judge.write(mutant.file, changedText(mutant));
  const failed = await judge.failuresOf(tests);
  judge.write(mutant.file, projectText(mutant.file));
  for (const test of failed.filter((each) => !fit.has(each)))
    ((await judge.failuresOf([test])).length > 0 ? unfit : fit).add(test);
  const noticedBy = failed.find((test) => fit.has(test));
  if (failed.length === 0 || noticedBy !== undefined) return noticedBy;
  // Files that fail anyway ended the run before the others were run.
  const others = tests.filter((test) => !unfit.has(test));
  return others.length === 0 ? undefined : noticing(judge, mutant, others);
}

function changedText({file, start, length, text}: Mutant): string {
  const source = projectText(file);
  return source.slice(0, start) + text + source.slice(start + length);
}

/** "types" when the compiler refuses a change. */
async function refusing(judge: Judge, mutant: Mutant): Promise<string | undefined> {
  judge.write(mutant.file, changedText(mutant));
  const isRight = await judge.hasRightTypes();
  judge.write(mutant.file, projectText(mutant.file));
  return isRight ? undefined : "types";
}

async function judged(judge: Judge, mutant: Mutant): Promise<Verdict> {
  const tests = relatedTests(mutant.file)
    .filter((test) => !unfit.has(test))
    .slice(0, mostTests);
  let asked = 0;
  let noticedBy: string | undefined;
  while (noticedBy === undefined && asked < tests.length) {
    const batch = tests.slice(asked, asked === 0 ? firstTests : mostTests);
    noticedBy = await noticing(judge, mutant, batch);
    // Compiling costs a second or two, the other tests a minute.
    if (asked === 0) noticedBy ??= await refusing(judge, mutant);
    asked += batch.length;
  }
  return {...mutant, noticedBy, asked, nearest: tests[0]};
}

function chosen(): Mutant[] {
  const all = files
    .filter(
      (file) => /^(?:lib|pipeline|server|packages\/[\w-]+\/src)\//.test(file) && file.includes(onlyFiles),
    )
    .flatMap((file) => mutationsOf(projectText(file)).map((mutation) => ({...mutation, file})));
  const random = seededRandom(seed);
  const take = (from: Mutant[], wanted: number) =>
    Array.from({length: Math.min(wanted, from.length)}, () => from.splice(random.below(from.length), 1)[0]!);
  const bounds = all.filter(({kind}) => kind === boundary);
  const others = all.filter(({kind}) => kind !== boundary);
  const taken = [...take(bounds, Math.floor(count / 2)), ...take(others, Math.ceil(count / 2))];
  process.stdout.write(`SEED=${seed}: ${taken.length} of ${all.length} possible changes\n`);
  return taken;
}

function lineOf({file, start, length, text, kind, noticedBy, asked, nearest}: Verdict): string {
  const source = projectText(file);
  const line = source.slice(0, start).split("\n").length;
  const shown = (part: string) => part.replace(/\s+/g, " ").slice(0, 50);
  const change = `${file}:${line}  ${kind}  ${shown(source.slice(start, start + length))} -> ${shown(text)}`;
  return noticedBy === undefined
    ? `SURVIVED ${change}  (${asked} test files; the nearest is ${nearest ?? "none"})\n`
    : `killed   ${change}  (${noticedBy})\n`;
}

const isKilled = ({noticedBy}: Verdict) => noticedBy !== undefined;

/** The share of killed mutants by kind of change. */
function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [...Map.groupBy(verdicts, ({kind}) => kind)].map(([kind, own]) => {
    const killed = own.filter(isKilled).length;
    return `${kind.padEnd(20)}${String(own.length).padStart(7)}${String(killed).padStart(8)}${String(own.length - killed).padStart(10)}\n`;
  });
  return `\nchange               tried  killed  survived\n${rows.sort().join("")}`;
}

const work = mkdtempSync(join(tmpdir(), "cattle-mutants-"));
// Suites over real files look for these beside the checkout.
symlinkSync(join(packageRoot, "..", "shared"), join(work, "shared"));
const judges = Array.from(
  {length: Math.min(2, availableParallelism())},
  (_, i) => new Judge(join(work, `tree-${i}`)),
);
try {
  if (!(await judges[0]!.hasRightTypes()))
    throw new Error("The compiler refuses the tree without any change.");
  const waiting = chosen();
  const verdicts: Verdict[] = [];
  const judgeWaiting = async (judge: Judge) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judged(judge, mutant);
      verdicts.push(verdict);
      process.stdout.write(lineOf(verdict));
    }
  };
  await Promise.all(judges.map(judgeWaiting));
  const killed = verdicts.filter(isKilled).length;
  const share = killed / verdicts.length;
  process.stdout.write(
    `${tableOf(verdicts)}\nSEED=${seed}: ${killed} of ${verdicts.length} killed, ${(100 * share).toFixed(1)} %\n`,
  );
  process.exitCode = share >= leastKilled ? 0 : 1;
} finally {
  await Promise.all(judges.map((judge) => judge.stop()));
  rmSync(work, {recursive: true, force: true, maxRetries: 10});
}
