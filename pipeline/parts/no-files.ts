import {UsageError} from "../../lib/errors.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {BuildOptions} from "./options.ts";

/** The error for a part without usable files; it names a file of the part that was left out, and the states that exist. */
export function noFilesOf(
  state: string,
  {rawDir, stages}: BuildOptions,
  {parts, leftOut}: {parts: readonly {name: string}[]; leftOut: readonly FileReport[]},
): UsageError {
  const stateOf = new Map(stages.entries.map(({id, coverage}) => [id, coverage.state]));
  const unused = leftOut.find(
    ({path, unit}) => (path.startsWith("market/") ? MARKET : stateOf.get(unit)) === state,
  );
  if (unused !== undefined) {
    return new UsageError(`${state}: no raw file can be used: ${unused.path}: ${unused.reason}.`);
  }
  if (state === MARKET) return new UsageError(`No raw files of the market below ${rawDir}/market.`);
  const states = parts.map(({name}) => name).filter((name) => name !== MARKET);
  const there =
    states.length === 0 ? "there are none of any state" : `there are files of ${states.join(", ")}`;
  return new UsageError(`${state}: no raw files of this state below ${rawDir}; ${there}.`);
}
