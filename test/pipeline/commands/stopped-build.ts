// A process that Ctrl-C stops in the middle of a build; its only argument is the data folder.
import {setTimeout as sleep} from "node:timers/promises";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {interruptible} from "../../../pipeline/commands/build-commands.ts";

await interruptible(
  dataFolder(process.argv[2]!),
  async () => {
    process.kill(process.pid, "SIGINT");
    await sleep(60_000);
  },
  process.argv[3],
);
