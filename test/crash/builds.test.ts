import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {currentBuildId} from "../../lib/storage/data-folder.ts";
import {build} from "../../pipeline/publish/build.ts";
import {rollback} from "../../pipeline/publish/publish.ts";
import {ask, type DeltaWorkshop, deltaWorkshop, until} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill, startChild} from "./children.ts";
import {everyParcel} from "./known-county.ts";
import {chosenSeed, type Ledger, missLoad, type Place, readBack, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const builds = sizeOf("B7", {push: 0, long: 50});

function roll(shop: DeltaWorkshop, rows: number): void {
  shop.roll(Array.from({length: rows}, (_, i) => `${1000 + i}-A`));
}

async function publishedShop(): Promise<DeltaWorkshop> {
  const shop = deltaWorkshop(temporaryFolder(), everyParcel());
  roll(shop, 100);
  await build(shop.options());
  return shop;
}

const newLedger = (): Ledger => ({acknowledged: new Set(), wrong: [], lost: [], answers: 0});

/** Starts a few misses per second; returns a function that stops them. */
function startMisses(place: Place, ledger: Ledger): () => Promise<void> {
  let over = false;
  let n = 0;
  const load = missLoad(place, ledger, {callers: 2, nextId: () => `M${n++}`, stop: () => over, pauseMs: 40});
  return () => {
    over = true;
    return load;
  };
}

/** Waits until a build is served, at most the minute that the promise allows. */
async function untilServed(place: Place, buildId: string | null): Promise<void> {
  const end = performance.now() + 60_000;
  while ((await ask(place, place, "/readyz")).body.build_id !== buildId) {
    if (performance.now() > end) throw new Error(`${buildId} was not served within a minute`);
    await sleep(25);
  }
}

test.runIf(builds > 0)(
  `B7: with misses during ${builds} builds, some killed and some held back, all that was acknowledged is found after each publish`,
  async () => {
    const seed = chosenSeed();
    const random = seeded(seed);
    const shop = await publishedShop();
    const server = startChild("miss-server.ts", [shop.root, shop.key]);
    const place = {key: shop.key, port: await server.ready};
    const ledger = newLedger();
    const endMisses = startMisses(place, ledger);
    const counts = {killed: 0, heldBack: 0, published: 0};
    for (let round = 0; round < builds; round++) {
      const before = await currentBuildId(shop.data);
      // A county that lost half its rows holds the state back.
      const isHeld = random() < 0.2;
      roll(shop, isHeld ? 50 : 100 + (round % 5));
      const child = startChild("build-once.ts", [shop.root, shop.key, "2026-11-21"]);
      if (isHeld) counts.heldBack += 1;
      if (random() < 0.3) {
        await Promise.race([child.ended, sleep(200 + random() * 1_500)]);
        if (child.process.exitCode === null) counts.killed += 1;
        await kill(child);
      }
      await child.ended;
      const after = await currentBuildId(shop.data);
      if (after === before) continue;
      counts.published += 1;
      await untilServed(place, after);
      await readBack(place, ledger, new Set(ledger.acknowledged));
    }
    await endMisses();
    await readBack(place, ledger, ledger.acknowledged);
    await kill(server);
    note(
      "B7",
      `misses during ${builds} builds`,
      `${counts.killed} killed, ${counts.heldBack} held back, ${counts.published} published; ` +
        `${ledger.acknowledged.size} acknowledged, ${ledger.lost.length} lost, ${ledger.wrong.length} wrong of ${ledger.answers}`,
      seed,
    );
    expect([ledger.lost, ledger.wrong]).toEqual([[], []]);
    expect(ledger.acknowledged.size).toBeGreaterThan(builds);
  },
  builds * 20_000 + 60_000,
);

test("B8: under load with misses, going back and forward twice is served each time and loses no found parcel", async () => {
  const shop = await publishedShop();
  const server = await shop.start();
  const place = {key: shop.key, port: server.port};
  const ledger = newLedger();
  const endMisses = startMisses(place, ledger);
  try {
    await until(async () => ledger.acknowledged.size > 10);
    const old = (await currentBuildId(shop.data))!;
    const {buildId: fresh} = await build(shop.options());
    await untilServed(place, fresh);
    const seconds: number[] = [];
    for (const target of [old, fresh, old, fresh]) {
      const started = performance.now();
      await rollback(shop.data, target);
      await untilServed(place, target);
      seconds.push((performance.now() - started) / 1000);
      await readBack(place, ledger, new Set(ledger.acknowledged));
    }
    await endMisses();
    const slowest = Math.max(...seconds);
    note(
      "B8",
      "twice back and forward under load with misses",
      `at most ${slowest.toFixed(1)} s; ${ledger.acknowledged.size} acknowledged, ${ledger.lost.length} lost, ${ledger.wrong.length} wrong`,
    );
    expect([ledger.lost, ledger.wrong]).toEqual([[], []]);
  } finally {
    await endMisses();
    await server.stop();
  }
}, 300_000);
