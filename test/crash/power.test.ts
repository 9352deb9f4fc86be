import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill} from "./children.ts";
import {chosenSeed, seeded} from "./misses.ts";
import {cannotMount, copyImage, mountImage, mountNewImage, unmount} from "./mounts.ts";
import {long, note, sizeOf} from "./table.ts";
import {startWriter} from "./writers.ts";

const cuts = sizeOf("D7", {push: 0, long: 200});
const reason = cannotMount();
if (reason !== null && long) throw new Error(`D7 ${reason}`);

test.runIf(cuts > 0 && reason === null)(
  `D7: ${cuts} power cuts lose no acknowledged record, and without sync they do`,
  async () => {
    const seed = chosenSeed();
    const synced = await cutPower(cuts, "sync", seeded(seed));
    const control = await cutPower(Math.max(5, Math.round(cuts / 10)), "nosync", seeded(seed));
    note(
      "D7",
      `${cuts} power cuts on ext4, and a control without sync`,
      `${synced.acknowledged} acknowledged, ${synced.lost} lost, ${synced.bad} bad lines; control lost ${control.lost}`,
      seed,
    );
    expect([synced.lost, control.lost > 0]).toEqual([0, true]);
    expect(synced.acknowledged).toBeGreaterThan(cuts);
  },
  cuts * 10_000 + 60_000,
);

type Cut = {acknowledged: number; lost: number; bad: number};

/** Stops a writer on its own file system at random moments, and checks what a copy of the disk contains. */
async function cutPower(times: number, mode: string, random: () => number): Promise<Cut> {
  const root = temporaryFolder();
  const total: Cut = {acknowledged: 0, lost: 0, bad: 0};
  for (let round = 0; round < times; round++) {
    const [image, disk, copy] = [join(root, "disk.img"), join(root, "disk"), join(root, "copy.img")];
    mountNewImage(image, disk, 16);
    const folder = join(disk, "delta");
    mkdirSync(folder);
    const acknowledged = new Set<string>();
    const child = startWriter([folder, `M${round}`, mode], acknowledged);
    await child.ready;
    await sleep(20 + random() * 150);
    child.process.kill("SIGSTOP");
    await sleep(20);
    copyImage(image, copy);
    await kill(child);
    unmount(disk);
    const found = await readCopy(copy, join(root, "copy"));
    total.acknowledged += acknowledged.size;
    total.lost += [...acknowledged].filter((id) => !found.ids.has(id)).length;
    total.bad += found.bad;
  }
  return total;
}

async function readCopy(image: string, folder: string): Promise<{ids: Set<string>; bad: number}> {
  mountImage(image, folder);
  try {
    const ids = new Set<string>();
    const reader = new DeltaReader(join(folder, "delta"));
    await reader.poll(({record}) => {
      if (record.kind === "upsert") ids.add(record.key.parcelId);
    });
    return {ids, bad: reader.segments().reduce((sum, {state}) => sum + state.badLines, 0)};
  } finally {
    unmount(folder);
  }
}
