import {buildFolder, buildIds, type DataFolder} from "./data-folder.ts";
import {readManifest} from "./manifest.ts";

/** A build folder with the instant of its build (ms); 0 when its manifest cannot be read. */
type RetainedBuild = {readonly buildId: string; readonly builtAt: number};

/** The builds of a data folder, the newest first; those whose age cannot be read come last. */
export async function retainedBuilds(data: DataFolder): Promise<RetainedBuild[]> {
  const builds = await Promise.all((await buildIds(data)).map((buildId) => withAge(data, buildId)));
  return builds.sort((a, b) => b.builtAt - a.builtAt || (a.buildId < b.buildId ? 1 : -1));
}

async function withAge(data: DataFolder, buildId: string): Promise<RetainedBuild> {
  const manifest = await readManifest(buildFolder(data, buildId)).catch(() => null);
  return {buildId, builtAt: manifest === null ? 0 : Date.parse(manifest.built_at)};
}
