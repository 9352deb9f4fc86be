import {setTimeout as sleep} from "node:timers/promises";
import {byNumber, p99} from "../asking.ts";
import type {Held, Program, Told} from "./program.ts";
import type {County, World} from "./world.ts";

/** Seconds of the parts of an attack, and the number of times that each nasty reply comes. */
export type Sizes = {
  readonly calm: number;
  readonly rounds: number;
  readonly peak: number;
  readonly overload: number;
  readonly mixed: number;
  readonly betweenNights: number;
};

/** Private memory of the program, all its processes together. */
export const heldKib = (program: Program) => bothKib(program.held());
const bothKib = ({serverKib, readersKib}: Held) => serverKib + readersKib;

let numbers = 0;

/** A question for a parcel that was never found before, in one of the counties in turn. */
const newMiss = (fair: readonly County[]) => {
  numbers += 1;
  return byNumber(fair[numbers % fair.length]!.fips, `M-${1_000_000 + numbers}`);
};

/** Asks one path after the other until something ends, with a pause of 20 ms. */
async function besides(
  program: Program,
  meanwhile: Promise<unknown>,
  nextPath: () => string,
): Promise<Told[]> {
  const told: Told[] = [];
  let over = false;
  const ended = meanwhile.finally(() => {
    over = true;
  });
  while (!over) {
    told.push(await program.ask(nextPath()));
    await sleep(20);
  }
  await ended;
  return told;
}

const times = (told: readonly Told[]) => told.map(({ms}) => ms);
const notOf = (status: number, told: readonly Told[]) => told.filter((each) => each.status !== status).length;

/** Each nasty county is asked for its parcel, two at a time, while another county's misses are measured. */
export async function attackByReplies(program: Program, {nasty, fair}: World, {calm, rounds}: Sizes) {
  // The process that reads has started, and knows the layer, before times are compared.
  for (let i = 0; i < 5; i++) await program.ask(newMiss(fair.slice(0, 1)));
  const alone = await besides(program, sleep(calm * 1_000), () => newMiss(fair.slice(0, 1)));
  const before = heldKib(program);
  const wrong: string[] = [];
  const lane = async (number: number) => {
    for (const {name, fips} of nasty.filter((_, i) => i % 2 === number)) {
      const {status} = await program.ask(byNumber(fips, "R-100-1"));
      if (status !== 503) wrong.push(`${name}: ${status}`);
    }
  };
  const all = async () => {
    for (let round = 0; round < rounds; round++) await Promise.all([lane(0), lane(1)]);
  };
  let maxKib = 0;
  const watch = setInterval(() => {
    maxKib = Math.max(maxKib, heldKib(program));
  }, 50);
  const beside = await besides(program, all(), () => newMiss(fair.slice(0, 1)));
  clearInterval(watch);
  // The process that reads large answers ends when it has had none for ten seconds.
  await sleep(12_000);
  return {
    replies: nasty.length,

    wrong,
    missesWrong: notOf(200, alone) + notOf(200, beside),
    aloneMs: p99(times(alone)),
    besideMs: p99(times(beside)),
    beforeKib: before,
    maxKib,
    afterKib: heldKib(program),
  };
}

/** Counties at a private address or with a certificate of nobody are never believed. */
export async function attackByAddress(program: Program, {inward, untrusted, inwardCalls}: World) {
  const statuses = [];
  for (const {fips} of [inward, untrusted, inward])
    statuses.push((await program.ask(byNumber(fips, "R-1"))).status);
  return {statuses, inwardCalls: await inwardCalls()};
}

const knownParcel = () => {
  numbers += 1;
  return byNumber("48453", `${100 + (numbers % 40)}-A`);
};

/** The most lookups a second that are answered to callers who wait for each; after a refusal a caller rests. */
async function peakOf(program: Program, nextPath: () => string, seconds: number): Promise<number> {
  const rates = [];
  for (const callers of [2, 4, 8]) {
    const ended = performance.now() + seconds * 1_000;
    let served = 0;
    const caller = async () => {
      while (performance.now() < ended) {
        const {status} = await program.ask(nextPath());
        served += Number(status === 200);
        if (status !== 200) await sleep(50);
      }
    };
    await Promise.all(Array.from({length: callers}, caller));
    rates.push(served / seconds);
  }
  return Math.max(...rates);
}

const isMiss = (asked: number) => asked % 20 === 0;

/** Ten keys that ask for 20 lookups a second together, of which one in twenty is a miss. */
const honestLoad = (fair: readonly County[], honest: readonly string[]) => {
  let asked = 0;
  const ask = (program: Program) => {
    asked += 1;
    return program.ask(isMiss(asked) ? newMiss(fair) : knownParcel(), honest[asked % honest.length]);
  };
  return {ask, perSecond: 20};
};

/**
 * Answers at twice and five times the most lookups a second that can be answered, with honest keys beside, and afterwards at a third of
 * them: misses by one key, and known parcels by several.
 */
