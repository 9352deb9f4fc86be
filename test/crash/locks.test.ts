import {once} from "node:events";
import {mkdirSync, writeFileSync} from "node:fs";
import {readdir, rm, stat, utimes} from "node:fs/promises";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {ownIdentity} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {holdLease, lockBuild, readLeases, sweepRun} from "../../lib/process/run-folder.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {collectGarbage} from "../../pipeline/publish/gc.ts";
import {find} from "../lib/delta/records.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Child, kill, startChild} from "./children.ts";
import {fillDisk} from "./fill-disk.ts";
import {cannotMount, copyImage, mountImage, mountMemory, mountNewImage, unmount} from "./mounts.ts";
import {long, note, sizeOf} from "./table.ts";

const pairs = sizeOf("B4", {push: 50, long: 500});
const cuts = sizeOf("B9", {push: 2, long: 54});
const tries = sizeOf("B10", {push: 4, long: 26});
const reason = cannotMount();
if (reason !== null && long) throw new Error(`B9 ${reason}`);
const buildId = "20261121-3f9c1a";
const dead = JSON.stringify({...ownIdentity(), startTicks: "1"});

async function tell(child: Child, word: string): Promise<string> {
  const said = once(child.process, "message");
  child.process.send(word);
  return String((await said)[0]);
}

test(`B4: of ${pairs} pairs of processes that take over one dead or torn lock at once, one wins each time`, async () => {
  const data = dataFolder(temporaryFolder());
  mkdirSync(data.run, {recursive: true});
  const lock = join(data.run, "build.lock");
  const children = [0, 1].map(() => startChild("lock-taker.ts", [data.root]));
  try {
    await Promise.all(children.map(({ready}) => ready));
    const winners: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      writeFileSync(lock, pair % 2 === 0 ? dead : "");
      await utimes(lock, new Date(), new Date(Date.now() - 3_600_000));
      const said = await Promise.all(children.map((child) => tell(child, "take")));
      winners.push(said.filter((word) => word === "taken").length);
      for (const word of said) expect(word).toMatch(/^taken$|held by process|taking the lock first/);
      for (const child of children) await tell(child, "release");
    }
    expect(winners).toEqual(Array.from({length: pairs}, () => 1));
    expect(await readdir(data.run)).toEqual(["spare"]);
    note("B4", `${pairs} pairs take over one dead or torn lock`, "one winner each, nothing left");
  } finally {
    await Promise.all(children.map(kill));
  }
}, 300_000);

test.runIf(cuts > 0 && reason === null)(
  `B9: after ${cuts} power cuts within 9 s of a lock and a lease nothing is stuck, and locks made without sync are cut off`,
  async () => {
    let stuck = 0;
    let unwhole = 0;
    let control = 0;
    for (let done = 0; done < cuts; done += 9) {
      const at = Array.from({length: Math.min(9, cuts - done)}, (_, i) => (cuts < 9 ? 1 + 8 * i : 1 + i));
      const found = await cutAfter(at);
      stuck += found.stuck;
      unwhole += found.unwhole;
      control += found.control;
    }
    note(
      "B9",
      `${cuts} power cuts at 1 to 9 s after lock and lease`,
      `${stuck} stuck, ${unwhole} not whole; of those made without sync ${control} empty or lost`,
    );
    expect([stuck, unwhole, control > 0]).toEqual([0, 0, true]);
  },
  cuts * 10_000 + 60_000,
);

