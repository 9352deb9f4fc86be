import {readFileSync} from "node:fs";
import {join} from "node:path";
import {addDays} from "../../../lib/dates.ts";
import {states} from "../../../lib/geography/states.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {isObject, type Json, objectsOf} from "../json-values.ts";
import {type GatheredRow, reject} from "../signals/reading.ts";
import {tableReader} from "../signals/table.ts";
import {type SignalFeed, sampleTable} from "./feed.ts";

/** The weekly diesel price of the EIA: an answer of its API v2 (JSON or CSV), or its series by region as period and value. */
export const diesel: SignalFeed = {
  kind: "signals",
  source: "diesel",
  tables: ["diesel"],
  read: tableReader("diesel", {
    of: "a list of prices",
    needs: [["period"], ["value"], ["duoarea", "areaname"]],
    expected: "period, duoarea (or area-name) and value",
    records: (body) => (isObject(body) && isObject(body["series"]) ? seriesRows(body["series"]) : undefined),
    columns(row) {
      const valid_from = row.day("period");
      const product = row.text("product", "productname");
      if (product !== null && !/^epd2d|diesel/i.test(product))
        reject("not_diesel", `product ${product}; No 2 diesel was expected`);
      const unit = row.text("units", "unit");
      if (unit !== null && !/^(\$\/gal|usd\/gal|dollars per gallon|dollars\/gallon)$/i.test(unit))
        reject("unknown_unit", `unit ${unit}; $/GAL was expected`);
      const words = [row.text("duoarea"), row.text("areaname")].filter((text) => text !== null);
      const key = words.map(regionOf).find((region) => region !== undefined);
      if (key === undefined) reject("unknown_area", `area ${words.join(", ")} is no PADD region`);
      const price = row.within("value", {least: 0.5, most: 20, unit: "USD per gallon"});
      return {
        signal: "diesel",
        key,
        valid_from,
        valid_to: addDays(valid_from, 6),
        area_type: key === "US" ? "nation" : key === "CA" ? "state" : "padd",
        area: key,
        price_usd_per_gal: roundHalfAway(price, 3),
        region_name: row.text("areaname", "duoarea"),
      };
    },
  }),
  finish: {diesel: (tables) => withWeeklyChange(tables.get("diesel") ?? [])},
  context: {
    table: "diesel",
    newestOf: ({key}) => key,
    days: () => 10,
    // Of the regions of a state its own or its sub-region counts before its district; never another region.
    order: ({key}) => `${9 - key.length}`,
    firstOnly: true,
    places: ({key}) =>
      states
        .filter(({state}) => regionsOfState(state).includes(key))
        .map(({state}) => ({keyType: "state", key: state})),
    keyOf: ({key}) => ["padd", key],
    values: ([row]) => ({
      price_usd_per_gal: row["price_usd_per_gal"],
      change_week_usd_per_gal: row["change_week_usd_per_gal"],
      week_date: row.valid_from,
    }),
    limitation: "A weekly average at the pump of the region; not a carrier quote.",
  },
  sample: (asOf) =>
    sampleTable(
      "period,duoarea,area-name,product,value,units",
      `${addDays(asOf, -5)},R30,PADD 3,EPD2D,3.402,$/GAL`,
      `${addDays(asOf, -5)},R5XCA,PADD 5 EXCEPT CALIFORNIA,EPD2D,3.911,$/GAL`,
    ),
};

/** `{region: [{period, value}]}`: the unit is not said, the price per gallon is what the series is. */
function seriesRows(series: Json): Json[] {
  return Object.entries(series).flatMap(([region, points]) =>
    objectsOf(points).map((point) => ({...point, "area-name": region})),
  );
}

/** EIA area codes (`duoarea`) and words of its series, by region: the nation, a PADD or sub-region, the West Coast less California (`5X`). */
const regions: Readonly<Record<string, string>> = {
  US: "nus|nus-z00|us|usa|u\\.?s\\.?|united states|national",
  "1A": "r1x|padd 1a|new england",
  "1B": "r1y|padd 1b|central atlantic",
  "1C": "r1z|padd 1c|lower atlantic",
  "1": "r10|padd 1|east coast",
  "2": "r20|padd 2|midwest",
  "3": "r30|padd 3|gulf coast",
  "4": "r40|padd 4|rocky mountain",
  "5X": "r5xca|padd 5 exc(ept|l(uding|\\.)?) california|west coast (less|except) california",
  "5": "r50|padd 5|west coast",
  CA: "sca|california",
};

function regionOf(words: string): string | undefined {
  const plain = words
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/\s*\(padd \w+\)$/, "");
  return Object.keys(regions).find((key) => new RegExp(`^(${regions[key]})$`).test(plain));
}

type PaddFile = {regions: {region: string; district: string; states: string[]}[]};
let paddFile: PaddFile | undefined;

/** Regions whose price a state may take, nearest first: its own, its sub-region, its district. */
export function regionsOfState(state: string): string[] {
  paddFile ??= JSON.parse(readFileSync(join(referenceDir, "padd-regions.json"), "utf8")) as PaddFile;
  const found = paddFile.regions.find((padd) => padd.states.includes(state));
  if (found === undefined) return [];
  const own = state === "CA" ? ["CA"] : found.region === "5" ? ["5X"] : [];
  return [...new Set([...own, found.region, found.district])];
}

/** Adds each price's change in a week; null without the week before. A Tuesday after a holiday counts as its Monday. */
export function withWeeklyChange(rows: readonly GatheredRow[]): GatheredRow[] {
  const prices = new Map(
    rows.map((row) => [`${row.key} ${row.valid_from}`, row["price_usd_per_gal"] as number]),
  );
  return rows.map((row) => {
    const before = [-7, -6, -8]
      .map((days) => prices.get(`${row.key} ${addDays(row.valid_from, days)}`))
      .find((price) => price !== undefined);
    const price = row["price_usd_per_gal"] as number;
    return {...row, change_week_usd_per_gal: before === undefined ? null : roundHalfAway(price - before, 3)};
  });
}
