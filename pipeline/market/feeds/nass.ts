import {monthNumber} from "@open-cattle/usda-reports";
import {isObject, type Json, numberOf, objectsOf} from "@open-cattle/usda-reports/values";
import {addDays} from "../../../lib/dates.ts";
import {slug} from "../documents/json-values.ts";
import {countyCode} from "../signals/areas.ts";
import {reject} from "../signals/reading.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
import type {SignalFeed} from "./feed.ts";

/** Statistics that answers carry: cattle in head, corn and hay in dollars. The files have all others. */
const carried = "^(CATTLE.* - INVENTORY$|(CORN|HAY).* - PRICE RECEIVED)";

/** Quick Stats: the API's JSON, CSV and XML, lists of its rows, and the web export, whose column names differ. */
export const nass: SignalFeed = {
  kind: "signals",
  source: "nass-quickstats",
  tables: ["inventory"],
  read: tableReader("inventory", {
    needs: [["value"], ["year"], ["shortdesc", "dataitem"]],
    expected: "short_desc (or Data Item), year and Value",
    records: (body) => (isObject(body) && "perldata" in body ? perlHashes(body["perldata"]) : undefined),
    columns: statisticColumns,
  }),
  context: [
    {
      table: "inventory",
      carries: `area_type IN ('county', 'state') AND value IS NOT NULL AND domain IS NULL AND regexp_matches(item, '${carried}')`,
      // For the same reference day, the survey wins over the census.
      order: "if(program = 'survey', 0, 1) || ' ' || key",
      newestOf: "area, item",
      // Surveys are yearly; the census comes every fifth year.
      days: "if(program = 'census', 2300, 400)",
      group: "item",
      values: ["item", "value", "unit", "year", "period", "program"],
      lasting: true,
      limitation: "An official figure of its reference date until the next release; not a current count.",
      namesVintage: true,
    },
  ],
  sample: ["sample.csv"],
};

/** Perl data as XML: one hash of `item key="…"` per row; an error is a hash with the key `error`. */
function perlHashes(node: unknown): Json[] {
  if (!isObject(node) && !Array.isArray(node)) return [];
  const items = isObject(node) ? objectsOf(node["item"]) : [];
  const hash = Object.fromEntries(items.map((item) => [String(item["key"]), item["#text"] ?? ""]));
  return "Value" in hash || "error" in hash ? [hash] : Object.values(node).flatMap(perlHashes);
}

/**
 * One statistic. A value in brackets is a code of the source: `(D)` withheld, `(Z)` less than half the unit, `(NA)`, `(S)`.
 * Such a row is kept with a null value, never 0. "Other counties" (998) are a group of counties.
 */
function statisticColumns(row: Row) {
  const item = row.text("shortdesc", "dataitem")?.toUpperCase() ?? "";
  const commodity = row.text("commoditydesc", "commodity") ?? item.split(/[,-]/)[0]!.trim();
  const signal = signalOf(commodity) ?? reject("not_cattle_or_feed", `commodity ${commodity}`);
  const area = areaOf(row) ?? reject("unknown_area", "no state or county code that is known");
  const year = row.number("year");
  const period = row.text("referenceperioddesc", "period") ?? "YEAR";
  const days = year === null ? null : periodDays(year, period, row.date("weekending"));
  if (year === null || days === null) reject("bad_date", `year ${row.text("year")}, period ${period}`);
  const loaded = row.date("loadtime");
  if (loaded !== null && year > Number(loaded.slice(0, 4)) + 1)
    reject("bad_date", `year ${year} in a row that was loaded on ${loaded}`);
  const shown = String(row.cells["value"] ?? "").trim();
  const suppression = /^\(([A-Z]{1,3})\)$/i.exec(shown)?.[1]?.toUpperCase() ?? null;
  const value = numberOf(shown);
  if (value === null && suppression === null)
    reject("bad_value", `expected a number or a mark such as (D), got value ${String(row.cells["value"])}`);
  const program = row.lower("sourcedesc", "program") ?? "survey";
  const category = row.text("domaincatdesc", "domaincategory");
  const domain = /^NOT SPECIFIED$/i.test(category ?? "NOT SPECIFIED") ? null : category;
  const names = [slug(item), program, ...(domain === null ? [] : [slug(domain)]), slug(period)];
  return {
    signal,
    key: [area.key, ...names].join("/"),
    valid_from: days.first,
    valid_to: days.last,
    area_type: area.type,
    area: area.key,
    source_date: loaded ?? days.first,
    item,
    commodity: commodity.toLowerCase(),
    program,
    year,
    period,
    domain,
    value,
    unit: (row.text("unitdesc") ?? unitIn(item))?.toLowerCase() ?? null,
    suppression,
    cv_pct: row.number("cv"),
    note: suppression !== null ? "suppressed" : area.type === "county_group" ? "other_counties" : null,
  };
}

