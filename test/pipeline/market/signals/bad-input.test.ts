import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {tablePath} from "../../../../lib/storage/build-layout.ts";
import {addsUp} from "../../../../schemas/build-report.ts";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {type SignalBuild, signalBuild} from "./signal-build.ts";

const drought = (fips: string, mapDate = "2026-11-17") => ({
  mapDate,
  fips,
  state: "OK",
  none: 20,
  d0: 80,
  d1: 40,
  d2: 0,
  d3: 0,
  d4: 0,
  statisticFormatID: 1,
});
const diesel = (period: string, value: string, units = "$/GAL") => ({
  duoarea: "R20",
  period,
  value,
  units,
  product: "EPD2D",
});
const cattle = (value: string, area: object) => ({
  short_desc: "CATTLE, INCL CALVES - INVENTORY",
  commodity_desc: "CATTLE",
  source_desc: "SURVEY",
  state_alpha: "OK",
  year: 2026,
  reference_period_desc: "FIRST OF JAN",
  unit_desc: "HEAD",
  Value: value,
  ...area,
});

const good = {
  "usdm/counties.json": [drought("40017"), drought("40109", "2026-11-03")],
  "diesel/eia.json": {response: {data: [diesel("2026-11-09", "3.5"), diesel("2026-11-16", "3.6")]}},
  "nass/cattle.json": [
    cattle("4,600,000", {agg_level_desc: "STATE"}),
    cattle("(D)", {agg_level_desc: "COUNTY", county_ansi: "017", county_name: "CANADIAN"}),
  ],
};
const bad = {
  "usdm/page.json": "<!DOCTYPE html><html><body>Service Unavailable</body></html>",
  "usdm/renamed.csv": "MapDay,Code,None,D0\n20261117,40017,20,80\n",
  "usdm/next-week.json": [drought("40017", "2026-11-24")],
  "diesel/cut.json": '{"response": {"data": [{"period": "2026-11-16", "duoarea": "R2',
  "diesel/unit.json": {response: {data: [diesel("2026-11-16", "4.9", "CAD/L")]}},
  "nass/error.json": {error: ["bad request - invalid query"]},
  "nass/empty.csv": "",
  "nws/list.json": {type: "FeatureCollection", features: []},
  "futures/cut.csv": "date,ticker,close\n2026-11-20,GF",
  "echo/broken.json.gz": Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]),
  "aphis/binary.csv": Buffer.from([1, 0, 2, 0, 3, 0]),
};

let alone: SignalBuild;
let mixed: SignalBuild;
beforeAll(async () => {
  alone = await signalBuild({files: good});
  mixed = await signalBuild({files: {...good, ...bad}});
});
afterAll(() => {
  alone.close();
  mixed.close();
});

test("refuses each bad file with its path, what came and what was expected", () => {
  const reasons = Object.keys(bad).map((path) => {
    const {status, reason} = mixed.report(path);
    return [path, status, reason ?? ""] as const;
  });
  const wanted: Record<string, [string, RegExp]> = {
    "usdm/page.json": ["failed", /got a web page/],
    "usdm/renamed.csv": ["failed", /columns MapDay, Code, None, D0; expected MapDate/],
    "usdm/next-week.json": ["read", /^$/],
    "diesel/cut.json": ["failed", /not valid JSON, perhaps cut off/],
    "diesel/unit.json": ["read", /^$/],
    "nass/error.json": ["failed", /bad request - invalid query/],
    "nass/empty.csv": ["failed", /the file is empty/],
    "nws/list.json": ["read", /no rows; nothing was deleted/],
    "futures/cut.csv": ["failed", /not a table, perhaps cut off: .*line 2/],
    "echo/broken.json.gz": ["failed", /damaged gzip/],
    "aphis/binary.csv": ["failed", /unknown format/],
  };
  for (const [path, status, reason] of reasons) {
    expect([path, status]).toEqual([path, wanted[path]![0]]);
    expect(reason).toMatch(wanted[path]![1]);
    if (status === "failed") expect(reason).toContain(`market/${path}`);
  }
});

test("rejects rows of next week and with unknown units, giving the reason, and accounts for every row", async () => {
  expect(mixed.report("usdm/next-week.json").rejected).toEqual({after_as_of: 1});
  expect(mixed.report("diesel/unit.json").rejected).toEqual({unknown_unit: 1});
  expect(mixed.result.files.every(addsUp)).toBe(true);
  const kept = await mixed.table("quarantine", "source_path, reject_reason, detail");
  expect(kept).toEqual([
    {
      source_path: "market/diesel/unit.json",
      reject_reason: "unknown_unit",
      detail: "expected $/GAL, got unit CAD/L",
    },
    {
      source_path: "market/usdm/next-week.json",
      reject_reason: "after_as_of",
      detail: "of 2026-11-24, after the as-of date 2026-11-21",
    },
  ]);
});

test("leaves all other signals and the context byte-identical", () => {
  for (const name of ["drought", "diesel", "inventory", "alerts", "futures", "facilities"]) {
    const path = tablePath(`signals/${name}`);
    expect([
      name,
      readFileSync(join(mixed.outDir, path)).equals(readFileSync(join(alone.outDir, path))),
    ]).toEqual([name, true]);
  }
  const [a, b] = [alone, mixed].map(({serving}) => readFileSync(join(serving, "context.arrow")));
  expect(a!.equals(b!)).toBe(true);
  expect(mixed.result.sources).toEqual(alone.result.sources);
});

test("carries only context within its window: no old map, no withheld figure, no missing feed", () => {
  const market = openMarketArtifacts(mixed.serving);
  const items = (type: string, key: string) =>
    market.context(type, key).flatMap(({text}) => (text === null ? [] : [JSON.parse(text)]));
  expect(items("county", "40017").map(({signal}) => signal)).toEqual(["drought"]);
  expect(items("county", "40109")).toEqual([]);
  expect(items("county", "40017")[0]).toMatchObject({
    source_id: "us-drought-monitor",
    values: {d0_pct: 80, d1_pct: 40, worst_class: "D1", map_date: "2026-11-17"},
    valid_from: "2026-11-17",
    valid_to: "2026-11-23",
    age_days: 4,
    freshness: "fresh",
  });
  expect(
    items("state", "OK").map(({signal, key, values}) => [
      signal,
      key,
      values.price_usd_per_gal ?? values.value,
    ]),
  ).toEqual([
    ["diesel", "2", 3.6],
    ["inventory", "OK", 4_600_000],
  ]);
});
