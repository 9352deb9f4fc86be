// A warm vitest in a process of its own: it keeps what it has transformed, and the runner of mutants ends it where a change hangs.
import {join} from "node:path";
import {BaseSequencer, createVitest, type TestModule, type TestSpecification} from "vitest/node";

/** Test files in the order in which they are asked, and the files that changed since the last question. */
export type Question = {readonly changed: readonly string[]; readonly tests: readonly string[]};

/** The test files that failed, or the sign that the judge is still at work. */
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
  /** The first file that fails ends the run: the others would say the same. */
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
  // An error outside of a test, as the end of its process, may be of any of them.
  const noticed = failed.size === 0 && unhandledErrors.length > 0 ? order : [...failed];
  send({failed: tests.filter((_, i) => noticed.includes(order[i]!))});
}

function send(reply: Reply): void {
  process.send!(reply);
}

process.on("message", (question: Question) => void answer(question));
process.on("disconnect", () => process.exit());
