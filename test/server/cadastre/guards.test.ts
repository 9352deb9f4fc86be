import {describe, expect, it} from "vitest";
import {Breaker} from "../../../server/cadastre/county-calls.ts";
import {createNegativeCache, createSingleFlight} from "../../../server/cadastre/shared-calls.ts";
import {Slots} from "../../../server/cadastre/slots.ts";
import {checkedLookup, isPublicAddress, refusalOfUrl} from "../../../server/cadastre/upstream.ts";

function fakeClock() {
  let ms = 0;
  return {
    now: () => ms,
    pass: (by: number) => {
      ms += by;
    },
  };
}

describe("C2: the breaker of a host", () => {
  function failing(times: number) {
    const clock = fakeClock();
    const breaker = new Breaker(clock.now);
    for (let i = 0; i < times; i++) {
      expect(breaker.enter()).toBe(0);
      breaker.leave(true);
    }
    return {clock, breaker};
  }

  it("opens at five failures, not at four", () => {
    expect(failing(4).breaker.state()).toBe("closed");
    expect(failing(5).breaker.state()).toBe("open");
  });

  it("stays closed while failures are under a quarter of the calls", () => {
    const breaker = new Breaker(fakeClock().now);
    for (let i = 0; i < 16; i++) breaker.leave(false);
    for (let i = 0; i < 5; i++) breaker.leave(true);
    expect(breaker.state()).toBe("closed");
    breaker.leave(true);
    expect(breaker.state()).toBe("open");
  });

  it("forgets failures that are older than 30 s", () => {
    const {clock, breaker} = failing(4);
    clock.pass(30_001);
    breaker.leave(true);
    expect(breaker.state()).toBe("closed");
  });

  it("says how long it rests, then lets exactly one probe through", () => {
    const {clock, breaker} = failing(5);
    clock.pass(10_000);
    expect(breaker.enter()).toBe(20_000);
    clock.pass(20_000);
    expect(breaker.enter()).toBe(0);
    expect(breaker.state()).toBe("half_open");
    expect(breaker.enter()).toBeGreaterThan(0);
    breaker.leave(true);
    expect(breaker.enter()).toBe(30_000);
    clock.pass(30_000);
    expect(breaker.enter()).toBe(0);
    breaker.leave(false);
    expect(breaker.state()).toBe("closed");
  });

  it("rests as long as a server asks", () => {
    const clock = fakeClock();
    const breaker = new Breaker(clock.now);
    breaker.restFor(120_000);
    expect(breaker.enter()).toBe(120_000);
  });
});

describe("C2: slots", () => {
  const [one, other] = [{keyId: "one"}, {keyId: "other"}];

  it("bounds the calls of a host and hands a free slot to the one who waits", async () => {
    const slots = new Slots({perHost: 2, inAll: 3, waitMs: 1000, onlyWaitMs: 1000, maxWaiting: 1});
    const [first] = [await slots.take("a", one), await slots.take("a", one)];
    const waiting = slots.take("a", one);
    expect(await slots.take("a", one)).toBeNull();
    expect(await slots.take("b", one)).not.toBeNull();
    first!.release();
    first!.release();
    expect(await waiting).not.toBeNull();
  });

  it("refuses at once when the newest call of the host has not been answered for the whole wait", async () => {
    const clock = fakeClock();
    const slots = new Slots({perHost: 1, inAll: 4, waitMs: 500, onlyWaitMs: 500, maxWaiting: 64}, clock.now);
    await slots.take("a", one);
    clock.pass(501);
    expect([slots.hasRoom("a", one.keyId), slots.hasRoom("b", one.keyId)]).toEqual([false, true]);
    expect(await slots.take("a", one)).toBeNull();
    expect(await slots.take("b", one)).not.toBeNull();
  });

  it("refuses at once when the line is longer than the reader serves within the wait", async () => {
    const slots = new Slots(
      {perHost: 1, inAll: 4, waitMs: 500, onlyWaitMs: 500, maxWaiting: 64},
      fakeClock().now,
    );
    slots.keepPace({maxFresh: 1, freshMs: 1_000, turnMs: 200});
    const [held] = [await slots.take("a", one), slots.take("b", one), slots.take("c", one)];
    expect(slots.hasRoom("d", one.keyId)).toBe(false);
    expect(await slots.take("d", one)).toBeNull();
    held!.release();
  });

  it("hands a free slot to the key that holds the fewest", async () => {
    const slots = new Slots({perHost: 4, inAll: 2, waitMs: 1_000, onlyWaitMs: 1_000, maxWaiting: 64});
    const [held] = [await slots.take("a", one), await slots.take("a", one)];
    const order: string[] = [];
    const waiting = [one, one, other].map(async (key) => {
      const slot = await slots.take("a", key);
      order.push(key.keyId);
      return slot;
    });
    held!.release();
    (await waiting[2])!.release();
    expect(order).toEqual(["other"]);
    (await waiting[0])!.release();
    await waiting[1];
    expect(order).toEqual(["other", "one", "one"]);
  });

  it("expects the turn of a key behind as many of others as it has itself, and leaves it a place in the line", async () => {
    const slots = new Slots(
      {perHost: 1, inAll: 1, waitMs: 500, onlyWaitMs: 500, maxWaiting: 8},
      fakeClock().now,
    );
    slots.keepPace({maxFresh: 1, freshMs: 1_000, turnMs: 100});
    const held = await slots.take("a", one);
    for (let i = 0; i < 6; i++) void slots.take("a", one);
    expect([slots.hasRoom("a", one.keyId), slots.hasRoom("a", other.keyId)]).toEqual([false, true]);
    slots.keepPace({maxFresh: 1, freshMs: 1_000, turnMs: 1});
    expect([slots.hasRoom("a", one.keyId), slots.hasRoom("a", other.keyId)]).toEqual([false, true]);
    held!.release();
  });

  it("forgets who left the line", async () => {
    const slots = new Slots({perHost: 1, inAll: 1, waitMs: 10_000, onlyWaitMs: 10_000, maxWaiting: 64});
    const held = await slots.take("a", one);
    const caller = new AbortController();
    const waiting = slots.take("a", {...one, gone: caller.signal});
    caller.abort();
    expect(await waiting).toBeNull();
    held!.release();
    expect(await slots.take("a", one)).not.toBeNull();
  });

  it("lets a key wait longer while it has no other call at a county", async () => {
    const clock = fakeClock();
    const limits = {perHost: 1, inAll: 1, waitMs: 500, onlyWaitMs: 2_000, maxWaiting: 64};
    const slots = new Slots(limits, clock.now);
    const held = await slots.take("a", one);
    clock.pass(501);
    expect([slots.hasRoom("a", one.keyId), slots.hasRoom("a", other.keyId)]).toEqual([false, true]);
    clock.pass(1_500);
    expect(slots.hasRoom("a", other.keyId)).toBe(false);
    held!.release();
  });

  it("gives up after the wait", async () => {
    const slots = new Slots({perHost: 1, inAll: 1, waitMs: 20, onlyWaitMs: 20, maxWaiting: 64});
    await slots.take("a", one);
    expect(await slots.take("b", one)).toBeNull();
  });
});

