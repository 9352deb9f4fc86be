import {join} from "node:path";
import {buildFolder, type DataFolder, dataFolder} from "../lib/storage/data-folder.ts";
import {build} from "../pipeline/publish/build.ts";
import {writeSample} from "../pipeline/sample/write-sample.ts";
import {wholeBuild} from "./raw-build.ts";
import {temporaryFolder} from "./temporary-folder.ts";

/** Writes the sample as of a day and publishes its build in a folder of this test file. Takes ten seconds. */
export async function sampleBuild(
  asOf: string,
  {keepModels = false} = {},
): Promise<{data: DataFolder; dir: string}> {
  const root = temporaryFolder();
  const rawDir = join(root, "sample");
  await writeSample(rawDir, asOf);
  const data = dataFolder(join(root, "data"));
  const {buildId} = await build(wholeBuild({rawDir, data, asOf, keepModels}));
  return {data, dir: buildFolder(data, buildId)};
}
