import {type Json, numberOf, slug, textAt, textOf} from "../../json-values.ts";
import {dateFrom, monthNumber} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {countyCode} from "../areas.ts";
import type {RowOutcome} from "../reading.ts";

/** County number under which Quick Stats pools the counties that are not shown on their own. */
const pooledCounties = "998";

type StatisticArea = {type: string; key: string; pooled: boolean};

/** True for a record of Quick Stats, with folded names: of the API (39 fields) or of the web export. */
export function isStatistic(record: Json): boolean {
  return "value" in record && "year" in record && ("shortdesc" in record || "dataitem" in record);
}

/**
 * One statistic. A value in brackets is a mark of the source: `(D)` withheld, `(Z)` less than half the unit, `(NA)`, `(S)`:
 * the row stays, its value is null, never 0. "Other counties" (998) are a group, no county.
 */
export function statisticRow(record: Json): RowOutcome {
  const item = textAt(record, "shortdesc", "dataitem")?.toUpperCase() ?? "";
  const commodity = textAt(record, "commoditydesc", "commodity") ?? item.split(/[,-]/)[0]!.trim();
  const signal = signalOf(commodity);
  if (signal === null) return {reject: "not_cattle_or_feed", detail: `commodity ${commodity}`};
  const area = areaOf(record);
  if (area === null) return {reject: "unknown_area", detail: "no state or county code that is known"};
  const year = numberOf(record["year"]);
  const period = textAt(record, "referenceperioddesc", "period") ?? "YEAR";
  const start = year === null ? null : periodStart(year, period, dateFrom(record["weekending"]));
  if (year === null || start === null)
    return {reject: "bad_date", detail: `year ${String(record["year"])}, period ${period}`};
  const loaded = dateFrom(record["loadtime"]);
  if (loaded !== null && year > Number(loaded.slice(0, 4)) + 1)
    return {reject: "bad_date", detail: `year ${year} in a row that was loaded on ${loaded}`};
  const read = valueOrMark(record["value"]);
  if (read === null)
    return {
      reject: "bad_value",
      detail: `value ${String(record["value"])}; a number or a mark such as (D) was expected`,
    };
  const program = (textAt(record, "sourcedesc", "program") ?? "survey").toLowerCase();
  const domain = domainOf(record);
  const note = read.mark !== null ? "suppressed" : area.pooled ? "other_counties" : undefined;
  return {
    accept: {
      table: "inventory",
      values: {
        signal,
        key: keyOf(area, {item, period, program, domain}),
        valid_from: start,
        area_type: area.type,
        area: area.key,
        source_date: loaded ?? start,
        item,
        commodity: commodity.toLowerCase(),
        program,
        year,
        period,
        domain,
        value: read.value,
        unit: (textAt(record, "unitdesc") ?? unitIn(item))?.toLowerCase() ?? null,
        suppression: read.mark,
        cv_pct: numberOf(record["cv"]),
      },
    },
    ...(note === undefined ? {} : {note}),
  };
}

function valueOrMark(raw: unknown): {value: number | null; mark: string | null} | null {
  const text = raw === null || raw === undefined ? "" : String(raw).trim();
  const mark = /^\(([A-Z]{1,3})\)$/i.exec(text);
  if (mark !== null) return {value: null, mark: mark[1]!.toUpperCase()};
  const value = numberOf(text);
  return value === null ? null : {value, mark: null};
}

function areaOf(record: Json): StatisticArea | null {
  const level = textAt(record, "agglevel", "aggleveldesc", "geolevel")?.toUpperCase() ?? "";
  const state = stateCode(
    textAt(record, "statealpha") ??
      textAt(record, "statefipscode", "stateansi") ??
      textAt(record, "state", "statename"),
  );
  if (level === "COUNTY" || (level === "" && textOf(record["county"] ?? record["countyname"]) !== null)) {
    const digits = textAt(record, "countyansi", "countycode") ?? (isPooled(record) ? pooledCounties : null);
    const fips = countyCode(state, digits);
    if (fips === null) return null;
    const pooled = digits === pooledCounties || isPooled(record);
    if (!pooled) return {type: "county", key: fips, pooled};
    const district = textAt(record, "asdcode", "agdistrictcode") ?? "";
    return {type: "county_group", key: `${fips}${district === "" ? "" : `-${district}`}`, pooled};
  }
  if (state !== null && (level === "STATE" || level === ""))
    return {type: "state", key: state, pooled: false};
  if (level === "NATIONAL" || /^US TOTAL$/i.test(textAt(record, "state", "statename") ?? ""))
    return {type: "nation", key: "US", pooled: false};
  const words = textAt(record, "locationdesc", "regiondesc", "region", "agdistrict");
  return words === null ? null : {type: level.toLowerCase() || "region", key: words, pooled: false};
}

function isPooled(record: Json): boolean {
  return /^OTHER (\(COMBINED\) )?COUNTIES/i.test(textAt(record, "countyname", "county") ?? "");
}

function domainOf(record: Json): string | null {
  const domain = textAt(record, "domaincatdesc", "domaincategory");
  return domain === null || /^NOT SPECIFIED$/i.test(domain) ? null : domain;
}

/** `CATTLE, ON FEED - INVENTORY` counts head; `… MEASURED IN BU / ACRE` says its unit. */
function unitIn(item: string): string | null {
  const measured = /MEASURED IN (.+)$/.exec(item);
  if (measured !== null) return measured[1]!;
  return /\bINVENTORY\b/.test(item) ? "HEAD" : null;
}

function keyOf(
  area: StatisticArea,
  {item, period, program, domain}: {item: string; period: string; program: string; domain: string | null},
): string {
  return [area.key, slug(item), program, ...(domain === null ? [] : [slug(domain)]), slug(period)].join("/");
}

/**
 * First day of a reference period: `FIRST OF JAN` and `JAN` of 2026 are 2026-01-01, `YEAR` and `MARKETING YEAR` the year's
 * first day, `JAN THRU MAR` 1 January; a week by its end (the Saturday or Sunday that the source names). Null for a period
 * that is not known.
 */
function periodStart(year: number, period: string, weekEnding: string | null): string | null {
  if (weekEnding !== null) return weekEnding;
  const words = period.trim().toUpperCase();
  if (words === "" || /^(YEAR|MARKETING YEAR|ANNUAL)\b/.test(words)) return `${year}-01-01`;
  const first = /^(?:FIRST OF |END OF |MID |MIDDLE OF )?([A-Z]{3})\b/.exec(words);
  const month = first === null ? null : monthNumber(first[1]!);
  return month === null ? null : `${year}-${String(month).padStart(2, "0")}-01`;
}

/** Commodities whose figures are of use beside cattle prices: cattle themselves, feed grains, hay and grazing. */
const commodities =
  /^(CATTLE|CALVES|BEEF|MILK|CORN|SORGHUM|BARLEY|OATS|WHEAT|SOYBEANS|HAY|HAYLAGE|HAY & HAYLAGE|FORAGE|PASTURELAND|GRASSES|GRAZING|FEED|AG LAND|RENT)\b/;

/** `inventory` for cattle, `feed` for feed, hay and grazing; null for other goods (hogs, orchards). */
function signalOf(commodity: string): "inventory" | "feed" | null {
  const name = commodity.trim().toUpperCase();
  if (!commodities.test(name)) return null;
  return /^(CATTLE|CALVES|BEEF|MILK)\b/.test(name) ? "inventory" : "feed";
}
