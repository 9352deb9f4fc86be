import {countWords} from "../../lib/counts.ts";
import {ageDays} from "../../lib/dates.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import type {MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {BuildPlan} from "../parts/build-plan.ts";
import type {PartOutcome} from "../parts/part-outcome.ts";
import {countyMap, namedClasses, roundClasses} from "./county-map.ts";
import type {PriceFigures} from "./figures.ts";
import {type Cell, htmlTable, type Section} from "./html.ts";
import {barChart, lineChart} from "./plots.ts";

const [wholeCounty, extract] = ["live: the whole county", "partial: an extract"];
const noPrices = "No price of feeder steers is in this build.";

/** Map and table of prices by county. */
export function countyPriceSection({cell, counties}: PriceFigures): Section {
  const shades = counties.map(({fips, county, price}) => ({
    fips,
    value: price,
    title: `${county}: ${price.toFixed(2)} USD per cwt`,
  }));
  const rows = counties.map((row): Cell[] => [
    row.state,
    row.county,
    row.price.toFixed(2),
    row.head,
    row.day,
  ]);
  return {
    id: "county-prices",
    heading: "Prices by county",
    caption:
      cell === null
        ? noPrices
        : counties.length === 0
          ? `No county has an observed price of ${cell.words} now: what its sale barns reported is too old for one.`
          : `USD per cwt of ${cell.words}, as observed at the sale barns of ${countyWords(counties.length)}; no estimates.`,
    plot: countyMap(shades, roundClasses("USD per cwt")),
    table: htmlTable(
      "Prices by county",
      ["state", "county", "USD per cwt", "head", "last sale"],
      rows,
      noPrices,
    ),
    folded: true,
  };
}

function countyWords(count: number): string {
  return count === 1 ? "one county" : `${count} counties`;
}

/** Chart and table of the headline price by state and week. */
export function weeklyPriceSection({cell, weekly}: PriceFigures): Section {
  const steps = weekly.map(({state, day, price}) => ({line: state, day, value: price}));
  const rows = weekly.map((row): Cell[] => [row.state, row.day, row.price.toFixed(2), row.head ?? "-"]);
  return {
    id: "weekly-prices",
    heading: "Headline prices by week",
    caption:
      cell === null
        ? noPrices
        : `USD per cwt of ${cell.words} by the Saturday of the week, in the states with most head sold.`,
    plot: lineChart(steps, "USD per cwt"),
    table: htmlTable("Prices by week", ["state", "week to", "USD per cwt", "head"], rows, noPrices),
    folded: true,
  };
}

/** Ages of the market's sources on the as-of date. */
export function freshnessSection({asOf}: BuildPlan, outcomes: readonly PartOutcome[]): Section {
  const market = outcomes.find(({planned}) => planned.name === MARKET)?.part as MarketPart | null | undefined;
  const sources = (market?.sources ?? []).map(({id, source_date}) => ({
    id,
    source_date,
    age: source_date === null ? null : ageDays(source_date, asOf),
  }));
  const bars = sources
    .flatMap(({id, age}) => (age === null ? [] : [{label: id, value: age}]))
    .sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
  const rows = sources.map(({id, source_date, age}): Cell[] => [id, source_date ?? "not stated", age ?? "-"]);
  return {
    id: "freshness",
    heading: "Freshness of market sources",
    caption: "Days from the newest date of a source to the as-of date.",
    plot: barChart(bars, {unit: "days"}),
    table: htmlTable("Market sources", ["source", "newest date", "days old"], rows),
    folded: true,
  };
}

/** Map and table of the counties with parcels, by coverage. */
export function coverageSection(outcomes: readonly PartOutcome[]): Section {
  const counties = outcomes.flatMap(({planned, part}) =>
    planned.name === MARKET || part === null
      ? []
      : (part as StatePart).counties.map((county) => ({...county, state: planned.name})),
  );
  const shades = counties.map(({county_key, county_name, complete, rows}) => ({
    fips: county_key,
    value: complete ? wholeCounty : extract,
    title: `${county_name}: ${countWords(rows)} parcels`,
  }));
  const rows = counties.map((county): Cell[] => [
    county.state,
    `${county.county_key} ${county.county_name}`,
    county.complete ? "live" : "partial",
    county.rows,
    county.vintage ?? "not stated",
    county.sources.join(", "),
  ]);
  return {
    id: "coverage",
    heading: "Coverage of parcels",
    caption: `Counties with parcels in this build: ${counties.length}. Counties outside of the map are in the table.`,
    plot: countyMap(shades, namedClasses({[wholeCounty!]: "var(--whole)", [extract!]: "var(--extract)"})),
    table: htmlTable("Counties", ["state", "county", "coverage", "parcels", "vintage", "sources"], rows),
    folded: true,
  };
}

/** Rows of each part, compared with the previous build. */
export function rowsSection(outcomes: readonly PartOutcome[]): Section {
  const parts = outcomes.map(({planned, part, heldBack}) => ({
    name: planned.name,
    heldBack,
    before: planned.base === null ? null : rowsOf(planned.base, planned.name),
    now: rowsOf(part, planned.name),
  }));
  const bars = parts
    .filter(({now, before}) => now > 0 || before !== null)
    .map(({name, now, before}) => ({label: name, value: now, ...(before === null ? {} : {before})}));
  const rows = parts.map(({name, heldBack, before, now}): Cell[] => [
    name,
    heldBack === null ? "ready" : {text: `held back: ${heldBack.split("\n")[0]}`, className: "held"},
    before === null ? "-" : countWords(before),
    now,
    before === null ? "-" : (now - before).toLocaleString("en-US", {signDisplay: "exceptZero"}),
  ]);
  return {
    id: "rows",
    heading: "Rows by part, against the last build",
    caption:
      "Rows that the tables of each part hold as bars, and in the build before as ticks. The market's tables hold more rows than came in: " +
      "prices by county, state and week are made of them.",
    plot: barChart(bars, {unit: "rows"}),
    table: htmlTable("Parts", ["part", "result", "rows before", "rows now", "change"], rows),
  };
}

function rowsOf(part: MarketPart | StatePart | null, name: string): number {
  if (part === null) return 0;
  if (name !== MARKET) return (part as StatePart).rows;
  return Object.values((part as MarketPart).rows).reduce((sum, count) => sum + count, 0);
}
