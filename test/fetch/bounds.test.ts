import {afterEach, beforeEach, describe, expect, test, vi} from "vitest";
import {AskFault} from "../../pipeline/fetch/client/ask-fault.ts";
import {Bounds} from "../../pipeline/fetch/jobs/run-budget.ts";
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
  new Bounds({signal: stop.signal, fileBytes: 70, runBytes, dir});

describe("the bytes of a run", () => {
  test("are exhausted by the byte after the last one, which still counts", () => {
    const bounds = run(100);
    bounds.take(60);
    bounds.take(40);
    expect(() => bounds.take(1)).toThrow("the bytes of the run are used up (CATTLE_FETCH_GIB)");
    expect(() => bounds.take(1)).toThrow(AskFault);
    expect(bounds.taken).toBe(102);
  });

  test("are shared in halves while others wait, and no longer when none does", () => {
    const whole = run(100);
    const others = {wait: true};
    using share = whole.share(1, () => others.wait);
    expect(share.bounds.fileBytes).toBe(70);
    share.bounds.take(50);
    expect(() => share.bounds.take(1)).toThrow("all bytes of the source's share of the run are used up");
    others.wait = false;
    share.bounds.take(9);
    expect([share.bounds.taken, whole.taken]).toEqual([60, 60]);
    expect(() => share.bounds.take(41)).toThrow("the bytes of the run are used up");
  });

  test("are counted for the whole run, whoever takes them", () => {
    const whole = run(100);
    using first = whole.share(1, () => false);
    using second = whole.share(1, () => false);
    first.bounds.take(70);
    second.bounds.take(30);
    expect(() => first.bounds.take(1)).toThrow("the bytes of the run are used up");
    expect(() => second.bounds.take(1)).toThrow("the bytes of the run are used up");
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
    expect(share.bounds.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    const {reason} = share.bounds.signal;
    expect(reason).toBeInstanceOf(AskFault);
    expect(reason).toMatchObject({kind: "bounds", message: expect.stringContaining("time (2 h) is used up")});
  });

  test("never exceeds the longest timer, ends with the run, and leaves no timer", () => {
    {
      using long = run(100).share(10_000, () => true);
      vi.advanceTimersByTime(1_000 * 60);
      expect(long.bounds.signal.aborted).toBe(false);
      stop.abort();
      expect(long.bounds.signal.aborted).toBe(true);
      expect(vi.getTimerCount()).toBe(1);
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("requires the wanted disk space plus one GiB", async () => {
  const dir = temporaryFolder();
  const bounds = run(100, dir);
  await bounds.checkRoom();
  const free = await freeBytes(dir);
  await bounds.checkRoom(free - 3 * 2 ** 30);
  const tooMuch = bounds.checkRoom(free);
  await expect(tooMuch).rejects.toThrow(/^\d+ MiB free on the disk, \d+ MiB are needed$/);
  await expect(tooMuch).rejects.toMatchObject({kind: "bounds"});
});
