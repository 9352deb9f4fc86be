import {relative} from "node:path";
import type {Logger} from "pino";
import type {DamagedFileError} from "../../lib/storage/damaged-file.ts";
import type {Metrics} from "../http/metrics.ts";

/** The files in which answers met damage while they were served; a record of another file goes out as ever. */
export type DamagedFiles = {
  /** Takes what an answer met: the first time in a file it is logged and counted. */
  found(error: DamagedFileError): void;
  /** Paths below the data folder, sorted. */
  paths(): string[];
  /** Gives `file_damaged:` with each path. */
  reasons(): string[];
  /** Forgets them: another build is served, in which damage will be met again if it is there. */
  forget(): void;
};

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
