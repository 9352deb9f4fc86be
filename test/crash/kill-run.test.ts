import {readdir} from "node:fs/promises";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {messageOf} from "../../lib/errors.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../lib/storage/manifest-file.ts";
import {build} from "../../pipeline/publish/build.ts";
import {type DeltaWorkshop, deltaWorkshop} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Child, kill, startChild} from "./children.ts";
import {everyParcel} from "./known-county.ts";
import {chosenSeed, type Ledger, missLoad, readBack, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const seconds = sizeOf("KILLRUN", {push: 0, long: 600});
const callers = 2;

type Run = {
  readonly shop: DeltaWorkshop;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly faults: string[];
  readonly counts: {servers: number; buildsKilled: number; builds: number; heldBack: number};
  over: boolean;
};

test.runIf(seconds > 0)(
  `B7: ${seconds} s of killing servers and builds under load with real misses lose nothing, and current is always whole`,
  async () => {
    const seed = chosenSeed();
    const shop = deltaWorkshop(temporaryFolder(), everyParcel());
    roll(shop, 400);
    await build(shop.options());
    const ledger: Ledger = {acknowledged: new Set(), wrong: [], lost: [], answers: 0};
    const counts = {servers: 0, buildsKilled: 0, builds: 0, heldBack: 0};
    const run: Run = {shop, ledger, random: seeded(seed), faults: [], counts, over: false};
    const lanes = [serveOn(run, "A"), serveOn(run, "B"), buildOn(run), watchCurrent(run)];
    await sleep(seconds * 1000);
    run.over = true;
    await Promise.all(lanes);
    await readAll(run);
    note(
      "B7",
      `${seconds} s of random kills, 2 servers, builds without pause`,
      `${counts.servers} servers and ${counts.buildsKilled} of ${counts.builds} builds killed, ${counts.heldBack} held back; ` +
        `${ledger.acknowledged.size} acknowledged, ${ledger.lost.length} lost, ${ledger.wrong.length} wrong of ${ledger.answers}, current broken ${run.faults.length} times`,
      seed,
    );
    expect([ledger.lost, ledger.wrong, run.faults]).toEqual([[], [], []]);
    expect(ledger.acknowledged.size).toBeGreaterThan(seconds);
  },
  seconds * 1000 + 300_000,
);

function roll(shop: DeltaWorkshop, rows: number): void {
  shop.roll(Array.from({length: rows}, (_, i) => `${1000 + i}-A`));
}

/**
 * A server under load that is killed after a while, and its successor, and so on; each reads some of what was acknowledged first. One in three
 * is killed wherever it is, also before its first answer; the others in the midst of their answers, however slow the machine is.
 */
async function serveOn(run: Run, lane: string): Promise<void> {
  let n = 0;
  while (!run.over) {
    const child = startChild("miss-server.ts", [run.shop.root, run.shop.key]);
    const place = {key: run.shop.key, port: await child.ready};
    const all = [...run.ledger.acknowledged];
    const some = Array.from(
      {length: Math.min(20, all.length)},
      () => all[Math.floor(run.random() * all.length)]!,
    );
    await readBack(place, run.ledger, some);
    let dead = false;
    const first = n;
    const load = missLoad(place, run.ledger, {
      callers,
      nextId: () => `M${lane}-${n++}`,
      stop: () => dead || run.over,
    });
    // A caller asks again when it was answered.
    const mayWait = run.random() > 1 / 3;
    while (mayWait && n <= first + callers && !run.over) await sleep(20);
    await sleep(200 + run.random() * 4_000);
    await kill(child);
    dead = true;
    run.counts.servers += 1;
    await load;
  }
}

/** One build after the other on inputs that change, some of which a gate refuses; every third is killed on its way. */
async function buildOn(run: Run): Promise<void> {
  for (let round = 0; !run.over; round++) {
    // A county that lost half its rows holds the state back.
    const isHeld = run.random() < 0.2;
    roll(run.shop, isHeld ? 200 : 400 + (round % 5));
    const child = startChild("build-once.ts", [run.shop.root, run.shop.key, "2026-11-21"]);
    run.counts.builds += 1;
    if (isHeld) run.counts.heldBack += 1;
    if (run.random() < 0.4) await killSoon(run, child);
    await child.ended;
    await sleep(run.random() * 500);
  }
}

async function killSoon(run: Run, child: Child): Promise<void> {
  await Promise.race([child.ended, sleep(300 + run.random() * 3_000)]);
  if (child.process.exitCode !== null) return;
  run.counts.buildsKilled += 1;
  await kill(child);
}

/** Looks all the time whether what `current` names is a complete, checked build. */
async function watchCurrent(run: Run): Promise<void> {
  const {data} = run.shop;
  while (!run.over) {
    try {
      const buildId = await currentBuildId(data);
      const dir = buildFolder(data, buildId ?? "");
      const faults = await buildFaults(dir, await readManifest(dir), {depth: "full"});
      run.faults.push(...faults.map(({path, fault}) => `${buildId} ${path} ${fault}`));
    } catch (error) {
      run.faults.push(messageOf(error));
    }
    await sleep(50);
  }
}

/** Looks every acknowledged parcel up, before and after one more build. */
async function readAll(run: Run): Promise<void> {
  const {shop, ledger} = run;
  for (const rows of [null, 410]) {
    if (rows !== null) {
      roll(shop, rows);
      expect((await build(shop.options())).heldBack).toEqual([]);
    }
    const child = startChild("miss-server.ts", [shop.root, shop.key]);
    await readBack({key: shop.key, port: await child.ready}, ledger, ledger.acknowledged);
    await kill(child);
  }
  const left = (await readdir(shop.data.builds)).filter((name) => name.startsWith(".tmp"));
  run.faults.push(...left.map((name) => `${name} was not swept`));
}