/** Looks at copies of a disk made so many seconds after a lock and a lease, as a power cut would leave it. */
async function cutAfter(
  seconds: readonly number[],
): Promise<{stuck: number; unwhole: number; control: number}> {
  const root = temporaryFolder();
  const [image, disk] = [join(root, "disk.img"), join(root, "disk")];
  mountNewImage(image, disk, 16);
  const holder = startChild("lock-taker.ts", [disk, buildId]);
  const started = performance.now();
  try {
    await holder.ready;
    expect(await tell(holder, "take")).toBe("taken");
    writeFileSync(join(disk, "control.lock"), dead);
    for (const second of seconds) {
      await sleep(Math.max(0, second * 1000 - (performance.now() - started)));
      copyImage(image, `${image}.${second}`);
    }
  } finally {
    await kill(holder);
    unmount(disk);
  }
  const total = {stuck: 0, unwhole: 0, control: 0};
  for (const second of seconds) {
    const copy = join(root, `copy-${second}`);
    mountImage(`${image}.${second}`, copy);
    try {
      const data = dataFolder(copy);
      total.unwhole += await unwholeFiles(data);
      if (await isStuck(data)) total.stuck += 1;
      // Empty, or not there yet: which of them depends on what else the machine writes.
      const size = await stat(join(copy, "control.lock")).then(
        (stats) => stats.size,
        () => 0,
      );
      if (size === 0) total.control += 1;
    } finally {
      unmount(copy);
    }
  }
  return total;
}

/** Locks and leases of a disk that are there under their own names and empty. */
async function unwholeFiles({run}: DataFolder): Promise<number> {
  const names = await readdir(run).catch(() => []);
  const sizes = await Promise.all(
    names
      .filter((name) => /(\.lock|\.json)$/.test(name))
      .map(async (name) => (await stat(join(run, name))).size),
  );
  return sizes.filter((size) => size === 0).length;
}

/** True where the commands do not take their lock at once, or a lease of the killed process stays. */
async function isStuck(data: DataFolder): Promise<boolean> {
  try {
    await collectGarbage(data);
    const {builds, dead: left, unreadable} = await readLeases(data);
    return builds.size + left.length + unreadable.length > 0;
  } catch {
    return true;
  }
}

const disks = [
  {kind: "tmpfs 4 MiB", mount: (folder: string) => mountMemory(folder, 4)},
  {kind: "ext4 16 MiB", mount: (folder: string) => mountNewImage(`${folder}.img`, folder, 16)},
];

test.runIf(tries > 0 && reason === null).each(disks)(
  "B10: on a full disk ($kind) gc still runs, the lease stays whole, tries leave no empty segment, and all go on afterwards",
  async ({kind, mount}) => {
    const root = join(temporaryFolder(), "data");
    mount(root);
    try {
      const data = dataFolder(root);
      mkdirSync(data.delta);
      await (await lockBuild(data))();
      const lease = holdLease(data);
      await lease.moveTo({build_id: buildId});
      let ms = 0;
      const delta = new DeltaWriter({
        folder: data.delta,
        writer: ownIdentity(),
        baseBuildId: "",
        elapsedMs: () => ms,
      });
      let failures = 0;
      for (let n = 0; n < tries; n++) {
        const free = fillDisk(join(root, "filler"), (n * 512) % 16_384);
        if (n === 0) await collectGarbage(data);
        free();
        await (await lockBuild(data))();
        // With spare bytes a lock finds room, without them it is refused.
        if (n % 2 === 1) await rm(join(data.run, "spare"));
        const fill = fillDisk(join(root, "filler"), (n * 512) % 16_384);
        await lockBuild(data).then(
          (release) => release(),
          () => failures++,
        );
        await lease.moveTo({build_id: "20261122-3f9c1a"}).catch(() => failures++);
        if (!(await delta.append(find(`N${n}`, {note: "x".repeat(200_000)})))) failures += 1;
        const {builds, unreadable} = await readLeases(data);
        expect([n, builds.size, unreadable]).toEqual([n, 1, []]);
        fill();
        await lease.moveTo({build_id: buildId});
        ms += 60_000;
      }
      const empty = (await readdir(data.delta)).length;
      expect([await delta.append(find("LAST")), failures > 0]).toEqual([true, true]);
      await delta.close();
      await (await lockBuild(data))();
      await lease.release();
      await sweepRun(data, Date.now() + 120_000);
      expect([empty, await readdir(data.run)]).toEqual([0, ["spare"]]);
      note(
        "B10",
        `${kind} full at ${tries} x lock, lease and segment`,
        `${failures} writes refused, 0 stuck, 0 empty segments`,
      );
    } finally {
      await rm(join(root, "filler"), {force: true});
      unmount(root);
    }
  },
  300_000,
);
