import {ConfigError} from "../../lib/errors.ts";
import {readSettings} from "../../lib/settings.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {buildClock} from "../publish/options.ts";

/** Gives the data folder that a command works on: that of `--out`, else that of `CATTLE_DATA`. */
export function chosenData(out: string | undefined): DataFolder {
  return dataFolder(out ?? readSettings().CATTLE_DATA);
}

/** Gives today's date in UTC. */
export function today(now: Date = new Date()): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Gives the clock of a run: that of the machine, or the instant at which `SOURCE_DATE_EPOCH` lets it stand. Throws a
 * `ConfigError` for a value that is no number of seconds.
 */
export function runClock(): () => Date {
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  if (epoch !== undefined && epoch !== "" && !/^\d{1,11}$/.test(epoch)) {
    throw new ConfigError(`SOURCE_DATE_EPOCH: ${JSON.stringify(epoch)} is not a number of seconds.`);
  }
  return buildClock(epoch);
}
