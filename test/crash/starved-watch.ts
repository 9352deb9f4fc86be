import {closeSync, openSync} from "node:fs";
import {setTimeout as sleep} from "node:timers/promises";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {watchGenerations} from "../../server/generation/generation-watch.ts";
import {createMetrics} from "../../server/system/metrics.ts";
import {silentLog} from "../silent-log.ts";

// Opens the published build with no more than so many files left to open, then closes the others, and says what is served before
// and after. Arguments: the data folder, and the number of files left.
const [root = "", left = ""] = process.argv.slice(2);
const data = dataFolder(root);

const held: number[] = [];
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch {
  // No file can be opened any more.
}
for (let n = 0; n < Number(left); n++) closeSync(held.pop()!);
const watch = await watchGenerations(data, {
  openState: openStateArtifacts,
  pollMs: 100,
  log: silentLog,
  metrics: createMetrics(),
  afterCrash: false,
  prepare: async (generation) => generation,
  adopted: () => undefined,
});
const seen = () => `${watch.generation()?.buildId ?? "none"} ${watch.reasons().join()}`.trim();
const before = seen();
for (const fd of held) closeSync(fd);
for (let n = 0; n < 100 && watch.generation() === null; n++) await sleep(100);
process.send?.(`${before} | ${seen()}`);
watch.close();
process.disconnect?.();