/** County number under which Quick Stats combines counties that it does not publish separately. */
const pooledCounties = "998";

function areaOf(row: Row): {type: string; key: string} | null {
  const level = row.text("agglevel", "aggleveldesc", "geolevel")?.toUpperCase() ?? "";
  const state = row.state("statealpha", "statefipscode", "stateansi", "state", "statename");
  const county = row.text("countyname", "county");
  if (level === "COUNTY" || (level === "" && county !== null)) {
    const isPooled = /^OTHER (\(COMBINED\) )?COUNTIES/i.test(county ?? "");
    const digits = row.text("countyansi", "countycode") ?? (isPooled ? pooledCounties : null);
    const fips = countyCode(state, digits);
    if (fips === null || !(isPooled || digits === pooledCounties))
      return fips === null ? null : {type: "county", key: fips};
    const district = row.text("asdcode", "agdistrictcode");
    return {type: "county_group", key: district === null ? fips : `${fips}-${district}`};
  }
  if (state !== null && (level === "STATE" || level === "")) return {type: "state", key: state};
  if (level === "NATIONAL" || /^US TOTAL$/i.test(row.text("state", "statename") ?? ""))
    return {type: "nation", key: "US"};
  const words = row.text("locationdesc", "regiondesc", "region", "agdistrict");
  return words === null ? null : {type: level.toLowerCase() || "region", key: words};
}

/** The unit in an item's name: `… MEASURED IN BU / ACRE` states it, and `CATTLE, ON FEED - INVENTORY` counts head. */
function unitIn(item: string): string | null {
  return /MEASURED IN (.+)$/.exec(item)?.[1] ?? (/\bINVENTORY\b/.test(item) ? "HEAD" : null);
}

type Days = {readonly first: string; readonly last: string | null};

/**
 * First and last day of a reference period. `FIRST OF JAN` of 2026 is the single day 2026-01-01, `END OF DEC` 2026-12-31; `JAN`
 * and `JAN THRU MAR` end with their last month, `YEAR` with the year, a week on the Saturday or Sunday that the source names. A
 * marketing year and the middle of a month have no last day. Null for an unknown period.
 */
function periodDays(year: number, period: string, weekEnding: string | null): Days | null {
  if (weekEnding !== null) return {first: addDays(weekEnding, -6), last: weekEnding};
  const words = period.trim().toUpperCase();
  if (/^(YEAR|MARKETING YEAR|ANNUAL)\b/.test(words))
    return {first: `${year}-01-01`, last: words.startsWith("M") ? null : `${year}-12-31`};
  const [, at, name, through] =
    /^(FIRST OF |END OF |MID |MIDDLE OF )?([A-Z]{3})\b(?: THRU ([A-Z]{3})\b)?/.exec(words) ?? [];
  const month = name === undefined ? null : monthNumber(name);
  if (month === null) return null;
  const first = `${year}-${String(month).padStart(2, "0")}-01`;
  if (at === "FIRST OF ") return {first, last: first};
  if (at === "END OF ") return {first: endOfMonth(first), last: endOfMonth(first)};
  const lastMonth = through === undefined ? month : monthNumber(through);
  if (at !== undefined || lastMonth === null || lastMonth < month) return {first, last: null};
  return {first, last: endOfMonth(`${year}-${String(lastMonth).padStart(2, "0")}-01`)};
}

/** The last day of the month that begins on a day. */
function endOfMonth(first: string): string {
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
}

/**
 * `inventory` for cattle; `feed` for feed grains, hay and grazing, which are useful beside prices; null for others (hogs,
 * orchards).
 */
function signalOf(commodity: string): "inventory" | "feed" | null {
  if (/^\s*(CATTLE|CALVES|BEEF|MILK)\b/i.test(commodity)) return "inventory";
  const feed =
    /^\s*(CORN|SORGHUM|BARLEY|OATS|WHEAT|SOYBEANS|HAY|HAYLAGE|FORAGE|PASTURELAND|GRASSES|GRAZING|FEED|AG LAND|RENT)\b/i;
  return feed.test(commodity) ? "feed" : null;
}
