import {cpSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {addDays} from "../../../lib/dates.ts";
import {failedVectors} from "../../../pipeline/market/vectors.ts";
import {judge} from "../../../pipeline/parts/gate.ts";
import {type BuildResult, build} from "../../../pipeline/publish/build.ts";
import {chosenSeed, seeded} from "../../crash/misses.ts";
import {note, sizeOf} from "../../crash/table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {
  market,
  marketPath,
  mutatedInputs,
  north,
  south,
  spoiltPrograms,
  statePath,
  whole,
} from "./mutations.ts";
import {asOf, makeWorkshop, openWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let published: Workshop;
let shop: Workshop;
let stops = 0;
beforeAll(async () => {
  published = await makeWorkshop();
  await published.put(statePath, whole);
  await published.put("parcels/us-ut-one/a.csv", parcels("49011", 20));
  await published.put(marketPath, market({price: 250}));
  await build(published.options());
});
afterAll(async () => {
  await published.remove();
  note(
    "B6",
    `${mutatedInputs.length + 1} mutated inputs, ${spoiltPrograms.length} spoilt programs`,
    `${stops} stopped, each by its gate`,
  );
});
// The previous build is made once and copied.
beforeEach(() => {
  const root = join(temporaryFolder(), "copy");
  cpSync(published.root, root, {recursive: true, verbatimSymlinks: true});
  shop = openWorkshop(root);
});

/** The gates that failed, and the parts that were held back. */
function stopped({gates, heldBack, outcome}: BuildResult) {
  const failed = gates.filter(({status}) => status === "fail").map(({part, gate}) => `${part} ${gate}`);
  return {failed, held: heldBack.map(({part}) => part), outcome};
}

test.each(mutatedInputs)(
  "B6: %s stops %s, and the other parts are published",
  async (gate, _, path, text) => {
    await shop.put(path, text);
    await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 20, {from: 2}));
    const {failed, held, outcome} = stopped(await build(shop.options()));
    const part = path.startsWith("market") ? "MARKET" : "AZ";
    expect(failed).toContain(`${part} ${gate}`);
    expect([held, outcome]).toEqual([[part], "published"]);
    stops += 1;
  },
);

test.each(spoiltPrograms)(
  "B6: %s stops %s of %s, whoever accepts what is absolute",
  async (gate, _, part, stages) => {
    const acceptances =
      gate === "sources-registered" || gate === "read-back" ? [{part, gate, reason: "we know it"}] : [];
    const {failed, held} = stopped(await build(shop.options({noReuse: true, stages, acceptances})));
    expect(failed).toContain(`${part} ${gate}`);
    expect(held).toContain(part);
    stops += 1;
  },
);

const nights = sizeOf("B6", {push: 2, long: 30});

test(`B6: ${nights} ordinary nights stop nothing`, async () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const about = (count: number, share: number) => Math.round(count * (1 + share * (2 * random() - 1)));
  let rows = 400;
  for (let night = 1; night <= nights; night++) {
    rows = Math.max(350, about(rows, 0.004));
    const owners = parcels(south, 400).replaceAll(/OWNER \d(?=,)/g, () =>
      random() < 0.2 ? "" : "OWNER NEW",
    );
    await shop.put(statePath, parcels(north, rows) + owners);
    await shop.put(marketPath, market({price: about(250, 0.05), rows: about(30, 0.1)}));
    const {failed, held, outcome} = stopped(await build(shop.options({asOf: addDays(asOf, night)})));
    expect([failed, held, outcome]).toEqual([[], [], "published"]);
  }
  note("B6", `${nights} ordinary nights`, "0 false stops", seed);
});

test("the program reproduces every published test vector that the build's gate asks for", async () => {
  expect(await failedVectors()).toEqual([]);
});

test("B6: holds a state back for a source whose allowed loss is stricter than the gate's", async () => {
  await shop.put(statePath, parcels(north, 400) + parcels(south, 1300));
  await build(shop.options({acceptances: [{part: "AZ", gate: "county-growth", reason: "the county grew"}]}));
  await shop.put(statePath, parcels(north, 375) + parcels(south, 1300));
  const entries = testStages.entries.map((entry) => ({...entry, accept: {maxDropShare: 0.05}}));
  expect((await build(shop.options())).heldBack).toEqual([]);
  await shop.put(statePath, parcels(north, 355) + parcels(south, 1300));
  const {heldBack} = await build(shop.options({stages: {...testStages, entries}}));
  expect(heldBack[0]?.because).toMatch(
    /AZ county-rows: 0\.05\d+ \(fails above 0\.05\): 040\d\d .*375 rows before/,
  );
  stops += 1;
});

