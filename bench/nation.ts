import {mkdirSync, mkdtempSync, rmSync, statSync} from "node:fs";
import {loadavg, tmpdir} from "node:os";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {tenth} from "./figures.ts";
import {machineLine} from "./machine.ts";
import {measureServing, readyMs, type Serving} from "./nation/serving.ts";
import {states as allStates, entryOf, type State, writeRegistry, writeRoll} from "./nation/states.ts";
import {runWell} from "./run-cattle.ts";

/**
 * Invented states on one machine: each built as a part, all assembled and served together; then an estimate for the nation.
 *
 *   node bench/nation.ts [rows] [states]      default: 500,000 rows in each of ten states
 *   BENCH_BIN=…/bin/cattle.js                 the server of an installed package, whose files are compiled
 *
 * A first part with a fifth of the rows shows whether time grows linearly. Parts are assembled two at a time, the last one alone, and
 * then deleted, like the rolls once their parts are made, so that the disk holds the build and two parts. One run each; the first line
 * shows the machine's load at the start.
 */
const rows = Number(process.argv[2] ?? 500_000);
const states = allStates.slice(0, Number(process.argv[3] ?? allStates.length));
const asOf = "2026-11-21";
const nation = 160e6;
const statesOfNation = 50;

const root = mkdtempSync(join(tmpdir(), "bench-nation-"));
try {
  await main();
} finally {
  rmSync(root, {recursive: true, force: true});
}

async function main(): Promise<void> {
  console.log(`${machineLine()}, load ${loadavg()[0]!.toFixed(1)}`);
  const env = {CATTLE_REGISTRY: writeRegistry(root), CATTLE_DATA: join(root, "data")};
  mkdirSync(env.CATTLE_DATA);
  const small = await part(states.at(-1)!, Math.ceil(rows / 5), env, "small");
  const parts = new Map<string, Spent>();
  const assembled: Spent[] = [];
  let firstReadyMs = 0;
  for (const together of rounds()) {
    for (const state of together) parts.set(state, await part(state, rows, env, state));
    assembled.push(await spent(["assemble", ...together.map(partDir)], env));
    rmSync(join(root, "parts"), {recursive: true});
    if (assembled.length === 1) firstReadyMs = await readyMs(env);
  }
  console.log(`\nparts of ${rows.toLocaleString("en")} rows, one after the other`);
  console.table(
    Object.fromEntries(
      [...parts].map(([state, {seconds, cpuSeconds, peakMb}]) => [
        state,
        {seconds: tenth(seconds), "CPU seconds": tenth(cpuSeconds), "peak MB": peakMb},
      ]),
    ),
  );
  const served = await measureServing(env, states);
  const bytes = await bytesBelow(join(env.CATTLE_DATA, "current", "/"));
  printGrowth({
    small,
    parts: [...parts.values()],
    assembled: [assembled[0]!, assembled.at(-1)!],
    bytes,
    served,
    firstReadyMs,
  });
}

/** The states assembled in each round. The first state comes last and alone, so that the previous build is one without it. */
function rounds(): State[][] {
  const [first, ...others] = states as [State, ...State[]];
  const pairs = Array.from({length: Math.ceil(others.length / 2)}, (_, i) => others.slice(2 * i, 2 * i + 2));
  return [...pairs, [first]];
}

function partDir(name: string): string {
  return join(root, "parts", name);
}

async function part(state: State, count: number, env: Record<string, string>, name: string): Promise<Spent> {
  const raw = join(root, "raw");
  await writeRoll(raw, state, count);
  const words = ["build", "--raw", raw, "--state", state, "--as-of", asOf, "--part", partDir(name)];
  const taken = await spent(words, env);
  rmSync(join(raw, "parcels", entryOf(state)), {recursive: true});
  return taken;
}

/** The cost of a command in its own process. */
type Spent = {readonly seconds: number; readonly cpuSeconds: number; readonly peakMb: number};

async function spent(words: readonly string[], env: Record<string, string>): Promise<Spent> {
  const {seconds, own} = await runWell(words, env);
  return {seconds, cpuSeconds: own.cpuMs / 1_000, peakMb: Math.round(own.residentKib / 1_024)};
}

type Measured = {
  small: Spent;
  parts: readonly Spent[];
  assembled: readonly [firstTwo: Spent, one: Spent];
  bytes: number;
  served: Serving;
  /** Of the build of the first two states. */
  firstReadyMs: number;
};

/** Prints the growth, and an extrapolation to the nation. */
function printGrowth({
  small,
  parts,
  assembled: [firstTwo, one],
  bytes,
  served,
  firstReadyMs,
}: Measured): void {
  const sum = parts.reduce((total, {seconds}) => total + seconds, 0);
  const all = rows * parts.length;
  const perMillion = (seconds: number, count: number) => tenth((seconds / count) * 1e6);
  console.log(
    "\nseconds for a million rows; a figure that falls or stays shows that the work grows with the rows and not faster",
  );
  console.table({
    [`part of ${(rows / 5).toLocaleString("en")} rows`]: {
      seconds: perMillion(small.seconds, rows / 5),
      "peak MB": small.peakMb,
    },
    [`parts of ${rows.toLocaleString("en")} rows`]: {
      seconds: perMillion(sum, all),
      "peak MB": Math.max(...parts.map(({peakMb}) => peakMb)),
    },
    "assembling the first two": {seconds: perMillion(firstTwo.seconds, 2 * rows), "peak MB": firstTwo.peakMb},
    "assembling one, linking the others": {seconds: perMillion(one.seconds, all), "peak MB": one.peakMb},
  });
  const times = nation / all;
  const readyMsOfState = (served.readyMs - firstReadyMs) / (parts.length - 2);
  const hours = (seconds: number) => `${tenth((seconds * times) / 3600)} h`;
  console.log(`\ncomputed from that for ${nation / 1e6} M rows in ${statesOfNation} states`);
  console.table({
    "all parts, one machine": {takes: hours(sum)},
    "all parts, 8 machines like this": {takes: hours(sum / 8)},
    "assembling all parts": {takes: hours((firstTwo.seconds * all) / (2 * rows))},
    "assembling one state, linking the rest": {takes: hours(one.seconds)},
    "a build on disk": {takes: `${Math.round((bytes * times) / 1e9)} GB`},
    "start to ready": {
      takes: `${tenth((served.readyMs + readyMsOfState * (statesOfNation - parts.length)) / 1000)} s`,
    },
    "private memory of a server, opened": {
      takes: `${Math.round((served.anonMb / parts.length) * statesOfNation)} MB at most`,
    },
  });
  console.log(
    `here: ${Math.round(bytes / 1e6)} MB on disk (${Math.round(bytes / all)} bytes a row), ready after ${Math.round(served.readyMs)} ms (${Math.round(firstReadyMs)} ms with two states), ${served.anonMb} MB private when opened, ${served.askedMb} MB when asked`,
  );
}

async function bytesBelow(folder: string): Promise<number> {
  return (await filesBelow(folder)).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
}
