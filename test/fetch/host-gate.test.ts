import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import {HostGate} from "../../pipeline/fetch/client/host-gate.ts";

const never = new AbortController().signal;
const quick = {perSecond: 1000, atOnce: 1};

/** Runs some tasks, none of which ends before so many have started; returns when each started and the maximum concurrency. */
async function through(gate: HostGate, count: number, together = 1) {
  const began: number[] = [];
  let [running, most] = [0, 0];
  const {promise: areTogether, resolve} = Promise.withResolvers<void>();
  const work = async () => {
    began.push(performance.now());
    most = Math.max(most, ++running);
    // Leaves time for one more to start.
    if (running === together) void sleep(30).then(resolve);
    await areTogether;
    running -= 1;
  };
  await Promise.all(Array.from({length: count}, () => gate.pass(work, never)));
  return {began, most};
}

test("starts requests no faster than the rate, and slightly slower, because timers may fire early", async () => {
  const {began} = await through(new HostGate("a", {perSecond: 20, atOnce: 4}, 1000), 4);
  const pauses = began.slice(1).map((ms, i) => ms - began[i]!);
  expect(Math.min(...pauses)).toBeGreaterThan(51);
});

test.each([1, 3])("allows at most %i concurrent requests", async (atOnce) => {
  const {began, most} = await through(new HostGate("a", {perSecond: 1000, atOnce}, 1000), 7, atOnce);
  expect([began.length, most]).toEqual([7, atOnce]);
});

test("starts nothing before the longest wait requested by the host is over", async () => {
  const gate = new HostGate("a", quick, 1000);
  const before = performance.now();
  for (const ms of [40, 120, 60]) gate.holdFor(ms);
  const {began} = await through(gate, 2);
  expect(began[0]! - before).toBeGreaterThanOrEqual(119);
});

test("refuses a wait that is too long as the host would, even for queued requests", async () => {
  const gate = new HostGate("gis.example", quick, 500);
  const {promise, resolve} = Promise.withResolvers<void>();
  const first = gate.pass(() => promise, never);
  const second = gate.pass(async () => "never", never).catch((fault: unknown) => fault);
  gate.holdFor(60_000);
  resolve();
  await first;
  for (const fault of [await second, await gate.pass(async () => 1, never).catch((thrown) => thrown)]) {
    expect(fault).toBeInstanceOf(FetchError);
    expect(fault).toMatchObject({kind: "status", status: 503, message: "gis.example: status 503"});
    expect((fault as FetchError).retryAfterMs).toBeGreaterThan(50_000);
    expect((fault as FetchError).retryAfterMs).toBeLessThanOrEqual(60_000);
  }
});

test("rethrows an error of the work and frees its slot", async () => {
  const gate = new HostGate("a", quick, 1000);
  await expect(gate.pass(() => Promise.reject(new Error("broken")), never)).rejects.toThrow("broken");
  expect(await gate.pass(async () => "next", never)).toBe("next");
});

test("rejects an aborted waiter with its reason, and calls the next one", async () => {
  const gate = new HostGate("a", quick, 60_000);
  const leaving = new AbortController();
  const {promise, resolve} = Promise.withResolvers<void>();
  const first = gate.pass(() => promise, never);
  const left = gate.pass(async () => "left", leaving.signal).catch((fault: unknown) => fault);
  const next = gate.pass(async () => "next", never);
  leaving.abort(new Error("gone"));
  resolve();
  await first;
  expect([String(await left), await next]).toEqual(["Error: gone", "next"]);
  gate.holdFor(50_000);
  const late = new AbortController();
  const waiting = gate.pass(async () => 1, late.signal);
  late.abort(new Error("over"));
  await expect(waiting).rejects.toThrow("over");
});
