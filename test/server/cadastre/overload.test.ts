import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {noCadastreMetrics} from "../../../server/cadastre/cadastre-metrics.ts";
import {CountyCalls} from "../../../server/cadastre/county-calls.ts";
import type {CountyReader} from "../../../server/cadastre/county-reader.ts";

// Times in this file are those of a simulated clock: nothing here depends on the speed of the machine.
beforeEach(() => {
  vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"]});
});
afterEach(() => vi.useRealTimers());

const usualReadMs = 100;
const forever = new AbortController().signal;
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A reader that takes this long for a body, reads one at a time, and lets 8 wait. */
function slowReader(readMs: number) {
  let last = Promise.resolve();
  let inside = 0;
  const reader = {
    read: 0,
    unread: 0,
    async read_() {
      if (inside === 9) {
        reader.unread += 1;
        return {kind: "failed", status: "unavailable", reason: "full", unread: true} as const;
      }
      inside += 1;
      last = last.then(() => after(readMs));
      await last;
      inside -= 1;
      reader.read += 1;
      return {kind: "rows", rows: []} as const;
    },
  };
  const county: CountyReader = {read: () => reader.read_() as never, close: async () => undefined};
  return {reader, county};
}

type Told = {readonly served: boolean; readonly askedAt: number; readonly ms: number};

/** Counties that answer after a while; those whose name begins with `hung` never do within the time of a call. */
function counties(answerMs: number, readMs = usualReadMs) {
  const {reader, county} = slowReader(readMs);
  const told: (Told & {readonly keyId: string})[] = [];
  const calls = new CountyCalls({
    upstream: {
      async ask(url) {
        await after(url.includes("hung") ? 5_000 : answerMs);
        if (url.includes("hung")) return {kind: "failed", status: "timeout", reason: "hung"};
        return {kind: "answer", body: Buffer.from("{}")};
      },
      close: async () => undefined,
    },
    reader: county,
    metrics: noCadastreMetrics,
    clock: () => performance.now(),
  });
  const ask = async (host: string, keyId = "key") => {
    const askedAt = performance.now();
    const task = () => ({}) as never;
    const spending = {signal: forever, gone: forever, keyId, calls: {left: 3}};
    const {kind} = await calls.ask({url: `https://${host}/0`, form: {}, kind: "reply", task}, spending);
    told.push({keyId, served: kind === "rows", askedAt, ms: performance.now() - askedAt});
  };
  /** Asks the hosts in turn, so many times a second for so many seconds. */
  const askFor = async (seconds: number, perSecond: number, hosts: readonly string[]) => {
    for (let i = 0; i < seconds * perSecond; i++) {
      void ask(hosts[i % hosts.length]!);
      await vi.advanceTimersByTimeAsync(1_000 / perSecond);
    }
  };
  return {reader, told, ask, askFor};
}

const names = (count: number) => Array.from({length: count}, (_, i) => `county-${i}.example.org`);
const servedOf = (told: readonly Told[]) => told.filter(({served}) => served).length;
const slowestRefusal = (told: readonly Told[]) =>
  Math.max(0, ...told.filter(({served}) => !served).map(({ms}) => ms));

/**
 * Asks for a minute, so many times as often as answers can be read, with some greedy keys, and beside them with twenty keys that want a
 * fiftieth each: none of theirs is refused. Gives what was told to all.
 */
async function beside({
  times,
  hosts,
  greedy,
  readMs,
  answerMs,
}: Record<"times" | "hosts" | "greedy" | "readMs" | "answerMs", number>) {
  const {ask, told} = counties(answerMs, readMs);
  const perSecond = 1_000 / readMs;
  const honest = 20;
  let [greedyAsked, honestAsked] = [0, 0];
  for (let ms = 0; ms < 60_000; ms += 20) {
    for (; greedyAsked * 1_000 < ms * perSecond * times; greedyAsked++)
      void ask(names(hosts)[greedyAsked % hosts]!, `greedy-${greedyAsked % greedy}`);
    for (; honestAsked * 1_000 < (ms * perSecond * honest) / 50; honestAsked++)
      void ask(names(hosts)[honestAsked % hosts]!, `honest-${honestAsked % honest}`);
    await vi.advanceTimersByTimeAsync(20);
  }
  await vi.advanceTimersByTimeAsync(8_000);
  const ofHonest = told.filter(({keyId}) => keyId.startsWith("honest"));
  expect([ofHonest.length, ofHonest.filter(({served}) => !served)]).toEqual([honestAsked, []]);
  return told;
}

describe("O1: misses beyond what can be read", () => {
  it.each([
    {hosts: 1, times: 2, answerMs: 20},
    {hosts: 8, times: 2, answerMs: 20},
    {hosts: 8, times: 5, answerMs: 20},
    {hosts: 40, times: 2, answerMs: 400},
    {hosts: 40, times: 5, answerMs: 1_500},
  ])(
    "$times times of it at $hosts counties that answer in $answerMs ms are refused at once, and the rest is served",
    async ({hosts, times, answerMs}) => {
      const {askFor, told} = counties(answerMs);
      const perSecond = 1_000 / usualReadMs;
      await askFor(5, perSecond / 2, names(hosts));
      const before = servedOf(told);
      await askFor(20, perSecond * times, names(hosts));
      const served = servedOf(told) - before;
      expect(served).toBeGreaterThanOrEqual(0.8 * 20 * perSecond);
      expect(slowestRefusal(told)).toBeLessThanOrEqual(50);
      await vi.advanceTimersByTimeAsync(5_000);
      const later = told.length;
      await askFor(10, perSecond / 2, names(hosts));
      await vi.advanceTimersByTimeAsync(5_000);
      expect(told.slice(later).filter((each) => !each.served)).toEqual([]);
    },
  );

  it.each(
    [2, 5, 50].flatMap((times) => [
      {times, hosts: 8, greedy: 1, readMs: 100},
      {times, hosts: 40, greedy: 3, readMs: 100},
      {times: Math.min(5, times), hosts: 8, greedy: 1, readMs: 800},
    ]),
  )(
    "$times times of it by $greedy keys at $hosts counties, each read in $readMs ms: no key is refused that asks for a fiftieth of it",
    async (flood) => {
      const told = await beside({...flood, answerMs: 20});
      expect(servedOf(told)).toBeGreaterThanOrEqual((0.8 * 60 * 1_000) / flood.readMs);
      expect(slowestRefusal(told)).toBeLessThanOrEqual(50);
    },
  );

  it.each([2, 5, 50].flatMap((times) => [1, 8].map((hosts) => ({times, hosts}))))(
    "$times times of it by one key at $hosts counties that answer in a second: no other key is refused",
    async ({times, hosts}) => {
      await beside({times, hosts, greedy: 1, readMs: 230, answerMs: 1_000});
    },
  );

  it("160 at once: refused at once or served, and none is read that was refused", async () => {
    const {ask, told, reader} = counties(20);
    for (let i = 0; i < 160; i++) void ask(names(8)[i % 8]!);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toHaveLength(160);
    expect(slowestRefusal(told)).toBeLessThanOrEqual(50);
    expect(reader.read).toBe(servedOf(told));
  });

  it("counties that hang do not keep others from being asked", async () => {
    const {ask, askFor, told} = counties(20);
    await askFor(5, 5, names(4));
    for (let i = 0; i < 24; i++) void ask(`hung-${i % 6}.example.org`);
    await vi.advanceTimersByTimeAsync(1_100);
    const before = servedOf(told);
    await askFor(3, 5, names(4));
    await vi.advanceTimersByTimeAsync(500);
    expect(servedOf(told) - before).toBe(15);
  });
});
