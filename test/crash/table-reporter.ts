import {stripVTControlCharacters} from "node:util";
import type {Reporter, TestCase, TestModule} from "vitest/node";
import {addRow} from "./table.ts";

/** Adds what failed to the table of a crash run, with the reason, when its file ends: a run of hours tells it before its own end. */
export default class TableReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const failed = [...module.children.allTests("failed")];
    for (const test of failed) {
      const reasons = (test.result().errors ?? []).map(({message, diff}) => `${message}\n${diff ?? ""}`);
      addRow(idOf(test.name), test.name, `FAILED: ${oneLine(reasons.join("; "))}`);
    }
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

/** A text of several lines without colours, as one line of the table. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, " ").trim();
}

/** The id that a title begins with, such as `D1`. */
function idOf(title: string): string {
  return /^([A-Z]\d+)\b/.exec(title)?.[1] ?? "-";
}
