import {MARKET} from "../../lib/storage/build-layout.ts";
import type {MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {PartOutcome} from "../publish/part-outcome.ts";
import {type Cell, htmlTable, type Section} from "./html.ts";
import type {Plots} from "./plots.ts";

/** Gives the map and table of the counties that have parcels, by coverage. */
export function coverageSection(plots: Plots, outcomes: readonly PartOutcome[]): Section {
  const counties = outcomes.flatMap(({planned, part}) =>
    planned.name === MARKET || part === null
      ? []
      : (part as StatePart).counties.map((county) => ({...county, state: planned.name})),
  );
  const shades = counties.map(({county_key, county_name, complete, rows}) => ({
    fips: county_key,
    value: complete ? "live: the whole county" : "partial: an extract",
    title: `${county_name}: ${rows.toLocaleString("en-US")} parcels`,
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
    plot: plots.counties(shades, {
      domain: ["live: the whole county", "partial: an extract"],
      range: ["#2b8a3e", "#8ce99a"],
    }),
    table: htmlTable("Counties", ["state", "county", "coverage", "parcels", "vintage", "sources"], rows),
    folded: true,
  };
}

/** Gives the rows of each part beside those of the build before. */
export function rowsSection(plots: Plots, outcomes: readonly PartOutcome[]): Section {
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
    before === null ? "-" : before.toLocaleString("en-US"),
    now,
    before === null ? "-" : (now - before).toLocaleString("en-US", {signDisplay: "exceptZero"}),
  ]);
  return {
    id: "rows",
    heading: "Rows by part, against the last build",
    caption:
      "Rows that the tables of each part hold as bars, and in the build before as ticks. The market's tables hold more rows than came in: " +
      "prices by county, state and week are made of them.",
    plot: plots.bars(bars, {unit: "rows"}),
    table: htmlTable("Parts", ["part", "result", "rows before", "rows now", "change"], rows),
  };
}

function rowsOf(part: MarketPart | StatePart | null, name: string): number {
  if (part === null) return 0;
  if (name !== MARKET) return (part as StatePart).rows;
  return Object.values((part as MarketPart).rows).reduce((sum, count) => sum + count, 0);
}
