import {dataFolder} from "../../lib/storage/data-folder.ts";
import {placeFile} from "../../pipeline/add/place-file.ts";
import {collectGarbage} from "../../pipeline/publish/gc.ts";
import {publishBuild} from "../../pipeline/publish/publish.ts";

// A command in its own process, to be killed while it works. Arguments: the command, the data folder, and a build or a file. It
// sends 0 at its start and 1 at its end.
const [command = "", root = "", argument = ""] = process.argv.slice(2);
const data = dataFolder(root);
const commands: Record<string, () => Promise<unknown>> = {
  gc: () => collectGarbage(data, Number(argument)),
  publish: () => publishBuild(data, argument),
  add: () =>
    placeFile({
      source: argument,
      rawDir: data.raw,
      folder: {kind: "market", feedOrEntryId: "mars"},
      meta: {retrieved_at: "2026-08-20T00:00:00Z"},
    }),
};
process.send?.(0);
await commands[command]!();
process.send?.(1);
