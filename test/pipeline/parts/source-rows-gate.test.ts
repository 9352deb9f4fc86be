import {expect, test} from "vitest";
import {sourceRows} from "../../../pipeline/parts/source-rows-gate.ts";
import type {MarketPart} from "../../../schemas/manifest.ts";

const feeds = ["mars", "ams-text"];

/** The gate on rows of feeds before and now, by default of one as-of date. */
function gate(before: Record<string, number> | null, now: Record<string, number>, changes = {}) {
  const base = before === null ? null : ({figures: figuresOf(before)} as unknown as MarketPart);
  const compared = {base, baseAsOf: "2026-08-22", asOf: "2026-08-23", sample: false, feeds, missingFiles: []};
  return sourceRows({...compared, ...changes}, figuresOf(now));
}

function figuresOf(rows: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([feed, n]) => [`feed_rows:${feed}`, n]));
}

test.each([
  ["as many rows", {mars: 1000}, {mars: 1000}, "pass"],
  ["more rows, and a feed that is new", {mars: 1000}, {mars: 1100, "ams-text": 5}, "pass"],
  ["2 % fewer", {mars: 1000}, {mars: 980}, "pass"],
  ["over 2 % fewer", {mars: 1000}, {mars: 979}, "warn"],
  ["10 % fewer", {mars: 1000}, {mars: 900}, "warn"],
  ["over 10 % fewer", {mars: 1000}, {mars: 899}, "fail"],
  ["a feed without a row beside one that grew", {mars: 70_000, "ams-text": 70_000}, {mars: 140_000}, "fail"],
  ["the newest week alone", {mars: 139_400}, {mars: 1200}, "fail"],
  ["half of a small feed", {mars: 499}, {mars: 250}, "pass"],
  ["half of a feed that is judged", {mars: 500}, {mars: 250}, "fail"],
  ["a small feed without a row", {mars: 3}, {}, "fail"],
  ["a feed that has no reader any more", {mars: 1000, "old-feed": 900}, {mars: 1000}, "pass"],
] as const)("source-rows: %s", (_, before, now, status) => {
  expect(gate(before, now).status).toBe(status);
});

test.each([
  ["without a base", null, {}],
  ["with a base that did not count them", {}, {}],
  ["with a base of a later as-of date", {mars: 1000}, {baseAsOf: "2026-08-24"}],
  ["in generated sample data", {mars: 1000}, {sample: true}],
] as const)("source-rows compares nothing %s", (_, before, changes) => {
  expect(gate(before, {}, changes).status).toBe("skipped");
});

test("source-rows names each feed that lost rows, the worst first, and a raw file that is not there", () => {
  const {detail} = gate(
    {mars: 1000, "ams-text": 70_000},
    {mars: 900},
    {missingFiles: ["market/mars/a.json", "market/mars/b.json"]},
  );
  expect(detail).toBe(
    "ams-text: 70,000 rows before, 0 now; mars: 1,000 rows before, 900 now; 2 raw files of the base build not there: the first is market/mars/a.json",
  );
});

test.each([
  ["none", [], ""],
  ["one", ["market/mars/a.json"], "; 1 raw file of the base build not there: market/mars/a.json"],
])("source-rows tells of the raw files that are not there: %s", (_, missingFiles, told) => {
  const {detail} = gate({mars: 1000}, {mars: 900}, {missingFiles});
  expect(detail).toBe(`mars: 1,000 rows before, 900 now${told}`);
});
