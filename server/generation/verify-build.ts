import {Worker} from "node:worker_threads";
import type {Depth, FileFault} from "../../lib/storage/build-files.ts";

/** The task of the worker. */
export type VerifyRequest = {folder: string; depth: Depth; except: readonly string[]};

/**
 * Gives the faults of a build folder against its manifest. A worker finds them by plain reads: the event loop stays free, an
 * I/O error is an error code and not a SIGBUS, and the page cache is warm afterwards. Of the files of the parts in `except`
 * only the size is checked. In the background the worker keeps no process alive. Rejects when the manifest cannot be read.
 */
export function verifyBuild(
  folder: string,
  {depth, except = [], background = false}: {depth: Depth; except?: readonly string[]; background?: boolean},
): Promise<FileFault[]> {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const request: VerifyRequest = {folder, depth, except};
  return new Promise((resolve, reject) => {
    const file = new URL(`./verify-worker${extension}`, import.meta.url);
    // The worker gets no flags of the main program: `--input-type` would stop it.
    const worker = new Worker(file, {workerData: request, execArgv: []});
    if (background) worker.unref();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the check of ${folder} ended with code ${code}`)));
  });
}
