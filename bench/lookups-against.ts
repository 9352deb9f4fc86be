import {spawnSync} from "node:child_process";
import {basename, join, resolve} from "node:path";
import {setImmediate as nextTurn} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {deployedFlags} from "./http/child.ts";
import {machineLine} from "./machine.ts";
import {benchStates} from "./parcels/state.ts";

/**
 * In-process lookups of this checkout against another one, over the same invented rows: microseconds from parameters to the
 * bytes of the answer, and the ratio.
 *
 *   node bench/lookups-against.ts CHECKOUT [rows [runs [kind]]]      default: 1,000,000 rows, 5 runs, all kinds
 *
 * The checkouts alternate, each run in its own process. A question counts with its fastest time in a warm run, which other load on the
 * machine hardly changes; a kind with the mean of its questions; and the runs with their median, because V8 compiles the same code
 * better in one process than in the next. Each checkout makes its own rows, because their file formats may differ.
 */
const [other = "", rows = "1000000", runs = "5", only = ""] = process.argv.slice(2);
const questionsOfKind = 100;
const mostTurns = 20_000;
const [warmRounds, rounds] = [20, 20];

if (other === "--measure") console.log(JSON.stringify(await leastTimes(rows, Number(runs), only)));
else compare();

function compare(): void {
  const checkouts = [resolve(other), resolve(import.meta.dirname, "..")];
  const figures: Record<string, number>[][] = checkouts.map(() => []);
  for (let run = 0; run < Number(runs); run++) {
    for (const [side, checkout] of checkouts.entries()) figures[side]!.push(measured(checkout));
  }
  console.log(`${machineLine()}; ${rows} rows, ${runs} runs of each`);
  const line = (kind: string) => {
    const times = figures.map((all) => all.map((run) => run[kind]!).sort((a, b) => a - b));
    const [theirs, ours] = times.map((sorted) => sorted[sorted.length >> 1]!) as [number, number];
    const least = times.map(([first]) => first!.toFixed(1)).join(", ");
    return {
      theirs: theirs.toFixed(1),
      ours: ours.toFixed(1),
      ratio: (ours / theirs).toFixed(2),
      "best runs": least,
    };
  };
  console.log("microseconds of a lookup");
  console.table(Object.fromEntries(Object.keys(figures[0]![0]!).map((kind) => [kind, line(kind)])));
}

/** Microseconds of each kind of question, measured in a separate process with the modules of a checkout. */
function measured(checkout: string): Record<string, number> {
  const words = [...deployedFlags, fileURLToPath(import.meta.url), "--measure", checkout, rows, only];
  const run = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: {...process.env, CATTLE_BENCH_STATES: `${benchStates}-${basename(checkout)}`},
  });
  if (run.status !== 0) throw new Error(`measuring ${checkout} failed`);
  return JSON.parse(run.stdout) as Record<string, number>;
}

async function leastTimes(checkout: string, rows: number, only: string): Promise<Record<string, number>> {
  const from = async <Module>(path: string) => (await import(join(checkout, path))) as Module;
  const state = await from<typeof import("./parcels/state.ts")>("bench/parcels/state.ts");
  const {questionKinds} = await from<typeof import("./parcels/questions.ts")>("bench/parcels/questions.ts");
  const {answerDirectly} = await from<typeof import("../server/http/direct-answer.ts")>(
    "server/http/direct-answer.ts",
  );
  const {readSettings} = await from<typeof import("../lib/read-settings.ts")>("lib/read-settings.ts");
  const settings = readSettings({});
  const set = state.openBenchState(await state.benchState(rows), rows);
  const generation = state.benchGeneration(set);
  const figures: Record<string, number> = {};
  // Kinds with few slow questions are skipped.
  const asked = questionKinds(set).filter(({name, most}) => most === undefined && name.includes(only));
  for (const kind of asked) {
    const ask = async (turn: number) => {
      const {path, values} = kind.ask(turn);
      const endpoint = state.benchEndpoints.find((each) => each.path.endsWith(path))!;
      return answerDirectly(endpoint, values, {generation, settings});
    };
    const turns: number[] = [];
    for (let turn = 0; turn < mostTurns && turns.length < questionsOfKind; turn++) {
      const {ok, body} = await ask(turn);
      const {metadata = {total: 0}} = JSON.parse(body) as {metadata?: {total?: number}};
      const hits = ok ? (metadata.total ?? 1) : 0;
      if (hits >= kind.hits[0] && hits <= kind.hits[1]) turns.push(turn);
    }
    const least = turns.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < warmRounds + rounds; round++) {
      for (const [i, turn] of turns.entries()) {
        // Each question gets its own event-loop turn, as in a server, so that it verifies what it reads.
        await nextTurn();
        const started = performance.now();
        await ask(turn);
        if (round >= warmRounds) least[i] = Math.min(least[i]!, (performance.now() - started) * 1000);
      }
    }
    figures[kind.name] = least.reduce((sum, time) => sum + time, 0) / least.length;
  }
  return figures;
}
