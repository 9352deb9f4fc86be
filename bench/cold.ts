import {execFileSync} from "node:child_process";
import {fileURLToPath} from "node:url";
import {readSettings} from "../lib/read-settings.ts";
import {answerDirectly} from "../server/http/direct-answer.ts";
import {machineLine} from "./machine.ts";
import {forgetPages} from "./page-cache.ts";
import {type Asked, questionKinds} from "./parcels/questions.ts";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "./parcels/state.ts";

/**
 * The first answer about a place after the start: major page faults and milliseconds of that answer alone. Each question has
 * its own process, which starts with none of the state's files in the page cache and has answered one other question of the
 * kind. The system decides how much a fault reads: `/sys/block/<device>/queue/read_ahead_kb`, usually 128.
 *
 *   node bench/cold.ts [rows] [questions]      default: 1,000,000 rows and 20 questions
 */
const kinds = ["parcel number, exact", "location, 10 of 0.25 mile", "owner, last and given name"];

type Measured = {faults: number; ms: number};

const [, , first, second, third, fourth] = process.argv;
if (first === "--make") await make(Number(second), third!, Number(fourth));
else if (first === "--ask") await ask(Number(second), JSON.parse(third!) as [Asked, Asked]);
else await compare(Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 20));

async function compare(rows: number, questions: number): Promise<void> {
  const folder = await benchState(rows);
  console.log(`${machineLine()}; ${rows} rows`);
  for (const kind of kinds) {
    const all: Measured[] = [];
    for (let turn = 0; turn < questions; turn++) {
      // Pages stay cached while any process maps them, so questions are generated and asked by processes that exit.
      const asked = child("--make", String(rows), kind, String(turn));
      await forgetPages(folder);
      all.push(JSON.parse(child("--ask", String(rows), asked)) as Measured);
    }
    const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
    const faults = middle(all.map((each) => each.faults));
    console.log(
      `${kind.padEnd(30)} ${faults} major faults, ${middle(all.map(({ms}) => ms)).toFixed(1)} ms (medians)`,
    );
  }
}

function child(...words: string[]): string {
  return execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {encoding: "utf8"});
}

async function make(rows: number, name: string, turn: number): Promise<void> {
  const kind = questionKinds(openBenchState(await benchState(rows), rows)).find(
    (each) => each.name === name,
  )!;
  process.stdout.write(JSON.stringify([kind.ask(turn + 1_000), kind.ask(turn)]));
}

async function ask(rows: number, [other, asked]: [Asked, Asked]): Promise<void> {
  const generation = benchGeneration(openBenchState(await benchState(rows), rows));
  const settings = readSettings({});
  const answer = ({path, values}: Asked) => {
    const endpoint = benchEndpoints.find((each) => each.path.endsWith(path))!;
    return answerDirectly(endpoint, values, {generation, settings});
  };
  await answer(other);
  const before = process.resourceUsage().majorPageFault;
  const started = performance.now();
  await answer(asked);
  const ms = performance.now() - started;
  process.stdout.write(
    JSON.stringify({faults: process.resourceUsage().majorPageFault - before, ms} satisfies Measured),
  );
}
