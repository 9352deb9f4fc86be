import {expect, test} from "vitest";
import {z} from "zod";
import {
  appliedParameters,
  checkPlace,
  kindParameters,
  kindTest,
  pageLimitations,
  pageOf,
  pageParameters,
  pointParameters,
  radiusParameter,
  zipParameter,
} from "../../../server/market/market-parameters.ts";

const steer = {commodity: "feeder_cattle", class: "steers", binLow: 500};

test("a question without a kind has no test", () => {
  expect(kindTest({})).toBeNull();
});

test.each<[Parameters<typeof kindTest>[0], boolean]>([
  [{weight: 500}, true],
  [{weight: 549}, true],
  [{weight: 550}, false],
  [{weight: 499}, false],
  [{class: ["heifers", "steers"]}, true],
  [{class: ["heifers"]}, false],
  [{commodity: ["feeder_cattle"]}, true],
  [{commodity: ["slaughter_cattle"]}, false],
  [{commodity: ["slaughter_cattle"], class: ["steers"], weight: 520}, false],
  [{commodity: ["feeder_cattle"], class: ["heifers"], weight: 520}, false],
  [{commodity: ["feeder_cattle"], class: ["steers"], weight: 600}, false],
])("steers of 500-549 lb: %j is %s", (query, expected) => {
  expect(kindTest(query)!(steer)).toBe(expected);
});

test.each<[string, Parameters<typeof kindTest>[0], boolean]>([
  ["feeder_cattle steers", {weight: 50}, false],
  ["feeder_cattle steers", {class: ["steers"]}, true],
  ["feeder_cattle steers", {class: ["steers"], weight: 1450}, false],
  ["feeder_cattle bulls", {class: ["bulls"], weight: 1000}, true],
  ["slaughter_cattle cows", {class: ["cows", "cow_calf_pairs"], weight: 550}, true],
  ["slaughter_cattle cows", {class: ["cows", "steers"], weight: 1200}, true],
  ["slaughter_cattle cows", {class: ["cows", "steers"], weight: 550}, true],
  ["slaughter_cattle cows", {weight: 550}, false],
  ["slaughter_cattle cows", {weight: 1000}, true],
  ["slaughter_cattle bulls", {class: ["bulls"], weight: 999}, false],
  ["slaughter_cattle bulls", {class: ["bulls"], weight: 1000}, true],
  ["slaughter_cattle steers", {class: ["steers"], weight: 750}, false],
  ["slaughter_cattle steers", {class: ["steers"], weight: 1450}, true],
  ["slaughter_cattle steers", {commodity: ["slaughter_cattle"], class: ["steers"], weight: 1450}, true],
  ["slaughter_cattle steers", {commodity: ["slaughter_cattle"], weight: 900}, true],
  ["slaughter_cattle steers", {commodity: ["slaughter_cattle", "feeder_cattle"], weight: 900}, false],
  ["slaughter_cattle steers", {commodity: ["slaughter_cattle"], class: ["heifers"], weight: 1450}, false],
  ["replacement_cattle open_heifers", {class: ["open_heifers"], weight: 700}, true],
  ["replacement_cattle heifers", {class: ["heifers"], weight: 700}, false],
])("%s without a weight bin: %j is %s", (kind, query, expected) => {
  const [commodity, of] = kind.split(" ");
  expect(kindTest(query)!({commodity: commodity!, class: of!, binLow: null})).toBe(expected);
});

const place = z
  .strictObject({...pointParameters, zip: zipParameter, radius: radiusParameter})
  .superRefine(checkPlace);

test.each([
  [{}, []],
  [{lat: "0", lon: "0", radius: "10"}, []],
  [{zip: "67801", radius: "300"}, []],
  [{lat: "35"}, ["lon"]],
  [{lon: "-97"}, ["lat"]],
  [{lon: "-97", zip: "67801"}, ["lat"]],
  [{lat: "35", lon: "-97", zip: "67801"}, ["zip"]],
  [{radius: "50"}, ["radius"]],
  [{lat: "0", radius: "50"}, ["lon"]],
  [{zip: "67801", radius: "9"}, ["radius"]],
  [{zip: "67801", radius: "301"}, ["radius"]],
])("the place %j has the faults %j", (asked, faults) => {
  expect((place.safeParse(asked).error?.issues ?? []).map(({path: [name]}) => name)).toEqual(faults);
});

const page = z.strictObject(pageParameters);

test.each([
  [{}, {limit: 25, offset: 0, evidence: true}, 0],
  [{limit: "7", offset: "10000", evidence: "none"}, {limit: 7, offset: 10_000, evidence: false}, 0],
  [{limit: "500", evidence: "full"}, {limit: 500, offset: 0, evidence: true}, 0],
  [{limit: "501"}, {limit: 500, offset: 0, evidence: true}, 1],
])("%j is the page %j", (asked, read, told) => {
  const query = page.parse(asked);
  expect(pageOf(query)).toEqual(read);
  expect(appliedParameters(query)).toEqual({...query, limit: read.limit});
  expect(pageLimitations(query)).toHaveLength(told);
});

test.each<[Parameters<typeof pageLimitations>[0], number]>([
  [{class: ["steers"], weight: 999}, 0],
  [{class: ["steers"], weight: 1000}, 1],
  [{class: ["steers", "cows"], weight: 550}, 1],
  [{class: ["cows"]}, 0],
  [{weight: 550}, 0],
  [{weight: 1300}, 1],
  [{commodity: ["slaughter_cattle"], weight: 900}, 1],
  [{commodity: ["feeder_cattle"], weight: 900}, 0],
  [{commodity: ["feeder_cattle"], class: ["steers"], weight: 1000}, 0],
  [{commodity: ["feeder_cattle"], weight: 1000}, 0],
])("%j has %i sentences on cattle of any weight", (query, told) => {
  expect(pageLimitations(query)).toHaveLength(told);
});

test.each(["49", "3001", "5e2"])("a weight of %s pounds is refused", (weight) => {
  expect(kindParameters.weight.safeParse(weight).success).toBe(false);
});
test.each([50, 999, 1000, 3000])("a weight of %i pounds is taken", (weight) => {
  expect(kindParameters.weight.parse(String(weight))).toBe(weight);
});
