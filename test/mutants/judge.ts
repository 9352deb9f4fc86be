// A warm vitest in its own process: it keeps transformed modules, and the mutant runner kills it if a change hangs.
import {join} from "node:path";
import {BaseSequencer, createVitest, type TestModule, type TestSpecification} from "vitest/node";

/** Test files in running order, and the files changed since the last question. */
export type Question = {readonly changed: readonly string[]; readonly tests: readonly string[]};

/** The failed test files, or a sign that the judge is still working. */
export type Reply = {readonly failed: readonly string[]} | "at work";

const root = join(import.meta.dirname, "..", "..");
let order: readonly string[] = [];
let failed = new Set<string>();

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId));
  }
}

const reporter = {
  onTestModuleStart: () => send("at work"),
  onTestCaseResult: () => send("at work"),
  /** The first failing file ends the run, because one is enough. */
  onTestModuleEnd(module: TestModule): void {
    if (module.ok()) return;
    failed.add(module.moduleId);
    void vitest.cancelCurrentRun("test-failure");
  },
};

const vitest = await createVitest(
  "test",
  {root, watch: false, maxWorkers: 1, bail: 1, reporters: [reporter]},
  {test: {sequence: {sequencer: GivenOrder}}},
);

async function answer({changed, tests}: Question): Promise<void> {
  for (const file of changed) vitest.invalidateFile(join(root, file));
  order = tests.map((test) => join(root, test));
  failed = new Set();
  const specifications = await vitest.globTestSpecifications([...order]);
  const {unhandledErrors} = await vitest.runTestSpecifications(specifications);
  // An error outside a test, such as the process exiting, may come from any of them.
  const noticed = failed.size === 0 && unhandledErrors.length > 0 ? order : [...failed];
  send({failed: tests.filter((_, i) => noticed.includes(order[i]!))});
}

function send(reply: Reply): void {
  process.send!(reply);
}

process.on("message", (question: Question) => void answer(question));
process.on("disconnect", () => process.exit());
