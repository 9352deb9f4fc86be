import {execFile, spawnSync} from "node:child_process";
import {promisify} from "node:util";
import {expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {deltaWorkshop, rollNumbers} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {recordsOf} from "./asking.ts";
import {everyParcel} from "./known-county.ts";
import type {Figures} from "./outside/attack.ts";
import type {Course, Sizes} from "./outside/phases.ts";
import {long, note, sizeOf} from "./table.ts";

const sizes: Sizes = {
  calm: long ? 60 : 4,
  rounds: sizeOf("C1O", {push: 1, long: 10}),
  peak: long ? 10 : 4,
  overload: long ? 20 : 4,
  mixed: sizeOf("O5", {push: 30, long: 600}),
  betweenNights: 8,
};

/** Private memory of the server and its readers that hostile replies may leave behind. */
const mostGrowthKib = 100 * 1024;
/** Memory is flat when its middle of the last part is so many times that of the first one at most. */
const flat = sizes.mixed >= 600 ? 1.05 : 1.25;

const mib = (kib: number) => (kib / 1024).toFixed(0);
const courseText = ({earlyKib, lateKib, tenthsKib}: Course) =>
  `${mib(earlyKib)} -> ${mib(lateKib)} MiB (by tenths ${tenthsKib.map(mib).join(" ")})`;

/** True where a process can have a network and mounts of its own: on Linux, as root. */
function canLeave(): boolean {
  const {status} = spawnSync("unshare", ["--net", "--mount", "ip", "link", "set", "lo", "up"]);
  return status === 0;
}

test.skipIf(!canLeave() && !long)(
  "C1, C3, O1: a server that is attacked from outside, through its own address check and TLS, stays as it is",
  async () => {
    const shop = deltaWorkshop(temporaryFolder(), everyParcel());
    shop.roll(rollNumbers(40));
    await build(shop.options());
    const attack = new URL("./outside/attack.ts", import.meta.url).pathname;
    const words = [temporaryFolder(), shop.root, shop.key, JSON.stringify(sizes)];
    const {stdout} = await promisify(execFile)(
      "unshare",
      ["--net", "--mount", "--kill-child", process.execPath, attack, ...words],
      {maxBuffer: 2 ** 24},
    );
    const {replies, address, many, mixed, end, idleKib} = JSON.parse(stdout) as Figures;

    const ratio = replies.besideMs / replies.aloneMs;
    note(
      "C1",
      `${replies.replies} nasty replies from outside, ${sizes.rounds} times`,
      `${replies.wrong.length} wrong; finds elsewhere: p99 ${replies.aloneMs.toFixed(0)} ms, ${replies.besideMs.toFixed(0)} ms beside them (${ratio.toFixed(2)}x); server and readers ${mib(idleKib)} MiB idle, ${mib(replies.beforeKib)} after the first discoveries, ${mib(replies.maxKib)} at most, ${mib(replies.afterKib)} after`,
    );
    note(
      "C3",
      "a county at loopback, one with a foreign certificate",
      `${address.statuses.join(" ")}, ${address.inwardCalls} connects to loopback`,
    );
    for (const run of many) {
      note(
        "O1",
        `${run.kind} at ${run.factor}x of ${run.peak.toFixed(1)} a second`,
        `${(100 * run.goodShare).toFixed(0)} % of the peak; ${run.refused} refused, p99 ${run.refusedMs.toFixed(0)} ms; of honest keys ${run.honestRefused} of ${run.honest} (${run.honestMissesRefused} of them misses${run.honestTold && `: ${run.honestTold}`}), p99 ${run.honestMs.toFixed(0)} ms; after 5 s ${run.laterWrong} refused, p99 ${run.laterMs.toFixed(0)} ms`,
      );
    }
    note(
      "O5",
      `${sizes.mixed} s of mixed load, 5 % misses, ${mixed.merged.length} builds`,
      `${mixed.asked} asked, ${mixed.wrong} wrong, ${mixed.missesRefused} misses refused, ${mixed.merged.at(-1)} finds in the last build; ${courseText(mixed.all)}; server ${courseText(mixed.server)}; readers ${courseText(mixed.readers)}`,
    );

    expect([end, replies.wrong, replies.missesWrong]).toEqual([null, [], 0]);
    expect(address).toEqual({statuses: [503, 503, 503], inwardCalls: 0});
    expect(many.map(({others}) => others)).toEqual([0, 0, 0, 0]);
    expect([mixed.wrong, mixed.merged.every((discoveries) => discoveries > 0)]).toEqual([0, true]);
    expect(replies.afterKib - replies.beforeKib).toBeLessThanOrEqual(mostGrowthKib);
    expect(mixed.all.lateKib).toBeLessThanOrEqual(mixed.all.earlyKib * flat);
    const {others, badLines} = await recordsOf(shop);
    expect([[...new Set(others)], badLines]).toEqual([["source"], 0]);
    // Times mean something on a machine that does nothing else.
    if (!long) return;
    expect(ratio).toBeLessThanOrEqual(1.5);
    for (const run of many) {
      expect(run.honestRefused).toBeLessThan(run.honest / 100);
      expect(run.goodShare).toBeGreaterThanOrEqual(0.8);
      expect(run.refusedMs).toBeLessThan(50);
      expect(run.laterWrong).toBe(0);
    }
  },
  1_200_000 + sizes.rounds * 60_000,
);
