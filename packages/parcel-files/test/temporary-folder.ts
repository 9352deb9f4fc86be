import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

/** A new folder, which is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parcel-files-"));
  process.once("exit", () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