export async function overload(
  program: Program,
  {fair}: World,
  {peak: seconds, overload: longer, honest, greedy}: Sizes & Readonly<Record<"honest" | "greedy", string[]>>,
) {
  // The metadata of each county are read once a day.
  for (const _ of fair) await program.ask(newMiss(fair));
  const runs = [];
  for (const {kind, nextPath, keys} of [
    {kind: "misses", nextPath: () => newMiss(fair), keys: greedy.slice(0, 1)},
    {kind: "known parcels", nextPath: knownParcel, keys: greedy},
  ]) {
    const peak = await peakOf(program, nextPath, seconds);
    const load = (factor: number) => {
      let asked = 0;
      return {ask: () => program.ask(nextPath(), keys[asked++ % keys.length]), perSecond: peak * factor};
    };
    for (const factor of [2, 5]) {
      const {ask, perSecond} = honestLoad(fair, honest);
      const [told, ofHonest] = await Promise.all([
        openLoop(load(factor), longer),
        openLoop({ask: () => ask(program), perSecond}, longer),
      ]);
      const refused = told.filter(isRefused);
      // Lookups of honest keys that are no misses say nothing about the misses that can be answered.
      const alike = kind === "misses" ? ofHonest.filter((_, i) => isMiss(i + 1)) : ofHonest;
      const good = [...told, ...alike].filter(({status}) => status === 200).length / longer;
      await sleep(5_000);
      const later = await openLoop(load(1 / 3), Math.max(2, longer / 4));
      runs.push({
        kind,
        factor,
        peak,
        goodShare: good / peak,
        refused: refused.length,
        refusedMs: p99(times(refused)),
        others: told.length - refused.length - told.filter(({status}) => status === 200).length,
        laterWrong: notOf(200, later),
        laterMs: p99(times(later)),
        honest: ofHonest.length,
        honestRefused: notOf(200, ofHonest),
        honestTold: toldApart(ofHonest),
        honestMissesRefused: notOf(
          200,
          ofHonest.filter((_, i) => isMiss(i + 1)),
        ),
        honestMs: p99(times(ofHonest)),
      });
    }
  }
  return runs;
}

/** What was answered instead of a parcel, each with its count. */
function toldApart(told: readonly Told[]): string {
  const refused = told.filter(({status}) => status !== 200);
  const said = refused.map(({status, text}) => `${status} ${/"detail":"[^"]*/.exec(text)?.[0] ?? ""}`);
  return [...Map.groupBy(said, (text) => text)].map(([text, all]) => `${all.length} x ${text}`).join("; ");
}

const isRefused = ({status}: Told) => status === 503 || status === 429;

/** Asks at a fixed rate, whatever has been answered, but leaves out what would be more than 1,000 open questions of this process. */
async function openLoop(
  {ask, perSecond}: {ask: () => Promise<Told>; perSecond: number},
  seconds: number,
): Promise<Told[]> {
  const asked: Promise<Told>[] = [];
  const started = performance.now();
  let [due, open] = [0, 0];
  const askOne = async () => {
    open += 1;
    const told = await ask();
    open -= 1;
    return told;
  };
  for (let now = 0; now < seconds * 1_000; now = performance.now() - started) {
    for (; due < (now / 1_000) * perSecond; due++) if (open < 1_000) asked.push(askOne());
    await sleep(2);
  }
  return Promise.all(asked);
}

/**
 * Lookups of which one in twenty is a miss, while builds that merge the finds are published one after the other; memory is read twice a
 * second.
 */
export async function mixedLoad(
  program: Program,
  {fair}: World,
  {mixed: seconds, betweenNights, build}: Sizes & {build: () => Promise<number>},
) {
  const held: Held[] = [];
  const reading = setInterval(() => held.push(program.held()), 500);
  const merged: number[] = [];
  let [asked, wrong, missesRefused] = [0, 0, 0];
  const ended = performance.now() + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < ended) {
      asked += 1;
      const missed = isMiss(asked);
      const {status} = await program.ask(missed ? newMiss(fair) : knownParcel());
      if (missed && status === 503) missesRefused += 1;
      else wrong += Number(status !== 200);
      await sleep(10);
    }
  };
  const publish = async () => {
    while (performance.now() + betweenNights * 1_000 < ended) {
      await sleep(betweenNights * 1_000);
      merged.push(await build());
    }
  };
  await Promise.all([...Array.from({length: 4}, caller), publish()]);
  clearInterval(reading);
  return {
    asked,
    wrong,
    missesRefused,
    merged,
    all: courseOf(held.map(bothKib)),
    server: courseOf(held.map(({serverKib}) => serverKib)),
    readers: courseOf(held.map(({readersKib}) => readersKib)),
  };
}

/** Memory in the course of a run: its middle early and late, and in each tenth. */
export type Course = {
  readonly earlyKib: number;
  readonly lateKib: number;
  readonly tenthsKib: readonly number[];
};

function courseOf(kib: readonly number[]): Course {
  const part = (from: number, to: number) => middle(kib.slice(kib.length * from, kib.length * to));
  return {
    earlyKib: part(0.3, 0.5),
    lateKib: part(0.8, 1),
    tenthsKib: Array.from({length: 10}, (_, tenth) => part(tenth / 10, (tenth + 1) / 10)),
  };
}

const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
