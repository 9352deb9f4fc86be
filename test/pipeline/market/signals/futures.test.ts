import {expect, test} from "vitest";
import {
  lastTradingDay,
  nearbyContract,
  readSymbol,
} from "../../../../pipeline/market/calendar/futures-contracts.ts";
import {exchangeHolidays} from "../../../../pipeline/market/calendar/holidays.ts";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {marsRow} from "../raw-folder.ts";
import {signalBuild} from "./signal-build.ts";

test("knows the last trading day of each product, with the exchange's holidays", () => {
  // Feeder cattle: the last Thursday; in November the one before Thanksgiving; in May 2025 Memorial Day stands before it.
  const days = ["2025-01", "2024-11", "2025-05", "2024-10"].map((month) =>
    lastTradingDay("feeder_cattle", month),
  );
  expect(days).toEqual(["2025-01-30", "2024-11-21", "2025-05-22", "2024-10-31"]);
  expect([lastTradingDay("live_cattle", "2024-12"), lastTradingDay("corn", "2024-12")]).toEqual([
    "2024-12-31",
    "2024-12-13",
  ]);
});

test("closes the exchange on Good Friday, two days before the Easter Sundays of published calendars, the latest and the two moved by a week among them", () => {
  const goodFridays = [
    "1943-04-23",
    "1954-04-16",
    "1981-04-17",
    "2011-04-22",
    "2020-04-10",
    "2021-04-02",
    "2022-04-15",
    "2023-04-07",
    "2024-03-29",
    "2025-04-18",
    "2026-04-03",
    "2027-03-26",
    "2028-04-14",
    "2029-03-30",
  ];
  for (const date of goodFridays) {
    const spring = [...exchangeHolidays(Number(date.slice(0, 4)))].filter(
      (day) => day > date.replace(/-.*/, "-03-01") && day < date.replace(/-.*/, "-05-01"),
    );
    expect(spring).toEqual([date]);
  }
});

test("keeps the exchange's other holidays, moved to a weekday from a weekend", () => {
  const days = (year: number) => [...exchangeHolidays(year)].sort();
  expect(days(2021)).toEqual([
    "2021-01-01",
    "2021-01-18",
    "2021-02-15",
    "2021-04-02",
    "2021-05-31",
    "2021-07-05",
    "2021-09-06",
    "2021-11-25",
    "2021-12-24",
  ]);
  expect(days(2022)).toContain("2022-06-20");
});

test("rolls to the next contract on the day after the last trading day", () => {
  const days = ["2025-01-30", "2025-01-31", "2025-05-22", "2025-05-23", "2025-12-31"];
  expect(days.map((day) => nearbyContract("feeder_cattle", day))).toEqual([
    "2025-01",
    "2025-03",
    "2025-05",
    "2025-08",
    "2026-01",
  ]);
});

test("reads a symbol however vendors spell it, and no month that its product does not trade", () => {
  const spellings = ["GFF7", "GFH2027", "/GFJ27", "FCQ27", "GFX27 (Nov '27)", "LCZ26", "CZ26", "62"];
  expect(spellings.map((symbol) => readSymbol(symbol, "2026-11-12")?.contractMonth)).toEqual([
    ...["2027-01", "2027-03", "2027-04", "2027-08", "2027-11"],
    ...["2026-12", "2026-12", null],
  ]);
  expect(["GFG27", "LEF27", "ZCF27", "GFF27X"].map((symbol) => readSymbol(symbol, "2026-11-12"))).toEqual([
    ...[null, null, null, null],
  ]);
});

test("reads symbols of continuous series and of contracts", () => {
  expect(["GF=F", "GFH26.CME", "ZCZ6", "CL=F"].map((symbol) => readSymbol(symbol, "2026-01-05"))).toEqual([
    {product: "feeder_cattle", contractMonth: null},
    {product: "feeder_cattle", contractMonth: "2026-03"},
    {product: "corn", contractMonth: "2026-12"},
    null,
  ]);
});

const header = "\uFEFFdate,ticker,market,open,high,low,close,adj_close,volume";
const day = (date: string, close: string, more: string = "GF=F,Feeder Cattle Futures") =>
  `${date},${more},1,1,1,${close},${close},0`;

const settlements = [header, day("2026-11-17", "351.75"), day("2026-11-20", "352.25")].join("\n");
const sold = (change: object) => ({
  ...marsRow({report_date: "11/17/2026", report_begin_date: "11/17/2026", report_end_date: "11/17/2026"}),
  ...change,
});

test("publishes no settlement without a licence, in files, context or quarantine", async () => {
  const build = await signalBuild({
    files: {"futures/gf.csv": settlements, "mars/9101.json": {results: [sold({})]}},
  });
  try {
    expect(await build.table("signals/futures", "valid_from, settlement, contract_roll")).toEqual([
      {valid_from: "2026-11-17", settlement: null, contract_roll: false},
      {valid_from: "2026-11-20", settlement: null, contract_roll: true},
    ]);
    expect(await build.table("signals/basis", "contract_month, basis_usd_per_cwt")).toEqual([
      {contract_month: "2026-11", basis_usd_per_cwt: null},
    ]);
    expect(build.result.sources.map(({id}) => id)).toEqual(["futures", "mars"]);
    const items = openMarketArtifacts(build.serving).context("state", "KS");
    expect(items).toEqual([{signal: "futures", text: null, ageDays: null}]);
  } finally {
    build.close();
  }
});

test("publishes settlements with a licence, and the index-like basis against the sale day's contract", async () => {
  const lots = [
    sold({
      head_count: 10,
      avg_weight: 725,
      weight_break_low: 700,
      weight_break_high: 750,
      avg_weight_min: 725,
      avg_weight_max: 725,
    }),
    sold({muscle_grade: "1-2", head_count: 20, avg_price: 350, avg_price_min: 350, avg_price_max: 350}),
    sold({lot_desc: "Brahman X", head_count: 500, avg_price: 300, avg_price_min: 300, avg_price_max: 300}),
  ];
  const files = {"futures/gf.csv": settlements, "mars/9101.json": {results: lots}};
  const build = await signalBuild({files, futuresLicensed: true});
  try {
    const cash = (10 * 725 * 355.89 + 20 * 775 * 350) / (10 * 725 + 20 * 775);
    const [row] = await build.table(
      "signals/basis",
      "key, valid_from, head_count, contract_month, basis_usd_per_cwt",
    );
    expect(row).toMatchObject({valid_from: "2026-11-17", head_count: 30, contract_month: "2026-11"});
    expect(row!["basis_usd_per_cwt"]).toBeCloseTo(cash - 351.75, 3);
    const [item] = openMarketArtifacts(build.serving).context("state", "KS");
    expect(JSON.parse(item!.text ?? "")).toMatchObject({values: {settlement: 352.25}, age_days: 1});
  } finally {
    build.close();
  }
});

test.each([
  [9, []],
  [10, [10]],
])("has no basis of a thin cell: %s head", async (head_count, expected) => {
  const files = {"futures/gf.csv": settlements, "mars/9101.json": {results: [sold({head_count})]}};
  const build = await signalBuild({files, futuresLicensed: true});
  try {
    const heads = await build.table("signals/basis", "head_count");
    expect(heads.map((row) => row["head_count"])).toEqual(expected);
  } finally {
    build.close();
  }
});
