// `make mutants`: changes one small thing of the program at a time and sees whether `make test` and `.ci/run` would notice: the tests that
// reach its file, or the types.
//   MUTANTS=300       how many of the possible changes are tried, chosen by chance: half of them move a bound by one step
//   SEED=…            the same choice again; several (11,22,33) are chosen one by one and judged in one run
//   MUTANTS_FILES=…   only files whose path contains this text
//   MUTANTS_OUT=…     a file of verdicts, one a line: a run that was stopped goes on from there; without its lines of survivors, these are asked again
// A survivor that no input can show, by `equivalents.json`, does not count.
// Stryker (10.1.1) was tried first. It reads tsconfig.json by the compiler's JavaScript interface, which TypeScript 7 no longer has, changes no
// SQL, and its first run of the tests that two files need had not ended after five minutes.
import {appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from "node:fs";
import {availableParallelism, tmpdir} from "node:os";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {projectText} from "../project-files.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {boundary, type Mutation, mutationsOf} from "./mutations.ts";
import {reachingTests} from "./reached-tests.ts";
import {files, long, relatedTests} from "./related-tests.ts";
import {Judge} from "./tree.ts";

const count = Number(process.env["MUTANTS"] ?? 300);
const seeds = (process.env["SEED"] ?? String(Date.now() % 1_000_000)).split(",").map(Number);
const onlyFiles = process.env["MUTANTS_FILES"] ?? "";
const out = process.env["MUTANTS_OUT"];
const leastKilled = 0.85;
/**
 * Maximum number of test files per mutant, nearest first; these run alone, because they kill most mutants, and the others
 * together.
 */
const mostTests = 16;
const firstTests = 4;
type Mutant = Mutation & {readonly file: string};
/** A change, the test file that noticed it, if any, and how many were run. */
type Verdict = Mutant & {
  readonly noticedBy: string | undefined;
  readonly asked: number;
  readonly nearest: string | undefined;
};

/** The short test files that run the code of a change, where one run of all of them could tell. */
const reached = new Map<string, readonly string[]>();
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
  const reaching = reached.get(keyOf(mutant)) ?? [];
  const tests = relatedTests(mutant.file)
    .filter(
      (test) => !unfit.has(test) && (reaching.length === 0 || long.has(test) || reaching.includes(test)),
    )
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

/** All possible changes of the program. */
const all: readonly Mutant[] = files
  .filter((file) => /^(?:lib|pipeline|server|packages\/[\w-]+\/src)\//.test(file) && file.includes(onlyFiles))
  .flatMap((file) => mutationsOf(projectText(file)).map((mutation) => ({...mutation, file})));

function chosen(seed: number): Mutant[] {
  const drawn = (from: Mutant[], own: number) => {
    const random = seededRandom(own);
    return Array.from(
      {length: Math.min(count, from.length)},
      () => from.splice(random.below(from.length), 1)[0]!,
    );
  };
  const bounds = drawn(
    all.filter(({kind}) => kind === boundary),
    seed,
  );
  const others = drawn(
    all.filter(({kind}) => kind !== boundary),
    ~seed,
  );
  // In turns, so that the first of many are those of few; where one kind ends, the other goes on.
  const taken = Array.from({length: Math.max(bounds.length, others.length)}, (_, i) => i)
    .flatMap((i) => [...bounds.slice(i, i + 1), ...others.slice(i, i + 1)])
    .slice(0, count);
  process.stdout.write(`SEED=${seed}: ${taken.length} of ${all.length} possible changes\n`);
  return taken;
}

/** What is changed in which line, without the line's number, which moves. */
function changeOf({file, start, length, text, kind}: Mutant) {
  const source = projectText(file);
  const from = source.lastIndexOf("\n", start) + 1;
  const line = source.slice(from, source.indexOf("\n", start)).trim();
  const shown = (part: string) => part.replace(/\s+/g, " ").slice(0, 50);
  return {file, line, change: `${kind}  ${shown(source.slice(start, start + length))} -> ${shown(text)}`};
}

type Equivalent = ReturnType<typeof changeOf> & {readonly why: string};
const equivalents = JSON.parse(projectText("test/mutants/equivalents.json")) as Equivalent[];

/** Why no input can show a change, if it was judged so. */
function whyEquivalent(mutant: Mutant): string | undefined {
  const {file, line, change} = changeOf(mutant);
  return equivalents.find((each) => each.file === file && each.line === line && each.change === change)?.why;
}

const fateOf = (verdict: Verdict) =>
  verdict.noticedBy !== undefined
    ? "killed"
    : whyEquivalent(verdict) === undefined
      ? "survived"
      : "equivalent";

function lineOf(verdict: Verdict): string {
  const {file, start, noticedBy, asked, nearest} = verdict;
  const {line, change} = changeOf(verdict);
  const number = projectText(file).slice(0, start).split("\n").length;
  const told = {
    killed: noticedBy,
    survived: `${asked} test files; the nearest is ${nearest ?? "none"}; ${line.slice(0, 110)}`,
    equivalent: whyEquivalent(verdict),
  };
  const fate = fateOf(verdict);
  return `${fate.padEnd(11)}${file}:${number}  ${change}  (${told[fate]})\n`;
}

/** The share of killed mutants by kind of change. */
function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [...Map.groupBy(verdicts, ({kind}) => kind)].map(([kind, own]) => {
    const numbers = ["killed", "survived", "equivalent"].map((fate) =>
      String(own.filter((verdict) => fateOf(verdict) === fate).length).padStart(12),
    );
    return `${kind.padEnd(20)}${String(own.length).padStart(7)}${numbers.join("")}\n`;
  });
  return `\nchange               tried      killed    survived  equivalent\n${rows.sort().join("")}`;
}

/** The verdicts that an earlier run wrote. */
function earlierVerdicts(): Map<string, Verdict> {
  const lines = out !== undefined && existsSync(out) ? readFileSync(out, "utf8").trim().split("\n") : [];
  return new Map(
    lines.filter(Boolean).map((line) => {
      const verdict = JSON.parse(line) as Verdict;
      return [keyOf(verdict), verdict];
    }),
  );
}

const keyOf = ({file, start, length, text}: Mutant) => JSON.stringify([file, start, length, text]);

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
  const earlier = earlierVerdicts();
  const choices = new Map(seeds.map((seed) => [seed, chosen(seed)]));
  const byKey = new Map([...choices.values()].flat().map((mutant) => [keyOf(mutant), mutant]));
  const waiting = [...byKey.values()];
  const unjudged = waiting.filter((mutant) => !earlier.has(keyOf(mutant)));
  for (const [mutant, tests] of reachingTests(unjudged, work)) reached.set(keyOf(mutant), tests);
  const verdicts: Verdict[] = [];
  const judgeWaiting = async (judge: Judge) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const known = earlier.get(keyOf(mutant));
      const verdict = known ?? (await judged(judge, mutant));
      verdicts.push(verdict);
      process.stdout.write(lineOf(verdict));
      if (known === undefined && out !== undefined) appendFileSync(out, `${JSON.stringify(verdict)}\n`);
    }
  };
  await Promise.all(judges.map(judgeWaiting));
  process.stdout.write(`${tableOf(verdicts)}\n`);
  const fates = new Map(verdicts.map((verdict) => [keyOf(verdict), fateOf(verdict)]));
  process.exitCode = 0;
  for (const [seed, own] of choices) {
    const real = own.map((mutant) => fates.get(keyOf(mutant))).filter((fate) => fate !== "equivalent");
    const killed = real.filter((fate) => fate === "killed").length;
    const share = killed / real.length;
    process.stdout.write(
      `SEED=${seed}: ${killed} of ${real.length} real ones killed, ${(100 * share).toFixed(1)} %\n`,
    );
    if (share < leastKilled) process.exitCode = 1;
  }
} finally {
  await Promise.all(judges.map((judge) => judge.stop()));
  rmSync(work, {recursive: true, force: true, maxRetries: 10});
}
