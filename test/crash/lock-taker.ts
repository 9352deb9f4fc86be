import {holdLease, lockBuild} from "../../lib/process/run-folder.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";

// Takes the build lock of a data folder whenever it is told to, and says whether it has it; a lock is held until it is told to
// release it. Arguments: the data folder, and the build that a lease names, if one is wanted.
const [root = "", buildId] = process.argv.slice(2);
const data = dataFolder(root);
let release: (() => Promise<void>) | null = null;

async function obey(word: unknown): Promise<string> {
  if (word === "release") {
    await release?.();
    release = null;
    return "released";
  }
  try {
    release = await lockBuild(data);
    return "taken";
  } catch (error) {
    return String(error);
  }
}

if (buildId !== undefined) await holdLease(data).moveTo({build_id: buildId});
process.on("message", (word) => void obey(word).then((said) => process.send?.(said)));
process.send?.(0);
