import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {quantile, tenth} from "../figures.ts";
import {forgetPages} from "../page-cache.ts";
import {runWell} from "../run-cattle.ts";
import {type Kind, questions, timesOf} from "./questions.ts";
import {type Served, serve} from "./server.ts";
import type {State} from "./states.ts";

const asked = 200;
const askedCold = 20;

const starts = 5;

/** Cost of serving: milliseconds until ready, the middle of five starts, and private memory after opening and after the questions. */
export type Serving = {readyMs: number; anonMb: number; askedMb: number};

/** Milliseconds from a start to the first "ready", the middle of five starts. */
export async function readyMs(env: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const server = await serve(env, "");
    await server.stop();
    times.push(server.readyMs);
  }
  return times.sort((a, b) => a - b)[starts >> 1]!;
}

/**
 * Serves the published build of these states and prints lookup times, cold and warm, and what requests experience while builds
 * are swapped; the previous build lacks the first state.
 */
export async function measureServing(
  env: {CATTLE_DATA: string; CATTLE_REGISTRY: string},
  states: readonly State[],
): Promise<Serving> {
  const key = (await runWell(["keys", "create", "--label", "bench"], env)).output.trim().split(/\s+/).at(-1)!;
  const current = join(env.CATTLE_DATA, "current");
  const made = await questions(join(current, "tables"), (2 * asked) / states.length);
  const kinds = await withAnswers(made, env, key);
  const cold = new Map<string, number[]>();
  for (const {name, asked: all} of kinds) {
    // Evict the pages that the previous kind cached.
    await forgetPages(join(current, "serving"));
    const server = await serve(env, key);
    cold.set(name, await timesOf(server, all.slice(0, askedCold)).finally(() => server.stop()));
  }
  await askWhileChecked(kinds, {env, key});
  const ready = await readyMs(env);
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
    await swapWhileAsked(server, kinds, {env, alone: states[0]!});
    return {readyMs: ready, anonMb, askedMb: server.anonMb()};
  } finally {
    await server.stop();
  }
}

/** Prints what questions take while a server that has just started checks all bytes of its build, and what the same ones take afterwards. */
async function askWhileChecked(
  kinds: readonly Kind[],
  {env, key}: {env: Record<string, string>; key: string},
): Promise<void> {
  const paths = kinds.flatMap(({asked: all}) => all.map(({path}) => path));
  const server = await serve(env, key);
  try {
    for (const path of paths) await server.ask(path);
    const meanwhile: number[] = [];
    while (server.isChecking()) meanwhile.push(await server.ask(paths[meanwhile.length % paths.length]!));
    const afterwards: number[] = [];
    for (let turn = 0; turn < meanwhile.length; turn += 1)
      afterwards.push(await server.ask(paths[turn % paths.length]!));
    if (meanwhile.length < paths.length) {
      console.log(`the check of all bytes ended within ${meanwhile.length} questions: too few to compare`);
      return;
    }
    const said = (times: number[]) => {
      times.sort((a, b) => a - b);
      return `median ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`;
    };
    console.log(
      `${meanwhile.length} questions while all bytes were checked behind: ${said(meanwhile)}; the same ones afterwards: ${said(afterwards)}`,
    );
  } finally {
    await server.stop();
  }
}

/** The kinds, with only those questions that have exactly one answer. */
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

/**
 * Publishes the build without the first state and then the full one again, while requests run, and prints what they experience.
 */
async function swapWhileAsked(
  server: Served,
  kinds: readonly Kind[],
  {env, alone}: {env: Record<string, string>; alone: State},
): Promise<void> {
  // Both builds have these parcels.
  const paths = kinds.flatMap(({name, asked: all}) =>
    name.includes("without") ? all.flatMap(({state, path}) => (state === alone ? [] : path)) : [],
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
      const {seconds} = await runWell(words, env);
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
