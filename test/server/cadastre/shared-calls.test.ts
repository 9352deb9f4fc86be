import {expect, test} from "vitest";
import type {CountyCalls} from "../../../server/cadastre/county-calls.ts";
import {createNegativeCache, LayerFactsStore} from "../../../server/cadastre/shared-calls.ts";
import {RunningMean} from "../../../server/cadastre/slots.ts";

const day = 24 * 3_600_000;

/** A store of metadata over a county that answers with these outcomes, one after the other. */
function factsOf(...outcomes: string[]) {
  const asked: string[] = [];
  let ms = 0;
  const calls = {
    ask: ({url}: {url: string}) => {
      asked.push(url);
      const kind = outcomes.shift()!;
      return Promise.resolve(kind === "layer" ? {kind, layer: {fields: [], asked: asked.length}} : {kind});
    },
  } as unknown as CountyCalls;
  const store = new LayerFactsStore(calls, () => ms);
  const of = (url: string) => store.of(url, {gone: new AbortController().signal} as never);
  const pass = (more: number) => {
    ms += more;
  };
  return {asked, store, of, pass};
}

test("metadata of a layer are read once a day, and each layer's apart", async () => {
  const {asked, of, pass} = factsOf("layer", "layer", "layer");
  const first = await of("a");
  expect(first).toMatchObject({kind: "layer", layer: {asked: 1}});
  pass(day - 1);
  expect(await of("a")).toEqual(first);
  expect(await of("b")).toMatchObject({layer: {asked: 2}});
  pass(1);
  expect(await of("a")).toMatchObject({layer: {asked: 3}});
  expect(asked).toEqual(["a", "b", "a"]);
});

test("metadata that failed are asked for again, and so are those of a layer that refused a query", async () => {
  const {of, store} = factsOf("failed", "layer", "layer");
  expect(await of("a")).toEqual({kind: "failed"});
  expect(await of("a")).toMatchObject({layer: {asked: 2}});
  store.forget("a");
  expect(await of("a")).toMatchObject({layer: {asked: 3}});
});

test("callers at one time share one call", async () => {
  const {asked, of} = factsOf("layer");
  expect(await Promise.all([of("a"), of("a")])).toHaveLength(2);
  expect(asked).toEqual(["a"]);
});

test("the oldest of 50,000 empty answers makes room, and one that comes again is no longer the oldest", () => {
  const cache = createNegativeCache(() => 0);
  for (let i = 0; i < 50_000; i++) cache.add(`k${i}`);
  cache.add("k0");
  expect(["k0", "k1"].map(cache.has)).toEqual([true, true]);
  cache.add("one more");
  expect(["k0", "k1", "k2", "one more"].map(cache.has)).toEqual([true, false, true, true]);
});

test("a running mean begins with its first value and moves a fifth of the way to each other", () => {
  const mean = new RunningMean();
  expect(mean.value()).toBeNull();
  const values = [10, 20, 2].map((value) => {
    mean.add(value);
    return mean.value();
  });
  expect(values).toEqual([10, 12, 10]);
});
