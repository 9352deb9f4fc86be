import {readFileSync} from "node:fs";
import {join} from "node:path";
import {addDays} from "../../../lib/dates.ts";
import {states} from "../../../lib/geography/states.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {isObject, type Json, objectsOf} from "../json-values.ts";
import {firstNumberSql, lookupSql, objectSql} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {tableReader} from "../signals/table.ts";
import {type SignalFeed, sampleTable} from "./feed.ts";

const regionFile = JSON.parse(readFileSync(join(referenceDir, "padd-regions.json"), "utf8")) as {
  regions: {region: string; district: string; states: string[]}[];
};

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
  // A Tuesday after a holiday counts as its Monday.
  finish: (db) =>
    db.run(`UPDATE signal_diesel AS own SET change_week_usd_per_gal = own.price_usd_per_gal - earlier.price
      FROM (SELECT later.seq, arg_min(before.price_usd_per_gal, list_position([7, 6, 8], later.valid_from - before.valid_from)) AS price
        FROM signal_diesel AS later JOIN signal_diesel AS before
          ON before.key = later.key AND later.valid_from - before.valid_from BETWEEN 6 AND 8 GROUP BY later.seq) AS earlier
      WHERE earlier.seq = own.seq`),
  context: {
    table: "diesel",
    newestOf: "key",
    days: "10",
    // Of the regions of a state its own or its sub-region counts before its district; never another region.
    order: "-len(key)",
    firstOnly: true,
    places: {state: lookupSql("key", statesOfRegions())},
    keyOf: ["'padd'", "first(key)"],
    values: objectSql({
      ...firstNumberSql("price_usd_per_gal", "change_week_usd_per_gal"),
      week_date: "min(valid_from)",
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

/** Regions whose price a state may take, nearest first: its own, its sub-region, its district. */
export function regionsOfState(state: string): string[] {
  const found = regionFile.regions.find((padd) => padd.states.includes(state));
  if (found === undefined) return [];
  const own = state === "CA" ? ["CA"] : found.region === "5" ? ["5X"] : [];
  return [...new Set([...own, found.region, found.district])];
}

function statesOfRegions(): Map<string, string[]> {
  const pairs = states.flatMap(({state}) => regionsOfState(state).map((region) => ({region, state})));
  const byRegion = Map.groupBy(pairs, ({region}) => region);
  return new Map([...byRegion].map(([region, found]) => [region, found.map(({state}) => state)]));
}
