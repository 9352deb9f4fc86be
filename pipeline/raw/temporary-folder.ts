import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";

/** A temporary folder, deleted with its contents on disposal. */
export type TemporaryFolder = AsyncDisposable & {readonly path: string};

/** Creates a uniquely named folder with this prefix, by default below the system's temporary folder. */
export async function temporaryFolder(prefix: string, parent: string = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, prefix));
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}
