import {once} from "node:events";
import {setImmediate} from "node:timers/promises";
import {beforeEach, describe, expect, test} from "vitest";
import {Breaker, CountyCalls, publisherOf, ReaderLoad} from "../../../server/cadastre/county-calls.ts";
import type {CountyReader, ReadResult} from "../../../server/cadastre/county-reader.ts";
import type {UpstreamOutcome} from "../../../server/cadastre/upstream.ts";

test.each([
  ["https://gis.example.gov/arcgis/rest/services/a", "gis.example.gov"],
  ["https://gis.example.gov:8443/a", "gis.example.gov:8443"],
  ["https://services.arcgis.com/AbC/arcgis/rest/services", "services.arcgis.com/AbC"],
  ["https://Services3.ArcGIS.com/XyZ/a", "services3.arcgis.com/XyZ"],
  ["https://services3.arcgis.com", "services3.arcgis.com/"],
  ["https://maps.services.arcgis.com/a/b", "maps.services.arcgis.com"],
  ["https://servicesx.arcgis.com/a/b", "servicesx.arcgis.com"],
])("the publisher at %s is %s", (url, publisher) => {
  expect(publisherOf(url)).toBe(publisher);
});

let ms: number;
beforeEach(() => {
  ms = 1_000_000;
});
const clock = () => ms;

describe("C2: the breaker of a publisher", () => {
  const breakerAfter = (...failures: boolean[]) => {
    const breaker = new Breaker(clock);
    for (const failed of failures) breaker.leave(failed);
    return breaker;
  };
  const calls = (failed: boolean, count: number) => Array.from({length: count}, () => failed);

  test.each([
    [15, "open"],
    [16, "closed"],
  ])("of five failures after %i good calls is %s", (good, state) => {
    expect(breakerAfter(...calls(false, good), ...calls(true, 5)).state()).toBe(state);
  });

  test.each([
    [29_999, "open"],
    [30_000, "closed"],
  ])("of a failure %i ms after four is %s", (later, state) => {
    const breaker = breakerAfter(...calls(true, 4));
    ms += later;
    breaker.leave(true);
    expect(breaker.state()).toBe(state);
  });

  test("lets another probe through where the first one was not sent, and none while one is under way", () => {
    const breaker = breakerAfter(...calls(true, 5));
    ms += 30_000;
    expect([breaker.enter(), breaker.enter()]).toEqual([0, 30_000]);
    breaker.forget();
    expect([breaker.enter(), breaker.state()]).toEqual([0, "half_open"]);
  });

  test("is not closed by calls that went out before it opened", () => {
    const breaker = breakerAfter(...calls(true, 5));
    breaker.leave(false);
    expect([breaker.state(), breaker.enter()]).toEqual(["open", 30_000]);
  });

  test("forgets the failures before a probe that succeeds", () => {
    const breaker = breakerAfter(...calls(true, 5));
    ms += 30_000;
    breaker.enter();
    breaker.leave(false);
    for (let i = 0; i < 4; i++) breaker.leave(true);
    expect(breaker.state()).toBe("closed");
  });

  test("rests for the longest time that was asked for", () => {
    const breaker = breakerAfter();
    for (const rest of [60_000, 90_000, 10_000]) breaker.restFor(rest);
    expect([breaker.enter(), breaker.state()]).toEqual([90_000, "open"]);
  });
});

