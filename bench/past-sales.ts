import {mkdtempSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {readSettings} from "../lib/read-settings.ts";
import {marketServing} from "../lib/storage/build-layout.ts";
import {buildMarket} from "../pipeline/market/build-market.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";
import type {Manifest} from "../schemas/manifest.ts";
import {answerDirectly} from "../server/http/direct-answer.ts";
import {latestPrices} from "../server/market/latest-prices.ts";
import {priceByCounty} from "../server/market/price-by-county.ts";
import {priceByState} from "../server/market/price-by-state.ts";
import {openMarketArtifacts} from "../server/tables/market-set.ts";
import {machineLine} from "./machine.ts";
import {madeRows, writeRows} from "./market/rows.ts";
import {inventedVenue} from "./market/venues.ts";

/**
 * Past sales of a generated market: bytes of the served files per price row, and milliseconds for a page of 50 records with their
 * evidence, computed in this process: of rows of sales, and of prices of counties and states over past days.
 *
 *   node bench/past-sales.ts [rows] [years]      default: 1,000,000 price rows of eight years at 200 invented barns
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const years = Number(process.argv[3] ?? 8);
const asOf = "2026-11-21";
const venues = Array.from({length: 200}, (_, number) => inventedVenue(number, asOf));
const rounds = 300;

const root = mkdtempSync(join(tmpdir(), "bench-past-"));
async function main(): Promise<void> {
  const raw = join(root, "raw");
  await writeRows(madeRows({rows, venues: venues.length, asOf, years}), raw, "parquet");
  const [outDir, tempDir] = [join(root, "build"), join(root, "temp")];
  const files = await listRawFiles(join(raw, "parquet"));
  await buildMarket({files, outDir, asOf, previousDir: null, sample: true, tempDir, venues});
  const folder = join(outDir, marketServing);
  const bytes = (name: string) => statSync(join(folder, `${name}.arrow`)).size;
  const [ofRows, ofSales, ofCells] = [bytes("past_rows"), bytes("past_sales"), bytes("past_cells")];
  const began = performance.now();
  const market = openMarketArtifacts(folder);
  const opened = performance.now() - began;
  console.log(`${machineLine()}; ${rows} price rows of ${years} years`);
  console.table([
    {
      "past_rows, bytes a row": (ofRows / rows).toFixed(1),
      "past_sales, bytes a row": (ofSales / rows).toFixed(1),
      "past_cells, bytes": ofCells,
      "all files opened, ms": Math.round(opened),
    },
  ]);
  const base = {
    buildId: "20261121-bench1",
    builtAt: `${asOf}T06:00:00Z`,
    asOf,
    sample: true,
    states: new Map(),
  };
  const generation = {...base, manifest: {states: {}} as Manifest, market};
  const settings = readSettings({});
  const ask = ({path = "/latest-prices", ...values}: Record<string, string>) =>
    answerDirectly(
      [latestPrices, priceByCounty, priceByState].find((endpoint) => endpoint.path === path)!,
      {limit: "50", ...values},
      {generation, settings},
    );
  const table: Record<string, object> = {};
  // The last barns have no rows where these end before.
  const sold = venues.filter(({venueId}) => market.barns.keys.some((barn) => barn.venueId === venueId));
  for (const [name, values] of Object.entries(questionsOn(sold.length))) {
    const spent: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      const {ok, body} = await ask(values(round));
      spent.push(performance.now() - started);
      if (!ok) throw new Error(body);
    }
    spent.sort((a, b) => a - b);
    const at = (share: number) => spent[Math.floor(share * (rounds - 1))]!.toFixed(1);
    table[name] = {"p50 ms": at(0.5), "p99 ms": at(0.99)};
  }
  console.table(table);
}

/** The day so many weeks before the last sale of a barn. */
function saleDay(venue: number, weeks: number): string {
  return new Date(Date.parse(asOf) - (7 * weeks + (venue % 7)) * 86_400_000).toISOString().slice(0, 10);
}

const questionsOn = (barns: number): Record<string, (round: number) => Record<string, string>> => ({
  "one sale of a barn": (round) => {
    const [venue, day] = [round % barns, saleDay(round % barns, (7 * round) % (52 * years))];
    return {venue: `ks-bench-${venue}`, from: day, to: day};
  },
  "a year of a barn": (round) => ({
    venue: `ks-bench-${round % barns}`,
    from: saleDay(0, 52 * (1 + (round % years))),
    to: saleDay(0, 52 * (round % years)),
  }),
  "a month around a point": (round) => ({
    ...{lat: "38.2", lon: String(-101 + (round % 50) / 10), class: "steers"},
    ...{from: saleDay(0, 4 + round), to: saleDay(0, round)},
  }),
  "a week of all barns": (round) => ({class: "steers", from: saleDay(0, 1 + round), to: saleDay(0, round)}),
  "a year of a state, one class": (round) => ({
    ...{state: "KS", class: "heifers", weight: "525"},
    ...{from: saleDay(0, 52 + (round % 300)), to: saleDay(0, round % 300)},
  }),
  "counties of a state, two weeks": (round) => ({
    ...{path: "/price-by-county", state: "KS"},
    ...{from: saleDay(0, 2 + (round % 300)), to: saleDay(0, round % 300)},
  }),
  "weeks of a state, a year of one class": (round) => ({
    ...{path: "/price-by-state", state: "KS", class: "heifers", weight: "525"},
    ...{from: saleDay(0, 52 + (round % 300)), to: saleDay(0, round % 300)},
  }),
  "weeks of all states, a year": (round) => ({
    ...{path: "/price-by-state"},
    ...{from: saleDay(0, 52 + (round % 300)), to: saleDay(0, round % 300)},
  }),
  "a far page of that year": (round) => ({
    ...{state: "KS", class: "heifers", weight: "525", offset: "1500"},
    ...{from: saleDay(0, 52 + (round % 300)), to: saleDay(0, round % 300)},
  }),
});

try {
  await main();
} finally {
  rmSync(root, {recursive: true, force: true});
}
