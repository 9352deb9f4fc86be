import {readReportTitle, reportSlug} from "@open-cattle/usda-reports";
import {numberOf, textOf} from "@open-cattle/usda-reports/values";
import {usStateCode} from "../../../../lib/geography/states.ts";
import type {RosterSource} from "../../../../schemas/list-source.ts";
import {isInState} from "../areas.ts";
import {reject} from "../reading.ts";
import type {ListRow} from "./headed-rows.ts";
import {phoneOf, timeIn, websiteOf, weekdaysIn, zipOf} from "./list-values.ts";

/** One line of a roster of sale barns. */
export type Listing = Readonly<ReturnType<typeof listingOf>>;

const otherGoods = /\b(hay|straw|sheep|goats?|lambs?|hogs?|swine|horses?|produce|poultry)\b/i;
const cattleWords = /\b(cattle|livestock|stock ?yards?|calves|cows?|dairy|feeder|slaughter)\b/i;

/** The name under which a firm trades: what follows `dba`, else the whole name. */
function tradeName(name: string | null): string | null {
  return /\b(?:d\/?b\/?a|doing business as)\b[.:]?\s*(\S.*)$/i.exec(name ?? "")?.[1] ?? name;
}

/**
 * Reads a roster row: report number, title or name, place, contact, sale days and time, point. Rejects a row that is no cattle
 * sale barn.
 */
export function listingOf(fields: ListRow["fields"], list: Pick<RosterSource, "state">) {
  const title =
    textOf(fields.trade_name) ??
    tradeName(textOf(fields.name)) ??
    reject("no_name", "a line without a title or name");
  const reportTitle = readReportTitle(title);
  const both = /^(.+?),\s*([A-Za-z]{2})$/.exec(textOf(fields.place) ?? "");
  const state =
    usStateCode(textOf(fields.state) ?? both?.[2] ?? null) ??
    reportTitle.state ??
    list.state ??
    reject("unknown_area", `no state in ${title}`);
  const words = textOf(fields.goods)?.replaceAll("_", " ") ?? title;
  if (otherGoods.test(words) && !cattleWords.test(words)) reject("not_cattle", `${title}: ${words}`);
  const [days, lat, lon] = [textOf(fields.sale_days), numberOf(fields.lat), numberOf(fields.lon)];
  const point = lat !== null && lon !== null && isInState({lat, lon}, state) ? {lat, lon} : null;
  return {
    slug: reportSlug(textOf(fields.report_number)),
    name: reportTitle.venueName ?? title,
    city: textOf(fields.city) ?? both?.[1] ?? reportTitle.city,
    state,
    street: textOf(fields.street),
    zip: zipOf(fields.zip),
    phone: phoneOf(fields.phone),
    website: websiteOf(fields.website),
    point,
    /** True if the printed point lies outside its state; `point` is null then. */
    isPointOdd: textOf(fields.lat) !== null && textOf(fields.lon) !== null && point === null,
    saleDays: weekdaysIn(days ?? ""),
    saleDaysText: days,
    /** Start of the sale, `HH:MM` in the barn's local time. */
    saleTime: timeIn(textOf(fields.sale_time) ?? days ?? ""),
  };
}
