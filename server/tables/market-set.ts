import {existsSync} from "node:fs";
import {join} from "node:path";
import {guardOpened, mapFile, openArrowTable} from "@open-cattle/mapped-index";
import type {StateSummaryPointer} from "../../schemas/market-answer.ts";
import {SalePens} from "./area-pens.ts";
import {CountiesNear} from "./nearest-counties.ts";
import {PastSales} from "./past-sales.ts";
import {VenuesNear} from "./place-index.ts";
import {
  barnTable,
  type CountyKey,
  countyTable,
  dealerTable,
  directoryTable,
  latestTable,
  type MappedTable,
  mandatoryTable,
  type StateKey,
  stateTable,
} from "./record-tables.ts";
import {
  contextReader,
  evidenceReader,
  historyReader,
  indicatorReader,
  lastKnownReader,
  sourceEntryReader,
  zipReader,
} from "./side-tables.ts";

/** The market part of a build, opened for serving. */
export type MarketArtifacts = Readonly<ReturnType<typeof openMarketArtifacts>>;

/** Opens the `*.arrow` files in a build's `serving/market`. Throws if one is missing, damaged or lacks a column. */
export function openMarketArtifacts(folder: string) {
  const open = (name: string): MappedTable => {
    const path = join(folder, `${name}.arrow`);
    return {table: openArrowTable(mapFile(path).buffer, path), path};
  };
  const fileIfAny = (name: string) => (existsSync(join(folder, `${name}.arrow`)) ? open(name) : null);
  const openIfAny = (name: string) => fileIfAny(name)?.table ?? null;
  const guarded = (name: string): MappedTable => {
    const path = join(folder, `${name}.arrow`);
    const {buffer} = mapFile(path);
    guardOpened(buffer, path);
    return {table: openArrowTable(buffer, path), path};
  };
  const mandatory = fileIfAny("mandatory_prices");
  const barns = open("barns");
  const barnRecords = barnTable(barns);
  const latest = latestTable(open("latest_prices"));
  const counties = countyTable(open("county_prices"));
  const states = stateTable(open("state_prices"));
  return {
    counties,
    countiesNear: new CountiesNear(counties.keys),
    states,
    /** The pens of weight curves. */
    salePens: new SalePens(open("sale_pens")),
    indicators: indicatorReader(open("indicators")),
    /** Per state, the official summary that is newer than every county observation of the state. */
    fresherSummaries: fresherSummaries(states.keys, counties.keys),
    latest,
    /** Lines of mandatory reports; null in a build that was made before they were served. */
    mandatory: mandatory === null ? null : mandatoryTable(mandatory),
    /** The rows of all sales; null in a build that was made before they were served. */
    past: existsSync(join(folder, "past_rows.arrow"))
      ? new PastSales(guarded("past_sales").table, guarded("past_cells").table, guarded("past_rows").table)
      : null,
    venuesNear: new VenuesNear(latest.keys),
    barns: barnRecords,
    venueCounties: new Map(barnRecords.keys.map(({venueId, countyFips}) => [venueId, countyFips])),
    /** The venues of `barns`, with the flat records of the directory. */
    directory: directoryTable(barns),
    dealers: dealerTable(open("dealers")),
    evidence: evidenceReader(open("evidence")),
    zip: zipReader(openIfAny("zips")),
    lastKnown: lastKnownReader(openIfAny("last_known")),
    context: contextReader(openIfAny("context")),
    history: historyReader(openIfAny("price_history")),
    sourceEntries: sourceEntryReader(openIfAny("sources")),
  };
}

/** Finds, per state, the official summary that is newer than every county observation of the state; states without one are absent. */
function fresherSummaries(
  states: readonly StateKey[],
  counties: readonly CountyKey[],
): ReadonlyMap<string, StateSummaryPointer> {
  const newestSale = new Map<string, string>();
  for (const {state, observed, lastSaleDate} of counties) {
    if (observed && lastSaleDate !== null && lastSaleDate > (newestSale.get(state) ?? ""))
      newestSale.set(state, lastSaleDate);
  }
  const summaries = new Map<string, StateSummaryPointer>();
  for (const {state, weekEndDate, reportSlug} of states) {
    if (weekEndDate === null || reportSlug === null || weekEndDate <= (newestSale.get(state) ?? "")) continue;
    summaries.set(state, {state, week_end_date: weekEndDate, report_slug: reportSlug});
  }
  return summaries;
}
