import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";

/** A folder for files that are thrown away: it goes with all that is in it when it is disposed of. */
export type TemporaryFolder = AsyncDisposable & {readonly path: string};

/** Makes a folder with a new name that begins so, below the temporary folder of the system where no other one is given. */
export async function temporaryFolder(prefix: string, parent: string = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, prefix));
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}
