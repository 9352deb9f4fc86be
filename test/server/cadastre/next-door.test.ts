import {mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeAll, describe, expect, it} from "vitest";
import {readLayerHealth, writeLayerHealth} from "../../../lib/registry/layer-health-files.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {keepLayerMemory, LayerMemory} from "../../../server/cadastre/layer-memory.ts";
import {brazos, type CountyOptions, countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, type Misbehaviour, startFakeArcgis} from "./fake-arcgis.ts";
import {place} from "./outcome-rows.ts";

const statewide = {country: "US" as const, state: "TX", counties: "all" as const};
const day = (n: number, hour = 10) => new Date(Date.UTC(2026, 10, n, hour));
const question = {parcelId: "R-100-1", ...place};

const status =
  (code: number): Misbehaviour =>
  (response) =>
    Boolean(response.writeHead(code).end("{}"));
const sends =
  (text: string): Misbehaviour =>
  (response) =>
    Boolean(response.end(text));
const hangs: Misbehaviour = () => true;

/** Eight ways in which a layer of a county was broken in the survey of September 2026. */
const broken: Record<string, Misbehaviour | null> = {
  "is gone": status(404),
  "refuses servers": status(403),
  "wants a token": sends('{"error":{"code":499,"message":"Token Required","details":[]}}'),
  "refuses each query": (response, {isQuery}) =>
    isQuery &&
    sends('{"error":{"code":400,"message":"Failed to execute query.","details":[]}}')(response, {} as never),
  "shows a page for people": sends("<html>maintenance</html>"),
  "never answers": hangs,
  "resets the connection": (response) => Boolean(response.destroy()),
  "has lost its id field": null,
};

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

type Doors = {own: FakeArcgis; state: FakeArcgis};

/** A county with a layer of its own, and one of its state behind it. */
async function twoDoors(
  options: CountyOptions & {memory?: LayerMemory} = {},
): Promise<Doors & {ask: (values?: Record<string, string>) => Promise<Told>}> {
  const [own, state] = [await startFakeArcgis(inventedRows()), await startFakeArcgis(inventedRows())];
  const {ask, close} = countyAsker(
    [layerEntry(own.url), {...layerEntry(state.url, {coverage: statewide}), id: "us-tx-state"}],
    {clock: () => performance.now(), totalMs: 60_000, callMs: 60_000, ...options},
  );
  open.push({close}, own, state);
  return {
    own,
    state,
    async ask(values = question) {
      const began = performance.now();
      const {json} = await ask("address" in values ? "address" : "parcel", values);
      const body = json as {metadata?: {lookup?: Lookup; sources?: {id: string}[]}; lookup?: Lookup};
      const lookup = body.metadata?.lookup ?? body.lookup;
      const sources = JSON.stringify(body.metadata?.sources ?? []);
      return {said: lookup?.cadastreStatus, sources, ms: performance.now() - began};
    },
  };
}

type Lookup = {cadastreStatus: string};
type Told = {said: string | undefined; sources: string; ms: number};

/** A layer whose parcel number stands in a field that its entry does not name, beside another that may be one. */
function loseId({rows}: FakeArcgis, others: Record<string, string> = {}): void {
  for (const [i, {attributes, ...where}] of rows.entries()) {
    const {APN, ...rest} = attributes;
    rows[i] = {attributes: {...rest, NUMMER: APN, ...others}, ...where};
  }
}

const stateDoors: Record<string, {does: (layer: FakeArcgis) => void; said: RegExp}> = {
  "has the parcel": {does: () => undefined, said: /^found$/},
  "has no row": {does: (layer) => layer.rows.splice(0), said: /^unavailable$/},
  "is broken": {does: (layer) => (layer.misbehave = status(500)), said: /^unavailable|rejected$/},
  "never answers": {does: (layer) => (layer.misbehave = hangs), said: /^timeout$/},
};

/** Time for a question: as deployed where one layer hangs and the other answers, short where only the end of it is awaited. */
function timeFor(way: string, door: string): number {
  if (door === "never answers") return 2_000;
  if (way !== "never answers") return 60_000;
  return door === "has the parcel" ? 8_000 : 2_000;
}

beforeAll(async () => {
  // The first answer that is read loads the database and the tables of places.
  const {ask} = await twoDoors({totalMs: 60_000, callMs: 60_000});
  await ask();
});

describe("a county's own layer that", () => {
  describe.each(Object.entries(broken))("%s", (way, misbehave) => {
    it.each(Object.entries(stateDoors))("L3: and a statewide one that %s", async (door, {does, said}) => {
      const totalMs = timeFor(way, door);
      const {own, state, ask} = await twoDoors({totalMs, callMs: totalMs});
      own.misbehave = misbehave;
      if (way === "has lost its id field") loseId(own);
      does(state);
      const answer = await ask();
      expect(answer.said, JSON.stringify(answer)).toMatch(said);
      expect(answer.ms).toBeLessThan(totalMs + 500);
      if (door === "has the parcel") expect(answer.sources).toContain("us-tx-state");
    });
  });
});

