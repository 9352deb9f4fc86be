import {monthNumber} from "../dates.ts";

/**
 * First day of a reference period: `FIRST OF JAN` and `JAN` of 2026 are 2026-01-01, `YEAR` and `MARKETING YEAR` the year's
 * first day, `JAN THRU MAR` 1 January; a week by its end (the Saturday or Sunday that the source names). Null for a period that is not known.
 */
export function periodStart(year: number, period: string, weekEnding: string | null): string | null {
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

/** `inventory` for cattle, `feed` for feed, hay and grazing; null for what is neither (hogs, orchards). */
export function signalOf(commodity: string): "inventory" | "feed" | null {
  const name = commodity.trim().toUpperCase();
  if (!commodities.test(name)) return null;
  return /^(CATTLE|CALVES|BEEF|MILK)\b/.test(name) ? "inventory" : "feed";
}
