import {Worker} from "node:worker_threads";
import {messageOf, UserError} from "../../lib/errors.ts";
import type {Depth, FileFault} from "../../lib/storage/build-files.ts";
import {passingFault} from "../../lib/storage/passing-fault.ts";

/** The task of the worker. */
export type VerifyRequest = {folder: string; depth: Depth; except: readonly string[]};
/** Its answer: the faults, or the reason for which the check ended early. */
export type VerifyReply = {faults: FileFault[]} | {reason: string; mayPass: boolean};

/**
 * Gives the faults of a build folder against its manifest. A worker finds them by plain reads: the event loop stays free, an
 * I/O error is an error code and not a SIGBUS, and the page cache is warm afterwards. Of the files of the parts in `except`
 * only the size is checked. In the background the worker keeps no process alive. Rejects when the manifest
 * cannot be read, and with a failure that may pass when the check could not be made.
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
    const notMade = (reason: string) => reject(passingFault(`${folder}: not checked: ${reason}`));
    worker.once("message", (reply: VerifyReply) => {
      if ("faults" in reply) resolve(reply.faults);
      else if (reply.mayPass) notMade(reply.reason);
      else reject(new UserError(reply.reason));
    });
    // A worker that cannot start or ends early has no file or memory left: that is no fault of the build.
    worker.once("error", (error) => notMade(messageOf(error)));
    worker.once("exit", (code) => notMade(`the worker ended with code ${code}`));
  });
}
