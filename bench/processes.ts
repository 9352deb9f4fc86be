import {type ChildProcess, spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {readSettings} from "../lib/read-settings.ts";
import {answerDirectly} from "../server/http/direct-answer.ts";
import {deployedFlags} from "./http/child.ts";
import {machineLine} from "./machine.ts";
import {questionKinds} from "./parcels/questions.ts";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "./parcels/state.ts";

/**
 * Lookups in one process against two, called in process over the same mapped files: answers per second, and each process's
 * private (`RssAnon`) and shared memory (`RssFile`, the page cache).
 *
 *   node bench/processes.ts [rows] [seconds]      default: 1,000,000 rows and 5 seconds
 */
const settings = readSettings({});
const asked = [
  "parcel number, exact",
  "address, exact line",
  "location, 10 of 0.25 mile",
  "owner, last and given name",
];

type Done = {answers: number; privateMb: number; sharedMb: number};

const [first, second, third] = process.argv.slice(2);
if (first === "--ask") await askFor(Number(second), Number(third));
else await compare(Number(first ?? 1_000_000), Number(second ?? 5));

async function compare(rows: number, seconds: number): Promise<void> {
  await benchState(rows);
  console.log(`${machineLine()}; ${rows} rows`);
  const rates: number[] = [];
  const table: Record<string, Record<string, string>> = {};
  for (const processes of [1, 2]) {
    const done = await together(processes, rows, seconds);
    const rate = done.reduce((sum, {answers}) => sum + answers, 0) / seconds;
    rates.push(rate);
    table[`${processes} process(es)`] = {
      "answers/s": rate.toFixed(0),
      "times one": (rate / rates[0]!).toFixed(2),
      "RssAnon MB each": done.map(({privateMb}) => privateMb.toFixed(0)).join(", "),
      "RssFile MB each": done.map(({sharedMb}) => sharedMb.toFixed(0)).join(", "),
    };
  }
  console.table(table);
}

/** Starts the processes, waits until all are warm, releases them at once and collects the results. */
async function together(processes: number, rows: number, seconds: number): Promise<Done[]> {
  const children = Array.from({length: processes}, () =>
    spawn(
      process.execPath,
      [...deployedFlags, fileURLToPath(import.meta.url), "--ask", String(rows), String(seconds)],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    ),
  );
  await Promise.all(children.map(nextLine));
  const done = children.map(nextLine);
  for (const child of children) child.stdin.end("go\n");
  return (await Promise.all(done)).map((line) => JSON.parse(line) as Done);
}

function nextLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout!.once("data", (line: Buffer) => resolve(line.toString()));
    child.once("exit", (code) => reject(new Error(`a process ended with ${code}`)));
  });
}

async function askFor(rows: number, seconds: number): Promise<void> {
  const set = openBenchState(await benchState(rows), rows);
  const generation = benchGeneration(set);
  const kinds = questionKinds(set).filter(({name}) => asked.includes(name));
  const ask = async (turn: number) => {
    const {path, values} = kinds[turn % kinds.length]!.ask(turn);
    const endpoint = benchEndpoints.find((each) => each.path.endsWith(path))!;
    await answerDirectly(endpoint, values, {generation, settings});
  };
  for (let turn = 0; turn < 2_000; turn++) await ask(turn);
  console.log("warm");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const end = performance.now() + seconds * 1000;
  let answers = 0;
  while (performance.now() < end) {
    await ask(answers);
    answers += 1;
  }
  console.log(JSON.stringify({answers, privateMb: memoryMb("RssAnon"), sharedMb: memoryMb("RssFile")}));
}

function memoryMb(name: string): number {
  const line = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}
