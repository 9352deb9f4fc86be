import {readSettings} from "../../lib/settings.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";

/** Gives the data folder that a command works on: that of `--out`, else that of `CATTLE_DATA`. */
export function chosenData(out: string | undefined): DataFolder {
  return dataFolder(out ?? readSettings().CATTLE_DATA);
}

/** Gives today's date in UTC. */
export function today(now: Date = new Date()): string {
  return now.toISOString().slice(0, 10);
}