describe("the load of the reader", () => {
  const paceAfter = (...measures: ((load: ReaderLoad) => void)[]) => {
    const load = new ReaderLoad();
    for (const measure of measures) measure(load);
    return load.pace();
  };

  test("before anything was measured takes nine bodies at a time, a new one every 150 ms", () => {
    expect(paceAfter()).toEqual({maxFresh: 9, freshMs: 1_000, turnMs: 150});
  });

  test("lets more calls out where they take longer than their reading, and calls them fresh for longer", () => {
    expect(paceAfter((load) => load.called(3_000))).toEqual({maxFresh: 19, freshMs: 6_000, turnMs: 150});
    expect(paceAfter((load) => load.called(400))).toEqual({maxFresh: 10, freshMs: 1_000, turnMs: 150});
    const measured = paceAfter(
      (load) => load.called(3_000),
      (load) => load.read(0, 300),
    );
    expect(measured).toEqual({maxFresh: 14, freshMs: 6_000, turnMs: 300});
  });

  test("counts the time of a body from the end of the one before, when it came before that", () => {
    const read = (came: number, end: number) => (load: ReaderLoad) => load.read(came, end);
    expect(paceAfter(read(0, 300), read(100, 400)).turnMs).toBeCloseTo(260);
    expect(paceAfter(read(0, 300), read(1_000, 1_400)).turnMs).toBeCloseTo(320);
    expect(paceAfter(read(5, 5)).turnMs).toBe(1);
  });
});

const body = Buffer.from("{}");
const rows = {kind: "layer", layer: {}} as unknown as ReadResult<"layer">;
const unread = {kind: "failed", status: "timeout", reason: "no room", unread: true};
const down: UpstreamOutcome = {kind: "failed", status: "unavailable", reason: "500"};

/** Calls to publishers that answer so, with what was asked, read and told. */
function calling({
  answer = {kind: "answer", body} as UpstreamOutcome,
  read = async () => rows,
  callMs = 5_000,
} = {}) {
  const [asked, readings, told]: [string[], unknown[], unknown[]] = [[], [], []];
  const given = {answer, read, onAsk: async (_: AbortSignal): Promise<void> => undefined};
  const reader: CountyReader = {
    read: (kind, task, {publisher}) => {
      readings.push([kind, task, publisher]);
      return given.read() as never;
    },
    close: async () => undefined,
  };
  const calls = new CountyCalls({
    upstream: {
      ask: async (url, _, signal) => {
        asked.push(url);
        await given.onAsk(signal);
        return given.answer;
      },
      close: async () => undefined,
    },
    reader,
    metrics: {
      asked: () => undefined,
      layer: () => undefined,
      breaker: (host, state) => void told.push([host, state]),
    },
    clock,
    callMs,
  });
  const budget = {left: 100};
  const [gone, over] = [new AbortController(), new AbortController()];
  const ask = (url = "https://a.example/0") =>
    calls.ask(
      {url, form: {f: "json"}, kind: "layer", task: (bytes) => ({body: bytes})},
      {signal: over.signal, gone: gone.signal, keyId: "one", calls: budget},
    );
  return {calls, asked, readings, told, given, budget, gone, over, ask};
}

