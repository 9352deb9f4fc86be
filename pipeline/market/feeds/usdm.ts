import {type Json, objectsOf} from "@open-cattle/usda-reports/values";
import {addDays} from "../../../lib/dates.ts";
import {counties, countyAreas} from "../../../lib/geography/counties.ts";
import {usStateCode} from "../../../lib/geography/states.ts";
import {model} from "../../../lib/models/model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {countyVintage, isCounty} from "../signals/areas.ts";
import {reject} from "../signals/reading.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
import {gathered, gatheredColumns, withFurtherRows} from "../signals/signal-tables.ts";
import type {SignalFeed} from "./feed.ts";

const classes = ["d0", "d1", "d2", "d3", "d4"] as const;

/** US Drought Monitor: shares of areas by class, from its statistics service or as a long table of counties. */
export const usdm: SignalFeed = {
  kind: "signals",
  source: "us-drought-monitor",
  tables: ["drought"],
  read: tableReader("drought", {
    needs: [
      ["mapdate", "usdmdate"],
      ["d0", "usdmclass"],
      ["none", "ot", "usdmpercent"],
    ],
    expected: "MapDate, an area, None, D0 to D4, or usdm_date, usdm_class, usdm_percent by county",
    records: countyRows,
    // A line of a long table is part of its county's row, unless it is that row.
    columns: (row) => (row.has("usdmclass") ? null : shareColumns(row)),
  }),
  completes: () => ({drought: signal_drought}),
  context: [
    {
      table: "drought",
      newestOf: "key",
      days: "10",
      values: [
        "none_pct",
        ...classes.map((name) => `${name}_pct`),
        "worst_class",
        "counties_summed",
        "min(valid_from) AS map_date",
      ],
      limitation:
        "Shares of the area by drought class, each class with the worse ones; not a measure of any property.",
      namesVintage: true,
    },
  ],
  // Texas has its own map; Arizona has the maps of all its counties.
  sample: ["sample.csv"],
};

/** The land of every county. */
const county_areas = model({
  name: "county_areas",
  columns: {VARCHAR: "fips state", DOUBLE: "square_miles"},
  rows: () => {
    const areas = countyAreas();
    return counties().map(({fips, state}) => ({fips, state, square_miles: areas.get(fips)}));
  },
});

const shares = ["none", ...classes.flatMap((name) => [name, `${name}_only`])].map(
  (name) => `round(sum(${name}_pct * square_miles) / sum(square_miles), 2) AS ${name}_pct`,
);

/**
 * The shares of areas. A state without its own map has the area-weighted shares of its counties, for each map that covers all of
 * them. A state whose counties differ from the county table (Alaska, Connecticut) gets none.
 */
const signal_drought = model({
  name: "signal_drought",
  reads: [gathered.drought, county_areas],
  columns: gatheredColumns("drought"),
  materialise: "table",
  sql: () =>
    withFurtherRows(
      "drought",
      `FROM (SELECT signal, state AS key, valid_from, max(valid_to) AS valid_to, 'state' AS area_type, state AS area, ${shares.join(", ")},
        max(worst_class) AS worst_class, count(*) AS counties_summed, min(source_id) AS source_id, max(source_date) AS source_date,
        max(ingested_at) AS ingested_at, max(seq) AS seq, true AS is_current
      FROM gathered_drought JOIN (FROM county_areas SELECT *, count(*) OVER (PARTITION BY state) AS of_state) ON fips = key
      WHERE state <> '' GROUP BY signal, state, valid_from, of_state HAVING count(*) = of_state) AS summed
    ANTI JOIN gathered_drought AS own USING (signal, key, valid_from)`,
    ),
});

type Area = {readonly type: "county" | "state" | "nation" | "other"; readonly key: string};

/**
 * One row of the statistics service: percent of an area by class. Format 1 is cumulative, 2 categorical; without a format, the
 * shares decide. Rows in square miles and counts do not add up to 100 and are rejected.
 */
