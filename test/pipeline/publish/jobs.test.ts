import {readFileSync} from "node:fs";
import {readdir} from "node:fs/promises";
import {setTimeout as sleep} from "node:timers/promises";
import {afterEach, beforeEach, expect, test} from "vitest";
import type {Step} from "../../../pipeline/parts/options.ts";
import {projectStages} from "../../../pipeline/parts/project-stages.ts";
import {inProcesses} from "../../../pipeline/parts/stage-jobs.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {writeSample} from "../../../pipeline/sample/write-sample.ts";
import {childProcesses} from "../../child-processes.ts";
import {contents, makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let shop: Workshop;
let other: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  other = await makeWorkshop();
});
afterEach(async () => {
  await shop.remove();
  await other.remove();
});

async function putParts({put}: Workshop): Promise<void> {
  await put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await put("parcels/us-ut-one/a.csv", parcels("49011", 50));
  await put("market/mars/a.csv", "mars,2026-08-20,250\n");
}

/** Stages that record how many of them run concurrently. */
function watched() {
  let [now, most] = [0, 0];
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    now += 1;
    most = Math.max(most, now);
    // Lets the others start.
    await sleep(20);
    return work().finally(() => {
      now -= 1;
    });
  };
  const stages: typeof testStages = {
    ...testStages,
    buildMarket: (input) => during(() => testStages.buildMarket(input)),
    buildState: (input) => during(() => testStages.buildState(input)),
  };
  return {stages, most: () => most};
}

test.each([1, 2, 5])("building %i parts at a time gives a byte-identical build", async (jobs) => {
  await putParts(shop);
  const whole = await build(shop.options());
  await putParts(other);
  const {stages, most} = watched();
  const made = await build(other.options({stages, jobs}));
  expect(most()).toBe(Math.min(jobs, 3));
  expect(made.report).toEqual(whole.report);
  expect(await contents(other, made.buildId)).toEqual(await contents(shop, whole.buildId));
});

test("a fault ends the build after the running parts have ended, and nothing is left behind", async () => {
  await putParts(shop);
  const {stages} = watched();
  const begun: string[] = [];
  const step: Step = async (title, work) => {
    begun.push(title);
    if (title === "AZ") throw new Error("the terminal is gone");
    return work(() => undefined);
  };
  await expect(build(shop.options({stages, jobs: 2, step}))).rejects.toThrow("the terminal is gone");
  expect(begun.length).toBeLessThan(4);
  expect(await readdir(shop.data.builds)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "worker processes build the sample's parts as this process does, and a killed one loses only its part",
  async () => {
    await writeSample(shop.raw, "2026-11-24");
    const stages = projectStages();
    const asOf = "2026-11-24";
    const whole = await build(shop.options({stages, asOf}));
    const at = (jobs: number) => ({
      rawDir: shop.raw,
      stages: inProcesses(stages, {futuresLicensed: false, decisions: {}, jobs}),
      jobs,
      asOf,
    });
    const step: Step = (title, work) => {
      if (title === "TX") for (const pid of makers()) process.kill(pid, "SIGKILL");
      return work(() => undefined);
    };
    const hurt = await build(other.options({...at(1), step}));
    expect(hurt.heldBack).toEqual([{part: "TX", because: "making it ended its process."}]);
    expect((await build(other.options(at(2)))).heldBack).toEqual([]);
    const third = await makeWorkshop();
    const made = await build(third.options(at(2)));
    expect(await contents(third, made.buildId)).toEqual(await contents(shop, whole.buildId));
    await third.remove();
  },
  600_000,
);

/** The child processes that build parts. */
function makers(): number[] {
  const isMaker = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("stage-program");
  return childProcesses(process.pid).filter(isMaker);
}
