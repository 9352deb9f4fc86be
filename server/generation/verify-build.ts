import {Worker} from "node:worker_threads";
import type {Depth, FileFault} from "../../lib/storage/build-files.ts";

/** What the worker is asked. */
export type VerifyRequest = {folder: string; depth: Depth; except: readonly string[]};

/**
 * Faults of a build folder against its manifest, found by plain reads in a worker: the event loop stays free, an I/O error
 * is an error code and not a SIGBUS, and the page cache is warm afterwards. Files below the folders of `except` are looked
 * at by size only. In the background it keeps no process alive. Rejects where the manifest cannot be read.
 */
export function verifyBuild(
  folder: string,
  {depth, except = [], background = false}: {depth: Depth; except?: readonly string[]; background?: boolean},
): Promise<FileFault[]> {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const request: VerifyRequest = {folder, depth, except};
  return new Promise((resolve, reject) => {
    const file = new URL(`./verify-worker${extension}`, import.meta.url);
    // Flags of the main program are not for it: `--input-type` would stop it.
    const worker = new Worker(file, {workerData: request, execArgv: []});
    if (background) worker.unref();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the check of ${folder} ended with code ${code}`)));
  });
}
