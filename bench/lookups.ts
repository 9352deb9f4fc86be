import {spawnSync} from "node:child_process";
import {setImmediate as nextTurn} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {mapFile} from "@open-cattle/mapped-index";
import Flatbush from "flatbush";
import {around} from "geoflatbush";
import type {StateArtifacts} from "../lib/parcels/parcel-set.ts";
import {readSettings} from "../lib/read-settings.ts";
import {privateKib} from "../lib/system/process-figures.ts";
import type {Generation} from "../server/generation/generation.ts";
import {answerDirectly} from "../server/http/direct-answer.ts";
import {deployedFlags} from "./http/child.ts";
import {machineLine} from "./machine.ts";
import {type QuestionKind, questionKinds} from "./parcels/questions.ts";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "./parcels/state.ts";

/**
 * In-process parcel lookups on invented Texas states: median microseconds from parameters to the bytes of the answer by kind of
 * question, the time of the bare index call for the same hits of a location, the time to open a state, and private memory.
 *
 *   node bench/lookups.ts [rows …]      default: 1,000,000, 5,000,000 and 14,000,000
 *
 * Each size runs in its own process, with the files in the page cache.
 */
const settings = readSettings({});
const questionsOfKind = 200;
const mostTurns = 20_000;
const kmPerMile = 1.609344;

type Figures = {
  openMs: number;
  openedMb: number;
  askedMb: number;
  bareUs: number;
  medians: Record<string, number>;
  slowest: Record<string, number>;
};

const [first, second] = process.argv.slice(2);
if (first === "--measure") await printFigures(Number(second));
else await compare(process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1e6, 5e6, 14e6]);

async function compare(sizes: readonly number[]): Promise<void> {
  const measured: Figures[] = [];
  for (const rows of sizes) {
    await benchState(rows);
    measured.push(figuresOf(rows));
  }
  console.log(machineLine());
  const named = sizes.map((rows) => `${rows / 1e6} M rows`);
  const table: Record<string, Record<string, string>> = {};
  for (const kind of Object.keys(measured[0]!.medians)) {
    const medians = measured.map(({medians}) => medians[kind] ?? Number.NaN);
    table[kind] = {
      ...Object.fromEntries(named.map((name, i) => [name, medians[i]!.toFixed(0)])),
      "p99 at the last": measured.at(-1)!.slowest[kind]!.toFixed(0),
      growth: (medians.at(-1)! / medians[0]!).toFixed(2),
    };
  }
  console.log("\nmicroseconds of a lookup, median");
  console.table(table);
  console.log("\nlocation of 1 mile beside the bare index call for the same hits; opening; private memory");
  console.table(Object.fromEntries(measured.map((figures, i) => [named[i]!, summary(figures)])));
}

function summary({openMs, openedMb, askedMb, bareUs, medians}: Figures): Record<string, string> {
  const whole = medians["location, 10 of 1 mile"]!;
  return {
    "lookup µs": whole.toFixed(0),
    "bare call µs": bareUs.toFixed(0),
    ratio: (whole / bareUs).toFixed(2),
    "open ms": openMs.toFixed(0),
    "RssAnon MB, opened": openedMb.toFixed(0),
    "RssAnon MB, asked": askedMb.toFixed(0),
  };
}

function figuresOf(rows: number): Figures {
  const words = [...deployedFlags, fileURLToPath(import.meta.url), "--measure", String(rows)];
  const run = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new Error(`measuring ${rows} rows failed`);
  return JSON.parse(run.stdout) as Figures;
}

async function printFigures(rows: number): Promise<void> {
  const folder = await benchState(rows);
  const started = performance.now();
  const set = openBenchState(folder, rows);
  const members = [set.parcels, set.ids, set.addresses, set.owners, set.points];
  if (members.includes(null)) throw new Error("the state has no points");
  const openMs = performance.now() - started;
  const openedMb = privateMb();
  const generation = benchGeneration(set);
  const medians: Record<string, number> = {};
  const slowest: Record<string, number> = {};
  for (const kind of questionKinds(set)) {
    const times = await measure(generation, kind);
    medians[kind.name] = quantile(times, 0.5);
    slowest[kind.name] = quantile(times, 0.99);
  }
  const askedMb = privateMb();
  const figures: Figures = {
    openMs,
    openedMb,
    askedMb,
    bareUs: quantile(bareTimes(folder, set), 0.5),
    medians,
    slowest,
  };
  console.log(JSON.stringify(figures));
}

/** Sorted microseconds of the questions whose hit counts lie within the kind's bounds, each asked once before it is timed. */
async function measure(generation: Generation, kind: QuestionKind): Promise<number[]> {
  const turns = await fittingTurns(generation, kind);
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (const turn of turns) {
      // Each question gets its own event-loop turn, as in a server, so that it verifies what it reads.
      await nextTurn();
      const started = performance.now();
      await ask(generation, kind, turn);
      if (round > 0) times.push((performance.now() - started) * 1000);
    }
  }
  return times.sort((a, b) => a - b);
}

async function fittingTurns(generation: Generation, kind: QuestionKind): Promise<number[]> {
  const [least, most] = kind.hits;
  const wanted = kind.most ?? questionsOfKind;
  const turns: number[] = [];
  for (let turn = 0; turn < mostTurns && turns.length < wanted; turn++) {
    const hits = hitsOf(await ask(generation, kind, turn));
    if (hits >= least && hits <= most) turns.push(turn);
  }
  if (turns.length < Math.min(20, wanted))
    throw new Error(`${kind.name}: ${turns.length} questions within bounds`);
  return turns;
}

async function ask(generation: Generation, kind: QuestionKind, turn: number): Promise<string | null> {
  const {path, values} = kind.ask(turn);
  const endpoint = benchEndpoints.find((each) => each.path.endsWith(path))!;
  const {ok, body} = await answerDirectly(endpoint, values, {generation, settings});
  return ok ? body : null;
}

function hitsOf(body: string | null): number {
  if (body === null) return 0;
  const {metadata} = JSON.parse(body) as {metadata: {total?: number}};
  return metadata.total ?? 1;
}

/** Sorted microseconds of the library's own search for all rows within a mile, over the same file. */
function bareTimes(folder: string, {parcels}: StateArtifacts): number[] {
  const index = Flatbush.from(mapFile(`${folder}/parcels.flatbush`).buffer);
  const times: number[] = [];
  for (let turn = 0; turn < 3 * questionsOfKind; turn++) {
    const row = (turn * 7_919_011 + 13) % parcels.rows;
    const [lon, lat] = [parcels.number("lon").at(row)!, parcels.number("lat").at(row)!];
    const started = performance.now();
    const rows = around(index, lon, lat, Number.POSITIVE_INFINITY, kmPerMile);
    if (turn >= questionsOfKind && rows.length > 0) times.push((performance.now() - started) * 1000);
  }
  return times.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

function privateMb(): number {
  return privateKib(process.pid) / 1024;
}
