import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from "node:fs";
import {cpus, loadavg, tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {type Kind, quantile, questions, timesOf} from "./nation/questions.ts";
import {cattle, type Spent} from "./nation/run.ts";
import {type Served, serve} from "./nation/server.ts";
import {states as allStates, entryOf, type State, writeRegistry, writeRoll} from "./nation/states.ts";

/**
 * Invented states on one machine: each built as a part, all assembled, served together; then what a nation would take.
 *
 *   node bench/nation.ts [rows] [states]      500,000 rows in each of ten states unless said otherwise
 *
 * A first part of a fifth of the rows shows whether time grows with the rows. Parts are assembled two at a time, the last one alone, and
 * removed then, as their rolls were when the parts were made: the disk holds the build and two parts. One run each; the load of the
 * machine at its start stands in the first line.
 */
const rows = Number(process.argv[2] ?? 500_000);
const states = allStates.slice(0, Number(process.argv[3] ?? allStates.length));
const asOf = "2026-11-21";
const nation = 160e6;
const statesOfNation = 50;
const asked = 200;
const askedCold = 20;

const root = mkdtempSync(join(tmpdir(), "bench-nation-"));
try {
  await main();
} finally {
  rmSync(root, {recursive: true, force: true});
}

async function main(): Promise<void> {
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.versions.node}`;
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}, load ${loadavg()[0]!.toFixed(1)}`);
  const env = {CATTLE_REGISTRY: writeRegistry(root), CATTLE_DATA: join(root, "data")};
  mkdirSync(env.CATTLE_DATA);
  const small = await part(states.at(-1)!, Math.ceil(rows / 5), env, "small");
  const parts = new Map<string, Spent>();
  const assembled: Spent[] = [];
  for (const states of rounds()) {
    for (const state of states) parts.set(state, await part(state, rows, env, state));
    assembled.push(await cattle(["assemble", ...states.map(partDir)], env));
    rmSync(join(root, "parts"), {recursive: true});
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
  const served = await measureServing(env);
  const bytes = bytesBelow(join(env.CATTLE_DATA, "current", "/"));
  printGrowth({
    small,
    parts: [...parts.values()],
    assembled: [assembled[0]!, assembled.at(-1)!],
    bytes,
    served,
  });
}

/** The states whose parts are assembled together; the first state comes last, alone, so that the build before is one without it. */
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
  const spent = await cattle(words, env);
  rmSync(join(raw, "parcels", entryOf(state)), {recursive: true});
  return spent;
}

type Serving = {readyMs: number; anonMb: number; askedMb: number};

async function measureServing(env: {CATTLE_DATA: string; CATTLE_REGISTRY: string}): Promise<Serving> {
  const key = (await cattle(["keys", "create", "--label", "bench"], env)).output.trim().split(/\s+/).at(-1)!;
  const current = join(env.CATTLE_DATA, "current");
  const made = await questions(join(current, "tables"), (2 * asked) / states.length);
  const kinds = await withAnswers(made, env, key);
  const cold = new Map<string, number[]>();
  for (const {name, asked: all} of kinds) {
    // What a kind reads first must not be what another kind left in memory.
    forget(join(current, "serving"));
    const server = await serve(env, key);
    cold.set(name, await timesOf(server, all.slice(0, askedCold)).finally(() => server.stop()));
  }
  const server = await serve(env, key);
  try {
    const anonMb = server.anonMb();
    const warm = new Map<string, number[]>();
    for (const {name, asked: all} of kinds) {
      await timesOf(server, all);
      warm.set(name, await timesOf(server, all));
    }
    console.log(
      `\nmilliseconds of a lookup over HTTP, ${asked} questions over all states (cold: the first ${askedCold} after a start)`,
    );
    console.table(
      Object.fromEntries(
        kinds.map(({name}) => [
          name,
          {
            "warm median": tenth(quantile(warm.get(name)!, 0.5)),
            "warm p99": tenth(quantile(warm.get(name)!, 0.99)),
            "cold median": tenth(quantile(cold.get(name)!, 0.5)),
            "cold worst": tenth(cold.get(name)!.at(-1)!),
          },
        ]),
      ),
    );
    await swapWhileAsked(server, kinds, env);
    return {readyMs: server.readyMs, anonMb, askedMb: server.anonMb()};
  } finally {
    await server.stop();
  }
}

