import {PlayedMisses, playedCounties, sumsOf} from "../test/server/cadastre/played-misses.ts";
import {machineLine} from "./machine.ts";

/**
 * Which counties get an answer on a miss: each county of the United States is asked for one invented parcel, with the registry as
 * shipped, and the layers played on loopback as broken as the public survey of 2026-09-22 found them. Before: the first layer of a county
 * is asked alone, and Montana's and Nevada's do not answer. Now: the next layer, too.
 *
 *   node bench/misses.ts [seed] [every n-th county]      default: 49 and 1
 *
 * Exits with 1 if a miss took longer than its deadline.
 */
const [seed = "49", every = "1"] = process.argv.slice(2);
const totalMs = 8_000;
/** What answering takes beyond the deadline, on a busy machine. */
const slackMs = 250;

console.log(machineLine());
const counties = playedCounties(seed).filter((_, i) => i % Number(every) === 0);
const ask = (before: boolean) => new PlayedMisses(counties).ask({before, totalMs, atOnce: 2});
const [before, now] = [sumsOf(await ask(true)), sumsOf(await ask(false))];
const share = (found: number, all: number) => `${found} (${((100 * found) / all).toFixed(1)} %)`;
console.log(
  `| layers of the county | counties | answered before | now | slowest before, now: ms of ${totalMs} |\n|---|---|---|---|---|`,
);
for (const [i, {kind, counties: all, found, slowestMs}] of now.entries())
  console.log(
    `| ${kind} | ${all} | ${share(before[i]!.found, all)} | ${share(found, all)} | ${before[i]!.slowestMs}, ${slowestMs} |`,
  );
console.log(
  `seed ${seed}: the survey counts the broken layers, and names few of the counties; the others are drawn`,
);
const late = [...before, ...now].filter(({slowestMs}) => slowestMs > totalMs + slackMs);
if (late.length > 0) {
  console.error(`misses took longer than their deadline: ${late.map(({kind}) => kind).join(", ")}`);
  process.exitCode = 1;
}
