import {cpSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {deltaWorkshop, rollNumbers} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill, startChild} from "./children.ts";
import {everyParcel} from "./known-county.ts";
import {chosenSeed, type Ledger, missLoad, readBack, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const kills = sizeOf("D1", {push: 20, long: 1_000});

test(
  `D1: a server killed ${kills} times in the middle of misses loses no acknowledged parcel and serves none damaged`,
  async () => {
    const seed = chosenSeed();
    const origin = temporaryFolder();
    const first = deltaWorkshop(origin, everyParcel());
    first.roll(rollNumbers(20));
    await build(first.options());
    const ledger: Ledger = {acknowledged: new Set(), wrong: [], lost: [], answers: 0};
    const lanes = [0, 1].map(async (lane) => {
      const root = join(temporaryFolder(), "lane");
      cpSync(origin, root, {recursive: true, verbatimSymlinks: true});
      await killOften({root, key: first.key, lane, ledger, random: seeded(seed + lane), times: kills / 2});
    });
    await Promise.all(lanes);
    note(
      "D1",
      `${kills} kills of a server, 1 to 64 callers`,
      `${ledger.acknowledged.size} acknowledged, ${ledger.lost.length} lost, ${ledger.wrong.length} wrong of ${ledger.answers}`,
      seed,
    );
    expect(ledger.lost).toEqual([]);
    expect(ledger.wrong).toEqual([]);
    expect(ledger.acknowledged.size).toBeGreaterThan(kills);
  },
  kills * 30_000 + 60_000,
);

type Lane = {root: string; key: string; lane: number; ledger: Ledger; random: () => number; times: number};

async function killOften({root, key, lane, ledger, random, times}: Lane): Promise<void> {
  const own = new Set<string>();
  const shared: Ledger = {...ledger, acknowledged: own};
  let fresh: string[] = [];
  let n = 0;
  for (let round = 0; round <= times; round++) {
    const child = startChild("miss-server.ts", [root, key]);
    const place = {key, port: await child.ready};
    const last = round === times;
    // The parcels of the last round are read back with some older ones; in the end all are.
    const old = [...own].filter(() => last || random() < 5 / (own.size + 1));
    await readBack(place, shared, new Set([...fresh, ...old]));
    const before = new Set(own);
    let over = last;
    const callers = [1, 16, 64][Math.floor(random() * 3)]!;
    const load = missLoad(place, shared, {callers, nextId: () => `M${lane}-${n++}`, stop: () => over});
    // From the second answer on, so that there is something to lose, however slow the machine is.
    while (!last && own.size < before.size + 2) await sleep(1);
    await sleep(random() * 40);
    await kill(child);
    over = true;
    await load;
    fresh = [...own].filter((id) => !before.has(id));
  }
  for (const id of own) ledger.acknowledged.add(id);
  ledger.answers += shared.answers;
}