/** The kinds with those of their questions that have one answer. */
async function withAnswers(made: readonly Kind[], env: Record<string, string>, key: string): Promise<Kind[]> {
  const server = await serve(env, key);
  try {
    const kinds = [];
    for (const {name, asked: all} of made) {
      const answered = [];
      for (const each of all) if (await server.answers(each.path)) answered.push(each);
      if (answered.length < asked)
        throw new Error(`${name}: only ${answered.length} questions have an answer`);
      kinds.push({name, asked: answered.slice(0, asked)});
    }
    return kinds;
  } finally {
    await server.stop();
  }
}

/** Publishes the build without the first state, and the one with it again, while questions are asked, and prints what those met. */
async function swapWhileAsked(
  server: Served,
  kinds: readonly Kind[],
  env: Record<string, string>,
): Promise<void> {
  // Both builds have these parcels.
  const paths = kinds.flatMap(({name, asked: all}) =>
    name.includes("without") ? all.flatMap(({state, path}) => (state === states[0] ? [] : path)) : [],
  );
  const times: number[] = [];
  let done = false;
  const ask = async () => {
    for (let turn = 0; !done; turn++) times.push(await server.ask(paths[turn % paths.length]!));
  };
  const before = await server.build();
  const swap = async () => {
    for (const words of [["rollback"], ["publish", before]]) {
      const was = await server.build();
      const {seconds} = await cattle(words, env);
      const started = performance.now();
      while ((await server.build()) === was) await sleep(20);
      const waited = Math.round(performance.now() - started);
      console.log(
        `cattle ${words[0]}: ${seconds.toFixed(1)} s, every byte checked; then the server had the build in ${waited} ms`,
      );
    }
  };
  const swaps = swap().finally(() => {
    done = true;
  });
  await Promise.all([ask(), swaps]);
  times.sort((a, b) => a - b);
  console.log(
    `${times.length} questions were asked meanwhile, none failed: median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(0)} ms`,
  );
}

type Measured = {
  small: Spent;
  parts: readonly Spent[];
  assembled: readonly [firstTwo: Spent, one: Spent];
  bytes: number;
  served: Serving;
};

/** Prints growth, and what a nation would take if everything grows as it did here. */
function printGrowth({small, parts, assembled: [firstTwo, one], bytes, served}: Measured): void {
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
  const hours = (seconds: number) => `${tenth((seconds * times) / 3600)} h`;
  console.log(`\ncomputed from that for ${nation / 1e6} M rows in ${statesOfNation} states`);
  console.table({
    "all parts, one machine": {takes: hours(sum)},
    "all parts, 8 machines like this": {takes: hours(sum / 8)},
    "assembling all parts": {takes: hours((firstTwo.seconds * all) / (2 * rows))},
    "assembling one state, linking the rest": {takes: hours(one.seconds)},
    "a build on disk": {takes: `${Math.round((bytes * times) / 1e9)} GB`},
    "start to ready": {
      takes: `${tenth(((served.readyMs / parts.length) * statesOfNation) / 1000)} s at most`,
    },
    "private memory of a server, opened": {
      takes: `${Math.round((served.anonMb / parts.length) * statesOfNation)} MB at most`,
    },
  });
  console.log(
    `here: ${Math.round(bytes / 1e6)} MB on disk, ready after ${Math.round(served.readyMs)} ms, ${served.anonMb} MB private when opened, ${served.askedMb} MB when asked`,
  );
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Asks the system to forget the pages of every file below a folder; no process may have them mapped. */
function forget(folder: string): void {
  for (const path of filesBelow(folder)) {
    execFileSync("dd", [`if=${path}`, "iflag=nocache", "count=0", "status=none"]);
  }
}