test("B6: holds the market back when the files of a source are gone, until a person accepts it, once", async () => {
  await shop.drop(marketPath);
  await shop.put("market/ams-text/a.csv", market({price: 250}));
  const {gates, heldBack} = await build(shop.options());
  expect(gates.filter(({status}) => status === "fail").map(({gate}) => gate)).toEqual(["source-rows"]);
  expect(heldBack[0]?.because).toBe(
    'MARKET source-rows: 1 (fails above 0.1): mars: 30 rows before, 0 now; 1 raw file of the base build not there: market/mars/a.csv. If it is right all the same: cattle build --accept MARKET:source-rows --reason "…", with the other options as before.',
  );
  const tomorrow = {asOf: addDays(asOf, 1)};
  expect(stopped(await build(shop.options(tomorrow))).held).toEqual(["MARKET"]);
  const acceptances = [{part: "MARKET", gate: "source-rows", reason: "we no longer take it"}];
  expect(stopped(await build(shop.options({...tomorrow, acceptances}))).held).toEqual([]);
  expect(stopped(await build(shop.options({asOf: addDays(asOf, 2)}))).held).toEqual([]);
  stops += 1;
});

test("builds the market of an earlier day, and without a source that has no reader any more", async () => {
  await shop.drop(marketPath);
  await shop.put("market/ams-text/a.csv", market({price: 250}));
  expect(stopped(await build(shop.options({asOf: addDays(asOf, -1)}))).held).toEqual([]);
  const stages = {...testStages, marketFeeds: ["ams-text"]};
  expect(stopped(await build(shop.options({stages}))).held).toEqual([]);
});

test("a second county with other columns joins a published state", async () => {
  const poor = parcels("04005", 300)
    .replaceAll(/OWNER \d+/g, "")
    .replaceAll("agriculture", "")
    .replaceAll("\n", ",,,Z9\n");
  await shop.put("parcels/us-az-two/b.csv", poor);
  const {failed, held, outcome} = stopped(await build(shop.options()));
  expect([failed, held, outcome]).toEqual([[], [], "published"]);
});

test("does not count a second source for a published county as growth", async () => {
  await shop.put("parcels/us-az-two/b.csv", parcels(south, 700, {from: 5000}).replaceAll(/OWNER \d+/g, ""));
  expect(stopped(await build(shop.options())).failed).toEqual([]);
});

test("does not count owners newly withheld by the terms as lost", async () => {
  await shop.put(statePath, whole.replaceAll(/OWNER \d+/g, ""));
  const entries = testStages.entries.map((entry) => ({
    ...entry,
    terms: {store: true, redistributeOwners: false, bulk: true},
  }));
  expect(stopped(await build(shop.options({stages: {...testStages, entries}}))).failed).toEqual([]);
});

test("a gate names county, source, file, figures and the command that accepts it", async () => {
  await shop.put(statePath, whole.replaceAll(/(04019.*),OWNER \d+/g, "$1,"));
  const {heldBack} = await build(shop.options());
  expect(heldBack[0]?.because).toMatch(
    /^AZ null-share: 1 \(fails above 0\.1\): county 04019, us-az-one \(parcels\/us-az-one\/a\.csv\): rows without an owner went from 0 % to 100 %\. .*cattle build --accept AZ:null-share --reason/,
  );
  const acceptances = [{part: "AZ", gate: "null-share", reason: "the county took them off"}];
  expect(stopped(await build(shop.options({acceptances}))).held).toEqual([]);
});

test("passes a figure exactly at its threshold", () => {
  const at = (figure: number) => judge("TX", "rows", figure, {warnAt: 0.005, failAt: 0.02}).status;
  expect([at(0.005), at(0.0051), at(0.02), at(0.0201)]).toEqual(["pass", "warn", "warn", "fail"]);
});
