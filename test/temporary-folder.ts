import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const made: string[] = [];

/** A new empty folder of this test file, removed when its tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cattle-test-"));
  made.push(folder);
  return folder;
}

/** Removes the folders made so far; the set-up of every test file calls it. */
export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, {recursive: true, force: true});
}
