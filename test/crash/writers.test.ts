import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill} from "./children.ts";
import {chosenSeed, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";
import {startWriter} from "./writers.ts";

const kills = sizeOf("D5", {push: 0, long: 300});

test.runIf(kills > 0)(
  `D5: of two writers one is killed ${kills} times; a third process reads every acknowledged record and no bad line`,
  async () => {
    const seed = chosenSeed();
    const random = seeded(seed);
    const folder = join(temporaryFolder(), "delta");
    mkdirSync(folder);
    const acknowledged = new Set<string>();
    const read = new Set<string>();
    const reader = new DeltaReader(folder);
    const poll = () =>
      reader.poll(({record}) => {
        if (record.kind === "upsert") read.add(record.key.parcelId);
      });
    const writers = [0, 1].map((n) => startWriter([folder, `M${n}`], acknowledged));
    await Promise.all(writers.map(({ready}) => ready));
    for (let round = 0; round < kills; round++) {
      await sleep(50 + random() * 30);
      const victim = round % 2;
      await kill(writers[victim]!);
      await poll();
      writers[victim] = startWriter([folder, `M${round + 2}`], acknowledged);
      await writers[victim].ready;
    }
    await Promise.all(writers.map(kill));
    await sleep(100);
    await poll();
    const lost = [...acknowledged].filter((id) => !read.has(id));
    const bad = reader.segments().reduce((sum, {state}) => sum + state.badLines, 0);
    note(
      "D5",
      `${kills} kills of one of two writers`,
      `${acknowledged.size} acknowledged, ${lost.length} lost, ${bad} bad lines`,
      seed,
    );
    expect([lost, bad]).toEqual([[], 0]);
    expect(acknowledged.size).toBeGreaterThan(0);
  },
  kills * 5_000 + 30_000,
);
