import {writeSync} from "node:fs";
import {ownIdentity} from "@open-cattle/safe-files";
import {segmentFiles} from "../../lib/delta/segment-files.ts";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {discoveryOf} from "../delta/fake-county.ts";

// Appends discoveries until it is killed, and prints the number of each acknowledged one. Arguments: the delta folder, a name,
// and `nosync` for the control run, whose syncs do nothing.
const [folder = "", name = "", mode = ""] = process.argv.slice(2);

const unsynced = {
  remove: segmentFiles.remove,
  async create(path: string) {
    return {...(await segmentFiles.create(path)), datasync: async () => undefined};
  },
  syncFolder: async () => undefined,
};

const writer = new DeltaWriter({
  folder,
  writer: ownIdentity(),
  baseBuildId: "",
  ...(mode === "nosync" ? {files: unsynced} : {}),
});

let n = 0;
async function appendOn(): Promise<void> {
  for (;;) {
    const id = `${name}-${n++}`;
    if (await writer.append(discoveryOf({id, owner: "OWNER A"}).upsert)) writeSync(1, `${id}\n`);
  }
}

process.send?.(0);
await Promise.all(Array.from({length: 4}, appendOn));