it("L3: a clean empty answer of the county's own layer is an answer, and nobody else is asked", async () => {
  const {own, state, ask} = await twoDoors();
  own.rows.splice(0);
  expect(await ask()).toMatchObject({said: "empty"});
  expect(state.asked).toEqual([]);
});

it("L3: a clean empty answer of the second layer counts where it has given a row of the county", async () => {
  const {own, ask} = await twoDoors();
  own.misbehave = status(500);
  expect(await ask({...question, parcelId: "R-999-9"})).toMatchObject({said: "unavailable"});
  expect(await ask()).toMatchObject({said: "found"});
  expect(await ask({...question, parcelId: "R-999-8"})).toMatchObject({said: "empty"});
});

it("L3: a layer is asked last after three failures, and first again after a good answer", async () => {
  let now = day(20);
  const memory = new LayerMemory(() => now);
  const {own, state, ask} = await twoDoors({memory});
  own.misbehave = status(500);
  for (const n of [1, 2, 3]) expect(await ask({...question, parcelId: `R-10${n}-1`}), `${n}`).toBeDefined();
  expect(memory.bad()).toEqual(["us-tx-invented-48041"]);
  own.asked.splice(0);
  expect(await ask()).toMatchObject({said: "found"});
  expect(own.asked).toEqual([]);
  // The other layer fails, too: the bad one is asked still, and answers.
  now = day(22);
  [own.misbehave, state.misbehave] = [null, status(500)];
  expect(await ask({...question, parcelId: "R-100-2"})).toMatchObject({said: "found"});
  expect(memory.bad()).toEqual([]);
});

describe("L3: a layer that has lost its id field", () => {
  const losing = async (others: Record<string, string>) => {
    const {own, state, ask} = await twoDoors();
    state.misbehave = status(500);
    loseId(own, others);
    return ask;
  };

  it("is asked for a number in the one column that its name calls so", async () => {
    const ask = await losing({PARCEL_ID: "R-100-1"});
    expect(await ask()).toMatchObject({said: "found"});
  });

  it("is not where two columns are called so, but answers by address", async () => {
    const ask = await losing({PARCEL_ID: "R-100-1", PIN: "77"});
    expect(await ask()).toMatchObject({said: "unavailable"});
    expect(await ask({address: "101 Oakvale Rd", ...place})).toMatchObject({said: "found"});
  });
});

describe("what is remembered of layers", () => {
  const folder = () => dataFolder(mkdtempSync(join(tmpdir(), "layers-")));
  const failed = (error: unknown) => expect.unreachable(String(error));

  it("outlives the process, and holds no question and no row", async () => {
    const data = folder();
    const memory = new LayerMemory(() => day(20));
    const kept = keepLayerMemory(memory, {data, process: 3, failed});
    const {own, ask} = await twoDoors({memory});
    own.misbehave = status(404);
    await ask();
    await kept.close();
    expect(readdirSync(data.run)).toEqual(["layers-3.json"]);
    const text = readFileSync(join(data.run, "layers-3.json"), "utf8");
    for (const word of ["R-100", "OAKVALE", "QUISTAD"]) expect(text).not.toContain(word);
    const layers = await readLayerHealth(data, day(21));
    expect(layers.get("us-tx-invented-48041")).toMatchObject({mark: "gone", failures: 1, good: null});
    expect(layers.get("us-tx-state")).toMatchObject({mark: "good", failures: 0, counties: [brazos.key]});
  });

  it("is that of all processes: the newest instant counts, and counties add up", async () => {
    const data = folder();
    let today = day(20);
    const [one, two] = [new LayerMemory(() => today), new LayerMemory(() => day(21))];
    one.note("a", {mark: "good", county: "48041"});
    one.note("b", {mark: "gone"});
    two.note("a", {mark: "slow"});
    two.note("b", {mark: "good", county: "48043"});
    await two.exchange(data, 1);
    today = day(22);
    await one.exchange(data, 0);
    for (const memory of [one, new LayerMemory(() => day(22))]) {
      await memory.exchange(data, 0);
      expect(memory.hasGiven("a", "48041")).toBe(true);
      expect(["slow", "good"].map((mark) => memory.count(mark as "slow"))).toEqual([1, 1]);
    }
  });

  it("is forgotten where its file is damaged, cut or dated in the future", async () => {
    const data = folder();
    mkdirSync(data.run);
    writeFileSync(join(data.run, "layers-1.json"), '{"layers":{"a":{"mark":"good"');
    writeFileSync(join(data.run, "layers-2.json"), '{"layers":{"a":{"mark":"perfect"}}}');
    const ahead = new LayerMemory(() => day(25));
    ahead.note("c", {mark: "good"});
    await ahead.exchange(data, 4);
    await writeLayerHealth(data, 5, new Map());
    expect([...(await readLayerHealth(data, day(20))).keys()]).toEqual([]);
    expect([...(await readLayerHealth(data, day(26))).keys()]).toEqual(["c"]);
  });
});
