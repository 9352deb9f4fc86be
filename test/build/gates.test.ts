import {afterEach, beforeEach, expect, test} from "vitest";
import {type BuildResult, build} from "../../pipeline/build/build.ts";
import {judge} from "../../pipeline/build/gate.ts";
import {failedVectors} from "../../pipeline/market/vectors.ts";
import {makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

const north = "04013";
const south = "04019";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels(north, 400) + parcels(south, 400));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 20));
  await shop.put("market/mars/a.csv", market({price: 250}));
});
afterEach(() => shop.remove());

function market({price, rows = 30}: {price: number; rows?: number}): string {
  return Array.from({length: rows}, (_, i) => `mars,2026-08-${10 + (i % 10)},${price + (i % 5)}\n`).join("");
}

async function night(path: string, text: string): Promise<BuildResult> {
  await build(shop.options());
  await shop.put(path, text);
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 20, {from: 2}));
  return build(shop.options());
}

const whole = parcels(north, 400) + parcels(south, 400);
const az = "parcels/us-az-one/a.csv";

test.each([
  ["county-rows", "a county that lost a fifth", az, parcels(north, 400) + parcels(south, 320)],
  ["county-rows", "a county that emptied", az, parcels(north, 800)],
  ["county-growth", "a county that doubled", az, parcels(north, 400) + parcels(south, 800)],
  ["rows", "a state that lost a thirtieth", az, parcels(north, 385) + parcels(south, 385)],
  ["null-share", "owners that are gone", az, whole.replaceAll(/OWNER \d+/g, "")],
  ["unmapped-use", "use codes that no table knows", az, whole.replaceAll("agriculture", "")],
  ["land-use-values", "a category of its own", az, whole.replace("agriculture", "farming")],
  ["outside-county", "points that lie elsewhere", az, whole.replaceAll(/-111\.\d0?,/g, "0,")],
  ["duplicates", "keys that come twice", az, whole + parcels(north, 1)],
  [
    "prices-positive",
    "a price of nothing",
    "market/mars/a.csv",
    `${market({price: 250})}mars,2026-08-20,0\n`,
  ],
  ["price-drift", "prices that doubled", "market/mars/a.csv", market({price: 500})],
])("B6: %s stops %s, and the other parts are published", async (gate, _, path, text) => {
  const {gates, heldBack, outcome} = await night(path, text);
  const part = path.startsWith("market") ? "MARKET" : "AZ";
  expect(gates.filter(({status}) => status === "fail").map((failed) => failed.gate)).toContain(gate);
  expect([heldBack.map((held) => held.part), outcome]).toEqual([[part], "published"]);
});

test("B6: an ordinary night stops nothing", async () => {
  const {heldBack} = await night(az, parcels(north, 402) + parcels(south, 399));
  expect(heldBack).toEqual([]);
});

test("B6: a row of a source that has no licence in the registry is stopped, whoever accepts it", async () => {
  const entries = testStages.entries.map((entry) => ({...entry, licence: ""}));
  const acceptances = ["AZ", "UT"].map((part) => ({
    part,
    gate: "sources-registered",
    reason: "we know them",
  }));
  const {heldBack} = await build(shop.options({stages: {...testStages, entries}, acceptances}));
  expect(heldBack.map(({part}) => part)).toEqual(["AZ", "UT"]);
});

test("B6: a program that does not reproduce a published test vector publishes no market", async () => {
  const stages = {...testStages, failedVectors: async () => ["V1"]};
  const {heldBack} = await build(shop.options({stages}));
  expect(heldBack).toMatchObject([{part: "MARKET", because: expect.stringContaining("test-vectors: 1")}]);
});

test("the program reproduces every published test vector that the build's gate asks for", async () => {
  expect(await failedVectors()).toEqual([]);
});

test("a source that allows less loss than the gate holds its state back", async () => {
  const path = "parcels/us-az-one/a.csv";
  await shop.put(path, parcels(north, 400) + parcels(south, 6000));
  await build(shop.options());
  await shop.put(path, parcels(north, 375) + parcels(south, 6000));
  const entries = testStages.entries.map((entry) => ({...entry, accept: {maxDropShare: 0.05}}));
  expect((await build(shop.options())).heldBack).toEqual([]);
  await shop.put(path, parcels(north, 355) + parcels(south, 6000));
  const {heldBack} = await build(shop.options({stages: {...testStages, entries}}));
  expect(heldBack[0]?.because).toMatch(
    /AZ county-rows: 0\.05\d+ \(fails above 0\.05\): 040\d\d .*375 rows before/,
  );
});

test("a figure on a threshold is not beyond it", () => {
  const at = (figure: number) => judge("TX", "rows", figure, {warnAt: 0.005, failAt: 0.02}).status;
  expect([at(0.005), at(0.0051), at(0.02), at(0.0201)]).toEqual(["pass", "warn", "warn", "fail"]);
});
