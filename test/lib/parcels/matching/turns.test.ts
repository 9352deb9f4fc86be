import {setImmediate as nextTurn} from "node:timers/promises";
import {afterEach, expect, it, vi} from "vitest";
import {allAtOnce, inTurns, type Steps} from "../../../../lib/parcels/matching/yield-to-loop.ts";

afterEach(() => vi.restoreAllMocks());

/** Work of so many steps; each of them moves a clock of the test's own on by some milliseconds. */
function work(steps: number, msOfStep: number): Steps<number> {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return (function* () {
    for (let step = 0; step < steps; step++) {
      now += msOfStep;
      yield;
    }
    return steps;
  })();
}

const never = (): AbortSignal => {
  throw new Error("no signal is asked for");
};

it("short work is done at once, without a promise or a signal", () => {
  expect(inTurns(work(3, 0), never)).toBe(3);
  expect(allAtOnce(work(3, 0))).toBe(3);
});

it("long work lets the event loop go on between its turns of 10 ms", async () => {
  let turns = 0;
  let over = false;
  const others = (async () => {
    for (; !over; turns++) await nextTurn();
  })();
  const done = inTurns(work(20, 4), () => new AbortController().signal);
  expect(done).toBeInstanceOf(Promise);
  expect(await done).toBe(20);
  over = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(6);
});

it("long work ends with the reason of its signal", async () => {
  const late = new AbortController();
  const done = inTurns(work(100, 4), () => late.signal);
  late.abort(new Error("too late"));
  await expect(done).rejects.toThrow("too late");
});
