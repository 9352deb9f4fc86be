import {expect, it} from "vitest";
import {allAtOnce, inTurns, type Steps} from "../../../../lib/parcels/matching/turns.ts";

/** So many steps of some milliseconds each. */
function* work(steps: number, msOfStep: number): Steps<number> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + msOfStep;
    while (performance.now() < end);
    yield;
  }
  return steps;
}

const never = (): AbortSignal => {
  throw new Error("no signal is asked for");
};

it("short work is done at once, without a promise or a signal", () => {
  expect(inTurns(work(3, 0), never)).toBe(3);
  expect(allAtOnce(work(3, 0))).toBe(3);
});

it("long work lets timers run between its turns", async () => {
  const seen: string[] = [];
  const timer = setInterval(() => seen.push("timer"), 1);
  const done = inTurns(work(20, 4), () => new AbortController().signal);
  expect(done).toBeInstanceOf(Promise);
  expect(await done).toBe(20);
  clearInterval(timer);
  expect(seen.length).toBeGreaterThan(2);
});

it("long work ends with the reason of its signal", async () => {
  const late = new AbortController();
  const done = inTurns(work(100, 4), () => late.signal);
  late.abort(new Error("too late"));
  await expect(done).rejects.toThrow("too late");
});
