import {join} from "node:path";
import {expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {ask, deltaWorkshop, rollNumbers, until} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {fillDisk} from "./fill-disk.ts";
import {byNumber, everyParcel} from "./known-county.ts";
import {cannotMount, mountMemory, mountNewImage, unmount} from "./mounts.ts";
import {long, note, sizeOf} from "./table.ts";

const wanted = sizeOf("D6", {push: 0, long: 1}) > 0;
const reason = cannotMount();
if (reason !== null && long) throw new Error(`D6 ${reason}`);

const disks = [
  {kind: "tmpfs 4 MiB", mount: (folder: string) => mountMemory(folder, 4)},
  {kind: "ext4 64 MiB", mount: (folder: string) => mountNewImage(`${folder}.img`, folder, 64)},
];

test.runIf(wanted && reason === null).each(disks)(
  "D6: a full disk ($kind) stops storing, not answering, and storing goes on when there is room again",
  async ({kind, mount}) => {
    const shop = deltaWorkshop(temporaryFolder(), everyParcel());
    shop.roll(rollNumbers(20));
    await build(shop.options());
    mount(shop.data.delta);
    const server = await shop.start();
    try {
      let n = 0;
      const miss = async () => (await ask(shop, server, byNumber(`M${n++}`))).body;
      const before = await miss();
      const free = fillDisk(join(shop.data.delta, "filler"));
      await until(async () => (await miss()).metadata?.lookup.persisted === false);
      const during = await miss();
      const ready = (await ask(shop, server, "/readyz")).body;
      free();
      await until(async () => (await miss()).metadata?.lookup.persisted === true);
      const after = (await ask(shop, server, "/readyz")).body;
      note("D6", `full disk, ${kind}`, `answered without storing, degraded, stored again after ${n} misses`);
      expect([before.metadata?.lookup.persisted, during.metadata?.lookup.persisted]).toEqual([true, false]);
      expect([ready.reasons, after.status]).toEqual([["delta_not_writable"], "ready"]);
    } finally {
      await server.stop();
      unmount(shop.data.delta);
    }
  },
  120_000,
);
