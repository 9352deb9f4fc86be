import {execFileSync} from "node:child_process";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";

/** Asks the system to evict the pages of every file below a folder; no process may have them mapped. */
export async function forgetPages(folder: string): Promise<void> {
  for (const path of await filesBelow(folder)) {
    execFileSync("dd", [`if=${join(folder, path)}`, "iflag=nocache", "count=0", "status=none"]);
  }
}
