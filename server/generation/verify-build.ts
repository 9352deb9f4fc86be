import {relative} from "node:path";
import type {Logger} from "pino";
import {transientError, UserError} from "../../lib/errors.ts";
import {keepAwake, startOwnChild} from "../../lib/process/own-child.ts";
import type {DamagedFileError} from "../../lib/storage/block-guard.ts";
import type {Depth, FileFault} from "../../lib/storage/build-files.ts";
import type {Metrics} from "../http/metrics.ts";

/** The files in which answers met damage while they were served; a record of another file goes out as ever. */
type DamagedFiles = {
  /** Takes what an answer met: the first time in a file it is logged and counted. */
  found(error: DamagedFileError): void;
  /** Paths below the data folder, sorted. */
  paths(): string[];
  /** Gives `file_damaged:` with each path. */
  reasons(): string[];
  /** Forgets them: another build is served, in which damage will be met again if it is there. */
  forget(): void;
};

/** The task of the process, its one argument as JSON. */
export type VerifyRequest = {folder: string; depth: Depth; except: readonly string[]};
/** Its answer: the faults, or the reason for which the check ended early. */
export type VerifyReply = {faults: FileFault[]} | {reason: string; mayPass: boolean};

/**
 * Gives the faults of a build folder against its manifest. A process of its own finds them by plain reads: the event loop stays
 * free, an I/O error is an error code and not a SIGBUS, and the page cache is warm afterwards. A thread would share code memory with
 * the server, and V8 aborts the whole process when two threads free WebAssembly at once (nodejs/node#64500). Of the files of the parts
 * in `except` only the size is checked. A check in the background does not keep the server from ending. Rejects when the manifest
 * cannot be read, and with a failure that may pass when the check could not be made.
 */
export function verifyBuild(
  folder: string,
  {depth, except = [], background = false}: {depth: Depth; except?: readonly string[]; background?: boolean},
): Promise<FileFault[]> {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const program = new URL(`./verify-program${extension}`, import.meta.url);
  const request: VerifyRequest = {folder, depth, except};
  return new Promise((resolve, reject) => {
    const child = startOwnChild(program, {args: [JSON.stringify(request)], stderr: "inherit"});
    keepAwake(child, !background);
    const notMade = (reason: string) => reject(transientError(`${folder}: not checked: ${reason}`));
    child.once("message", (reply: VerifyReply) => {
      if ("faults" in reply) resolve(reply.faults);
      else if (reply.mayPass) notMade(reply.reason);
      else reject(new UserError(reply.reason));
      child.disconnect();
    });
    // A process that cannot start or ends early has no file or memory left: that is no fault of the build.
    child.once("error", ({message}) => notMade(message));
    child.once("exit", (code, signal) => notMade(`the process ended with ${signal ?? `code ${code}`}`));
  });
}

/** Keeps the damaged files of the served build; `told` is called when there is one more. */
export function createDamagedFiles({
  root,
  log,
  metrics,
  told,
}: {
  root: string;
  log: Logger;
  metrics: Metrics;
  told: (paths: readonly string[]) => void;
}): DamagedFiles {
  const known = new Set<string>();
  const paths = () => [...known].sort();
  return {
    found({path, message}) {
      const name = relative(root, path);
      if (known.has(name)) return;
      known.add(name);
      metrics.verifyFailed();
      log.error({file: name, reason: message}, "a served file is damaged");
      told(paths());
    },
    paths,
    reasons: () => paths().map((path) => `file_damaged:${path}`),
    forget: () => known.clear(),
  };
}
