import {setPriority} from "node:os";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {projectStages} from "../../pipeline/parts/project-stages.ts";
import {build} from "../../pipeline/publish/build.ts";
import {wholeBuild} from "../../test/raw-build.ts";
import {layerEntry} from "../../test/server/cadastre/county-fixture.ts";

// A build in a process of its own, with the county of the soak beside the registered ones. Arguments: raw folder, data folder, the
// county's layer, the day. It sends the id of the build, and the parts that were held back.
const [rawDir = "", root = "", layer = "", asOf = ""] = process.argv.slice(2);
setPriority(10);
const stages = projectStages();
const options = wholeBuild({rawDir, data: dataFolder(root), asOf, now: () => new Date()});
const {buildId, heldBack} = await build({
  ...options,
  stages: {
    ...stages,
    layers: (country, state) => [
      ...stages.layers(country, state),
      ...(country === "US" && state === "TX" ? [layerEntry(layer)] : []),
    ],
  } as typeof options.stages,
});
process.send?.({buildId, heldBack});