function shareColumns(row: Row) {
  const valid_from = row.day("mapdate");
  const area =
    areaOf(row) ?? reject("unknown_area", "no county code, state or area of interest that is known");
  const none = row.number("none", "ot");
  const shares = classes.flatMap((name) => row.number(name) ?? []);
  if (none === null || shares.length < classes.length)
    reject("no_value", "a share of a class is missing or is not a number");
  const format = row.text("statisticformatid");
  const columns =
    (format === "2" ? null : percentColumns(none, shares, true)) ??
    (format === "1" ? null : percentColumns(none, shares, false)) ??
    reject("shares_do_not_add", "expected percent by class that make up 100 percent of the area");
  return {
    signal: "drought",
    key: area.key,
    valid_from,
    // A map is dated Tuesday and holds for a week.
    valid_to: row.date("validend") ?? addDays(valid_from, 6),
    area_type: area.type,
    area: area.key,
    county_vintage: area.type === "county" ? countyVintage(area.key) : null,
    ...columns,
  };
}

function areaOf(row: Row): Area | null {
  const fips = row.text("fips");
  if (fips !== null && /^\d{4,5}$/.test(fips)) {
    const key = fips.padStart(5, "0");
    return isCounty(key) ? {type: "county", key} : null;
  }
  const interest = row.text("areaofinterest", "name");
  const state = row.state("stateabbreviation", "state") ?? usStateCode(interest);
  if (state !== null) return {type: "state", key: state};
  // `Total` and `US` mean the nation with Alaska, Hawaii and Puerto Rico, `CONUS` the 48 states.
  if (/^(total|us|usa|national)$/i.test(interest ?? "")) return {type: "nation", key: "US"};
  return interest === null ? null : {type: "other", key: interest};
}

/** Maximum rounding error of six shares with two decimals, and of shares with four decimals times 100. */
const tolerancePercent = 0.15;

/**
 * Columns from cumulative shares, which must not grow with the class, or from categorical ones; null if they do not add up to
 * the whole area.
 */
function percentColumns(none: number, shares: readonly number[], isCumulative: boolean) {
  const worse = (index: number) => shares.slice(index).reduce((sum, share) => sum + share, 0);
  const atLeast = isCumulative ? shares : shares.map((_, index) => worse(index));
  const only = isCumulative ? shares.map((share, index) => share - (shares[index + 1] ?? 0)) : shares;
  const least = isCumulative ? -tolerancePercent : 0;
  const isWhole = Math.abs(none + atLeast[0]! - 100) <= tolerancePercent;
  if (!isWhole || ![none, ...only].every((share) => share >= least)) return null;
  const percent = (share: number) => roundHalfAway(Math.min(100, Math.max(0, share)), 2);
  const worst = only.findLastIndex((share) => percent(share) > 0);
  return {
    none_pct: percent(none),
    ...Object.fromEntries(classes.map((name, i) => [`${name}_pct`, percent(atLeast[i]!)])),
    ...Object.fromEntries(classes.map((name, i) => [`${name}_only_pct`, percent(only[i]!)])),
    worst_class: worst < 0 ? null : `D${worst}`,
  };
}

/**
 * The lines of a long table of categorical shares from 0 to 1, by county and class, of which the first of each county and map
 * becomes a row as the statistics service gives it. Undefined for another body.
 */
function countyRows(body: unknown): Json[] | undefined {
  const lines = objectsOf(body);
  if (!lines.some((line) => "usdm_class" in line)) return undefined;
  const mapOf = (line: Json) => `${fipsOf(line)} ${line["usdm_date"]}`;
  const groups = Map.groupBy(lines, mapOf);
  return lines.map((line) => {
    const group = groups.get(mapOf(line))!;
    if (line !== group[0] || !("usdm_class" in line)) return line;
    // Classes without a share are omitted. What is unknown or doubled does not add up.
    const shares = group.map((each) => [each["usdm_class"], 100 * Number(each["usdm_percent"])]);
    const row = {mapdate: line["usdm_date"], fips: fipsOf(line), statisticformatid: "2"};
    return {...row, ...noShares, ...Object.fromEntries(shares)};
  });
}

const noShares = {None: 0, D0: 0, D1: 0, D2: 0, D3: 0, D4: 0};

function fipsOf({STATEFP, COUNTYFP}: Json): string {
  return `${STATEFP}${COUNTYFP}`;
}
