import type {BuildOptions} from "../pipeline/parts/options.ts";
import {projectStages} from "../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";
import {silently} from "./silently.ts";

/**
 * Options of a silent build of everything in a raw folder, with the project's own stages, at six in the morning of its as-of
 * date.
 */
export function wholeBuild({
  rawDir,
  data,
  asOf,
  keepModels = false,
  now = () => new Date(`${asOf}T06:00:00Z`),
  listFiles = () => listRawFiles(rawDir),
}: Pick<BuildOptions, "rawDir" | "data" | "asOf"> &
  Partial<Pick<BuildOptions, "now" | "listFiles" | "keepModels">>): BuildOptions {
  return {
    rawDir,
    listFiles,
    data,
    asOf,
    only: null,
    noReuse: false,
    keepModels,
    acceptances: [],
    allowNetworkFs: true,
    stages: projectStages(),
    now,
    step: silently,
  };
}
