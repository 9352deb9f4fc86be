import fs from "node:fs";
import {syncBuiltinESMExports} from "node:module";
import {afterEach, beforeEach, describe, expect, test, vi} from "vitest";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import {RunBudget} from "../../pipeline/fetch/jobs/run-budget.ts";
import {freeBytes} from "../../pipeline/parts/preflight.ts";
import {temporaryFolder} from "../temporary-folder.ts";

let stop: AbortController;
beforeEach(() => {
  stop = new AbortController();
});
afterEach(() => {
  vi.useRealTimers();
});

const run = (runBytes: number, dir = temporaryFolder()) =>
  new RunBudget({signal: stop.signal, fileBytes: 70, runBytes, dir});

describe("the bytes of a run", () => {
  test("are exhausted by the byte after the last one, which still counts", () => {
    const budget = run(100);
    budget.countBytes(60);
    budget.countBytes(40);
    expect(() => budget.countBytes(1)).toThrow("the bytes of the run are used up (CATTLE_FETCH_GIB)");
    expect(() => budget.countBytes(1)).toThrow(FetchError);
    expect(budget.bytesReceived).toBe(102);
  });

  test("are shared in halves while others wait, and no longer when none does", () => {
    const whole = run(100);
    const others = {wait: true};
    using share = whole.share(1, () => others.wait);
    expect(share.budget.fileBytes).toBe(70);
    share.budget.countBytes(50);
    expect(() => share.budget.countBytes(1)).toThrow(
      "all bytes of the source's share of the run are used up",
    );
    others.wait = false;
    share.budget.countBytes(9);
    expect([share.budget.bytesReceived, whole.bytesReceived]).toEqual([60, 60]);
    expect(() => share.budget.countBytes(41)).toThrow("the bytes of the run are used up");
  });

  test("are counted for the whole run, whoever takes them", () => {
    const whole = run(100);
    using first = whole.share(1, () => false);
    using second = whole.share(1, () => false);
    first.budget.countBytes(70);
    second.budget.countBytes(30);
    expect(() => first.budget.countBytes(1)).toThrow("the bytes of the run are used up");
    expect(() => second.budget.countBytes(1)).toThrow("the bytes of the run are used up");
  });
});

describe("the time of a source", () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ["setInterval", "clearInterval"]});
  });
  const hour = 3_600_000;

  test("is half of the run's while others wait, and unlimited while alone", () => {
    const others = {wait: false};
    using share = run(100).share(4, () => others.wait);
    vi.advanceTimersByTime(2 * hour);
    others.wait = true;
    vi.advanceTimersByTime(2 * hour - 1);
    expect(share.budget.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    const {reason} = share.budget.signal;
    expect(reason).toBeInstanceOf(FetchError);
    expect(reason).toMatchObject({kind: "limit", message: expect.stringContaining("time (2 h) is used up")});
  });

  test("never exceeds the longest timer, ends with the run, and leaves no timer", () => {
    {
      using long = run(100).share(10_000, () => true);
      vi.advanceTimersByTime(1_000 * 60);
      expect(long.budget.signal.aborted).toBe(false);
      stop.abort();
      expect(long.budget.signal.aborted).toBe(true);
      expect(vi.getTimerCount()).toBe(1);
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("requires the wanted disk space plus one GiB", async () => {
  const dir = temporaryFolder();
  const budget = run(100, dir);
  await budget.checkRoom();
  const free = await freeBytes(dir);
  await budget.checkRoom(free - 3 * 2 ** 30);
  const tooMuch = budget.checkRoom(free);
  await expect(tooMuch).rejects.toThrow(/^\d+ MiB free on the disk, \d+ MiB are needed$/);
  await expect(tooMuch).rejects.toMatchObject({kind: "limit"});
});

test("is content with exactly that much, and with no byte less", async () => {
  const [gib, budget] = [2 ** 30, run(100)];
  const {statfs} = fs.promises;
  const onDiskOf = async (bytes: number) => {
    fs.promises.statfs = (() => Promise.resolve({bavail: bytes, bsize: 1})) as unknown as typeof statfs;
    syncBuiltinESMExports();
    await budget.checkRoom(2 * gib);
  };
  try {
    await onDiskOf(3 * gib);
    await expect(onDiskOf(3 * gib - 1)).rejects.toThrow("3072 MiB free on the disk, 3072 MiB are needed");
  } finally {
    fs.promises.statfs = statfs;
    syncBuiltinESMExports();
  }
});
