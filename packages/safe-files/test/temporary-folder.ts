import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {onTestFinished} from "vitest";

/** A new folder, which is removed when the test that asks for it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "safe-files-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
