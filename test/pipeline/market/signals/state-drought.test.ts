import {expect, test} from "vitest";
import {usdm} from "../../../../pipeline/market/feeds/usdm.ts";
import {gathered, listFile, readText} from "./read-text.ts";

const header = "MapDate,FIPS,State,None,D0,D1,D2,D3,D4,StatisticFormatID";
/** Delaware's counties: code, land area in square miles by the Census gazetteer, percent in at least D1. */
const delaware: readonly [fips: string, squareMiles: number, d1: number][] = [
  ["10001", 586, 80],
  ["10003", 426, 10],
  ["10005", 936, 35],
];
const county = ([fips, , d1]: (typeof delaware)[number], date = "2026-11-17") =>
  `${date},${fips},DE,0,100,${d1},0,0,0,1`;

async function stateRows(...lines: string[]) {
  const path = "usdm/shares.csv";
  const reading = await readText(usdm.read, path, [header, ...lines].join("\n"));
  const {rows} = await gathered(usdm, "drought", [{file: listFile(path), reading}]);
  return rows.filter(({area_type}) => area_type === "state");
}

test("gives a state without a map the area-weighted shares of its counties", async () => {
  const [state, ...more] = await stateRows(...delaware.map((each) => county(each)));
  const weighted = delaware.reduce((sum, [, squareMiles, d1]) => sum + squareMiles * d1, 0);
  const land = delaware.reduce((sum, [, squareMiles]) => sum + squareMiles, 0);
  expect([state, more]).toMatchObject([
    {key: "DE", area: "DE", none_pct: 0, d0_pct: 100, d2_pct: 0, worst_class: "D1", counties_summed: 3},
    [],
  ]);
  expect(Math.abs(Number(state!["d1_pct"]) - weighted / land)).toBeLessThan(0.5);
  expect(Number(state!["d0_only_pct"])).toBeCloseTo(100 - Number(state!["d1_pct"]), 6);
});

test("prefers the state's own map, and derives none from a map that lacks a county", async () => {
  const own = "2026-11-17,,DE,0,100,41.5,0,0,0,1";
  expect(await stateRows(own, ...delaware.map((each) => county(each)))).toMatchObject([
    {d1_pct: 41.5, counties_summed: null},
  ]);
  const split = delaware.map((each, i) => county(each, i === 0 ? "2026-11-10" : "2026-11-17"));
  expect(await stateRows(...split)).toEqual([]);
});