describe("C2: single flight and negative cache", () => {
  it("makes one call for all who ask at the same time, and a new one afterwards", async () => {
    const flight = createSingleFlight<number>();
    let calls = 0;
    const call = async () => ++calls;
    expect(await Promise.all(Array.from({length: 64}, () => flight("k", call)))).toEqual(Array(64).fill(1));
    expect(await flight("k", call)).toBe(2);
  });

  it("tells a call that every caller has gone, not that one has; who comes then gets a new call", async () => {
    const flight = createSingleFlight<string>();
    const [first, second] = [new AbortController(), new AbortController()];
    const {promise, resolve} = Promise.withResolvers<string>();
    const signals: AbortSignal[] = [];
    const call = (gone: AbortSignal) => {
      signals.push(gone);
      return promise;
    };
    const results = [flight("k", call, first.signal), flight("k", call, second.signal)];
    first.abort();
    expect(signals.map(({aborted}) => aborted)).toEqual([false]);
    second.abort();
    results.push(flight("k", call));
    expect(signals.map(({aborted}) => aborted)).toEqual([true, false]);
    resolve("found");
    expect(await Promise.all(results)).toEqual(["found", "found", "found"]);
  });

  it("forgets a failed flight", async () => {
    const flight = createSingleFlight<number>();
    await expect(flight("k", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await flight("k", async () => 1)).toBe(1);
  });

  it("remembers an empty answer for ten minutes", () => {
    const clock = fakeClock();
    const cache = createNegativeCache(clock.now);
    cache.add("k");
    clock.pass(599_999);
    expect(cache.has("k")).toBe(true);
    clock.pass(1);
    expect(cache.has("k")).toBe(false);
  });
});

describe("C3: addresses that may be dialled", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "not an address",
  ])("refuses %s", (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(["93.184.216.34", "2606:2800:220:1::1"])("allows %s", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    "http://gis.example.org/a",
    "file:///etc/passwd",
    "https://127.0.0.1/a",
    "https://[::1]/a",
    "https://2130706433/a",
    "https://0x7f.1/a",
    "https://user:secret@gis.example.org/a",
    "nonsense",
  ])("refuses the URL %s", (url) => expect(refusalOfUrl(url)).not.toBeNull());

  it("allows https with a host name", () => expect(refusalOfUrl("https://gis.example.org/a")).toBeNull());

  it("refuses a host one of whose addresses is private, and dials only what it checked", async () => {
    const answers = [
      [{address: "93.184.216.34", family: 4}],
      [
        {address: "93.184.216.34", family: 4},
        {address: "127.0.0.1", family: 4},
      ],
      [],
    ];
    const lookup = checkedLookup(isPublicAddress, (_host, done) => done(null, answers.shift()!));
    const ask = () =>
      new Promise((resolve) =>
        lookup("gis.example.org", {all: true}, (fault, found) => resolve(fault ? "refused" : found)),
      );
    expect(await ask()).toEqual([{address: "93.184.216.34", family: 4}]);
    expect(await ask()).toBe("refused");
    expect(await ask()).toBe("refused");
  });
});
