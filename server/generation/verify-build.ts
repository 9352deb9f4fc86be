import {relative} from "node:path";
import type {DamagedFileError} from "@open-cattle/mapped-index";
import type {Depth, FileDifference} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import {keepAwake, startOwnChild} from "../../lib/system/own-child.ts";
import type {Log} from "../system/json-log.ts";
import type {Metrics} from "../system/metrics.ts";

/** The files in which answers have met damage; undamaged records are still served. */
type DamagedFiles = {
  /** Reports damage met by an answer; logged and counted once per file. */
  found(error: DamagedFileError): void;
  /** Paths below the data folder, sorted. */
  paths(): string[];
  /** Returns `file_damaged:<path>` for each path. */
  reasons(): string[];
  /** Clears the list because another build is served; damage still present will be met again. */
  forget(): void;
};

/** The task of the child process, passed as JSON in its only argument. */
export type VerifyRequest = {
  folder: string;
  depth: Depth;
  except: readonly string[];
  /** True for a check that yields the processor to everything else. */
  background: boolean;
};
/** The reply: the faults, or why the check ended early. */
export type VerifyReply = {faults: FileDifference[]} | {reason: string; mayPass: boolean};

/**
 * Checks a build folder against its manifest and returns the faults. A child process does plain reads: the event loop stays free, an I/O
 * error is an error code and not a SIGBUS, and the page cache is warm afterwards. It is not a thread, because V8 aborts the whole process
 * when two threads free WebAssembly code at once (nodejs/node#64500). Files of the parts in `except` are only checked for size. A
 * background check does not keep the server alive and yields the processor to it. Rejects when the manifest cannot be read, and with a transient failure when the check
 * could not be made.
 */
export function verifyBuild(
  folder: string,
  {depth, except = [], background = false}: {depth: Depth; except?: readonly string[]; background?: boolean},
): Promise<FileDifference[]> {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const program = new URL(`./verify-program${extension}`, import.meta.url);
  const request: VerifyRequest = {folder, depth, except, background};
  return new Promise((resolve, reject) => {
    const child = startOwnChild(program, {args: [JSON.stringify(request)], stderr: "inherit"});
    keepAwake(child, !background);
    // `EAGAIN` makes the failure a transient one, after which the check is tried again.
    const notMade = (reason: string) =>
      reject(Object.assign(new Error(`${folder}: not checked: ${reason}`), {code: "EAGAIN"}));
    child.once("message", (reply: VerifyReply) => {
      if ("faults" in reply) resolve(reply.faults);
      else if (reply.mayPass) notMade(reply.reason);
      else reject(new UserError(reply.reason));
      child.disconnect();
    });
    // A process that cannot start or exits early lacked files or memory; that says nothing about the build.
    child.once("error", ({message}) => notMade(message));
    child.once("exit", (code, signal) => notMade(`the process ended with ${signal ?? `code ${code}`}`));
  });
}

/** Collects the damaged files of the served build; `onDamage` is called whenever one is added. */
export function createDamagedFiles({
  root,
  log,
  metrics,
  onDamage,
}: {
  root: string;
  log: Log;
  metrics: Metrics;
  onDamage: (paths: readonly string[]) => void;
}): DamagedFiles {
  const knownFaults = new Set<string>();
  const paths = () => [...knownFaults].sort();
  return {
    found(error) {
      const name = relative(root, error.path);
      if (knownFaults.has(name)) return;
      knownFaults.add(name);
      metrics.verifyFailed();
      log.error({file: name, reason: messageOf(error)}, "a served file is damaged");
      onDamage(paths());
    },
    paths,
    reasons: () => paths().map((path) => `file_damaged:${path}`),
    forget: () => knownFaults.clear(),
  };
}
