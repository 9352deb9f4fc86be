import type {Reporter, TestCase, TestModule} from "vitest/node";
import {addRow} from "./table.ts";

/** Adds what failed to the table of a crash run: a run that breaks is told, not missing. */
export default class TableReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const failed = [...module.children.allTests("failed")];
    for (const {name} of failed) addRow(idOf(name), name, "FAILED");
    // A file that does not load, or whose preparation fails, has no failed test.
    const broken = module.state() === "failed" && failed.length === 0;
    if (broken) addRow("-", module.relativeModuleId, "FAILED before its tests");
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules.filter((each) => each.state() === "pending" || each.state() === "queued")) {
      addRow("-", module.relativeModuleId, "FAILED: did not end");
    }
  }

  /** Reports the tests that were left out (`CRASH_H1=0`), too. */
  onTestCaseResult(test: TestCase): void {
    if (test.result().state === "skipped") addRow(idOf(test.name), test.name, "not run");
  }
}

/** The id that a title begins with, such as `D1`. */
function idOf(title: string): string {
  return /^([A-Z]\d+)\b/.exec(title)?.[1] ?? "-";
}
