import {readFileSync} from "node:fs";
import {join} from "node:path";
import {isObject, type Json, objectsOf, textOf} from "@open-cattle/usda-reports/values";
import {addDays} from "../../../lib/dates.ts";
import {model} from "../../../lib/models/model.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {lookupSql} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {tableReader} from "../signals/signal-reader.ts";
import {gathered, gatheredColumns} from "../signals/signal-tables.ts";
import type {SignalFeed} from "./feed.ts";

/** EIA regions with code (`duoarea`), names, and the states whose answers use their price. */
export const {regions} = JSON.parse(readFileSync(join(referenceDir, "padd-regions.json"), "utf8")) as {
  regions: readonly {region: string; names: string[]; states: string[]}[];
};

/** The EIA's weekly diesel price: an answer of its API v2 (JSON or CSV), or its series by region as period and value. */
export const diesel: SignalFeed = {
  kind: "signals",
  source: "diesel",
  tables: ["diesel"],
  read: tableReader("diesel", {
    needs: [["period"], ["value"], ["duoarea", "areaname", "series"]],
    expected: "period, duoarea (or area-name, or series) and value",
    records: (body) => pricesOfRegions(body) ?? pricesOfBulk(body) ?? pricesOfSheet(objectsOf(body)),
    counted: (body) => (isObject(body) && isObject(body["response"]) ? body["response"]["total"] : null),
    columns(row) {
      const valid_from = row.day("period");
      const {product: ofSeries, area: areaOfSeries} = seriesIn(row.text("series"));
      const product = row.text("product", "productname") ?? ofSeries;
      if (product !== null && !/^epd2d|diesel/i.test(product))
        reject("not_diesel", `expected No 2 diesel, got product ${product}`);
      const unit = row.text("units", "unit");
      if (unit !== null && !/^(\$\/gal|usd\/gal|dollars per gallon|dollars\/gallon)$/i.test(unit))
        reject("unknown_unit", `expected $/GAL, got unit ${unit}`);
      const named = [row.text("duoarea"), row.text("areaname")].filter((text) => text !== null);
      const words = named.length > 0 || areaOfSeries === null ? named : [areaOfSeries];
      const key = words.map(regionOf).find((region) => region !== undefined);
      if (key === undefined) reject("unknown_area", `area ${words.join(", ")} is not a PADD region`);
      const price = row.number("value") ?? reject("no_value", "no value");
      if (price < 0.5 || price > 20) reject("implausible_value", `${price} USD per gallon`);
      return {
        signal: "diesel",
        key,
        valid_from,
        valid_to: addDays(valid_from, 6),
        area_type: key === "US" ? "nation" : key === "CA" ? "state" : "padd",
        area: key,
        price_usd_per_gal: roundHalfAway(price, 3),
        region_name: row.text("areaname", "duoarea") ?? areaOfSeries,
      };
    },
  }),
  completes: () => ({diesel: signal_diesel}),
  context: [
    {
      table: "diesel",
      newestOf: "key",
      days: "10",
      // A state uses its own region or sub-region before its district; never another region.
      order: "-len(key)",
      firstOnly: true,
      places: {
        state: lookupSql(
          "key",
          regions.map(({region, states}) => [region, states]),
        ),
      },
      keyOf: ["'padd'", "first(key)"],
      values: ["price_usd_per_gal", "change_week_usd_per_gal", "min(valid_from) AS week_date"],
      limitation: "A weekly average at the pump of the region; not a carrier quote.",
    },
  ],
  sample: ["sample.csv"],
};

/**
 * The prices with their change from the week before. After a holiday Monday the price is of Tuesday, so a week may have 6 to 8 days;
 * exactly 7 is preferred.
 */
const signal_diesel = model({
  name: "signal_diesel",
  reads: [gathered.diesel],
  columns: gatheredColumns("diesel"),
  materialise: "table",
  sql: () => `SELECT own.* REPLACE (CASE WHEN earlier.seq IS NULL THEN change_week_usd_per_gal
        ELSE own.price_usd_per_gal - earlier.price END::DECIMAL(6,3) AS change_week_usd_per_gal)
      FROM gathered_diesel AS own LEFT JOIN (
        SELECT later.seq, arg_min(before.price_usd_per_gal, list_position([7, 6, 8], later.valid_from - before.valid_from)) AS price
        FROM gathered_diesel AS later JOIN gathered_diesel AS before
          ON before.key = later.key AND later.valid_from - before.valid_from BETWEEN 6 AND 8 GROUP BY later.seq) AS earlier
      ON earlier.seq = own.seq`,
});

/** Product and area of a series: `EPD2D` and `R20` of `EMD_EPD2D_PTE_R20_DPG`, also with the ending that tells its weeks (`.W`). */
function seriesIn(series: string | null): {product: string | null; area: string | null} {
  const [, product = null, area = null] =
    /\bEM[A-Z]_([A-Z0-9]+)_PTE_([A-Z0-9]+)_DPG\b/.exec(series ?? "") ?? [];
  return {product, area};
}

/** The prices of series by region, `{region: [{period, value}]}`, which state no unit; undefined for another body. */
function pricesOfRegions(body: unknown): Json[] | undefined {
  if (!isObject(body) || !isObject(body["series"])) return undefined;
  return Object.entries(body["series"]).flatMap(([region, points]) =>
    objectsOf(points).map((point) => ({...point, "area-name": region})),
  );
}

/** The prices of lines of the publisher's bulk file, each a series with its points `["20261123", 3.811]`; undefined for another body. */
function pricesOfBulk(body: unknown): Json[] | undefined {
  const series = Array.isArray(body) ? objectsOf(body).filter((each) => Array.isArray(each["data"])) : [];
  if (series.length === 0) return undefined;
  return series.flatMap(({series_id: id, units, data}) =>
    (data as unknown[]).flatMap((point) => {
      const [day, value] = Array.isArray(point) ? point : [];
      const period = /^(\d{4})(\d{2})(\d{2})$/.exec(String(day))?.slice(1).join("-");
      return value === null ? [] : [{period, value, units: unitOfSheets(units), series: id}];
    }),
  );
}

/** The unit of bulk files says in words what the API abbreviates. */
function unitOfSheets(units: unknown): unknown {
  return /^dollars per gallon/i.test(String(units ?? "")) ? "$/GAL" : units;
}

/**
 * The prices of the publisher's sheet of all weeks, which has a column for each series: below a line `Sourcekey` with their names a line for
 * each week, its day first. Undefined for other lines; a cell without a price is none.
 */
function pricesOfSheet(lines: readonly Json[]): Json[] | undefined {
  const cells = lines.map((line) => Object.values(line));
  const keys = cells.findIndex(([first]) => textOf(first) === "Sourcekey");
  if (keys < 0) return undefined;
  return cells
    .slice(keys + 1)
    .flatMap(([period, ...prices]) =>
      /^date$/i.test(textOf(period) ?? "")
        ? []
        : prices.flatMap((value, place) =>
            textOf(value) === null ? [] : [{period, value, series: cells[keys]![place + 1]}],
          ),
    );
}

function regionOf(words: string): string | undefined {
  const plain = words
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/\s*\(padd \w+\)$/, "");
  return regions.find(({names}) => names.includes(plain))?.region;
}