describe("a call to a county", () => {
  test("gives what is read in its answer, takes one of the question's calls, and tells the breaker", async () => {
    const {ask, asked, readings, told, budget} = calling();
    expect(await ask()).toBe(rows);
    expect([asked, readings]).toEqual([["https://a.example/0"], [["layer", {body}, "a.example"]]]);
    expect([budget.left, told]).toEqual([99, [["a.example", "closed"]]]);
  });

  test("is not made without a call left, which asks to come again, nor for nobody", async () => {
    const {ask, asked, budget, gone} = calling();
    budget.left = 1;
    expect(await ask()).toBe(rows);
    expect(await ask()).toMatchObject({kind: "failed", status: "timeout", retryAfterMs: 5_000});
    budget.left = 2;
    gone.abort();
    expect(await ask()).toMatchObject({kind: "failed", status: "timeout", unread: true});
    expect([asked.length, budget.left]).toEqual([1, 2]);
  });

  test("is refused after five failures of its publisher, until it has rested; others are asked", async () => {
    const {ask, asked, given, told} = calling({answer: down});
    for (let i = 0; i < 5; i++) expect(await ask()).toBe(down);
    expect(told.at(-1)).toEqual(["a.example", "open"]);
    ms += 10_000;
    expect(await ask()).toMatchObject({kind: "failed", status: "paused", retryAfterMs: 20_000});
    given.answer = {kind: "answer", body};
    expect(await ask("https://b.example/0")).toBe(rows);
    ms += 20_000;
    expect(await ask()).toBe(rows);
    expect(asked.length).toBe(7);
    expect(told.at(-1)).toEqual(["a.example", "closed"]);
  });

  test("lets another probe out where the answer to the first one was not read for want of room", async () => {
    const {ask, asked, given, told} = calling({answer: down});
    for (let i = 0; i < 5; i++) await ask();
    ms += 30_000;
    Object.assign(given, {answer: {kind: "answer", body}, read: async () => unread});
    expect([await ask(), await ask()]).toEqual([unread, unread]);
    expect([asked.length, told.at(-1)]).toEqual([7, ["a.example", "open"]]);
  });

  test("rests for as long as the server asks, however long ago the last failure was", async () => {
    const {ask} = calling({answer: {...down, retryAfterMs: 70_000}});
    await ask();
    ms += 69_999;
    expect(await ask()).toMatchObject({status: "paused", retryAfterMs: 1});
  });

  test.each<[string, boolean, ReturnType<typeof calling>["given"]["read"]]>([
    [
      "that cannot be taken",
      true,
      async () => ({kind: "failed", status: "rejected", reason: "no JSON"}) as never,
    ],
    ["at which the reader breaks", true, () => Promise.reject(new Error("broken"))],
    ["for which there is no room here", false, async () => unread as never],
  ])("an answer %s counts as a failure of the county: %s", async (_, isFailure, read) => {
    const {ask, told} = calling({read});
    for (let i = 0; i < 5; i++) await ask().catch(() => undefined);
    expect(told.at(-1)).toEqual(["a.example", isFailure ? "open" : "closed"]);
  });

  test("is given up after its time, and by the end of the question", async () => {
    const slow = async (signal: AbortSignal) => {
      if (!signal.aborted) await once(signal, "abort");
    };
    for (const callMs of [20, 60_000]) {
      const {ask, given, over, asked} = calling({answer: down, callMs});
      given.onAsk = slow;
      const answer = ask();
      if (callMs > 20) over.abort();
      expect([await answer, asked.length]).toEqual([down, 1]);
    }
  });

  test("whose caller went while the county worked is not read, and the breaker hears nothing of it", async () => {
    const {ask, given, gone, readings, told} = calling();
    given.onAsk = async () => gone.abort();
    expect(await ask()).toMatchObject({kind: "failed", status: "timeout", unread: true});
    expect([readings, told]).toEqual([[], [["a.example", "closed"]]]);
  });

  test("waits for a slot behind four others, and gives up when its caller goes", async () => {
    const {calls, ask, asked, given, gone} = calling();
    const {promise, resolve} = Promise.withResolvers<void>();
    given.onAsk = () => promise;
    const others = Array.from({length: 4}, () => ask());
    await expect.poll(() => asked.length).toBe(4);
    expect(calls.hasRoom("https://b.example/0", "two")).toBe(true);
    const waiting = ask();
    gone.abort();
    expect(await waiting).toMatchObject({kind: "failed", status: "paused"});
    resolve();
    await Promise.all(others);
    expect(asked.length).toBe(4);
  });

  test("goes out beside 18 others, not 8, once one took its county twenty times as long as its reading", async () => {
    const takes = (length: number) => async () => {
      ms += length;
    };
    const {ask, asked, given} = calling({read: () => takes(150)().then(() => rows)});
    given.onAsk = takes(3_000);
    await ask();
    const {promise, resolve} = Promise.withResolvers<void>();
    given.onAsk = () => promise;
    const others = Array.from({length: 20}, (_, i) => ask(`https://${i}.example/0`));
    await setImmediate();
    expect(asked.length).toBe(1 + 19);
    resolve();
    await Promise.all(others);
    expect(asked.length).toBe(1 + 20);
  });

  test("frees its slot whatever becomes of it", async () => {
    const {ask, asked} = calling({read: () => Promise.reject(new Error("broken"))});
    for (let i = 0; i < 4; i++) await ask().catch(() => undefined);
    await expect(ask()).rejects.toThrow("broken");
    expect(asked.length).toBe(5);
  });
});
