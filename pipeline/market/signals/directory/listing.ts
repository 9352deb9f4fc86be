import type {Point} from "../../../../lib/geography/distance.ts";
import {Weekday} from "../../../../schemas/venue.ts";
import {type Json, numberOf, textAt} from "../../json-values.ts";
import {reportSlug} from "../../words/report-slug.ts";
import {readReportTitle} from "../../words/report-title.ts";
import {stateCode} from "../../words/us-states.ts";

/** One line of a roster of sale barns. */
export type Listing = {
  readonly slug: string | null;
  readonly name: string;
  readonly city: string | null;
  readonly state: string;
  readonly point: Point | null;
  readonly saleDays: readonly Weekday[];
  readonly saleDaysText: string | null;
};

/** The reason for which a line is no listing of a sale barn for cattle. */
type NoListing = {readonly reject: string; readonly detail: string};

const otherGoods = /\b(hay|straw|sheep|goats?|lambs?|hogs?|swine|horses?|produce|poultry)\b/i;
const cattleWords = /\b(cattle|livestock|stock ?yards?|calves|cows?|dairy|feeder|slaughter)\b/i;

/** A roster's row, with folded names: report number, title or name, town and state, sale days, point. */
export function listingOf(row: Json): Listing | NoListing {
  const title = textAt(row, "title", "reporttitle", "name", "marketname", "market", "venue", "auction");
  if (title === null) return {reject: "no_name", detail: "a line without a title or name"};
  const read = readReportTitle(title);
  const place = placeOf(row);
  const state = place.state ?? read.state;
  if (state === null) return {reject: "unknown_area", detail: `no state in ${title}`};
  const goods = textAt(row, "categories", "category", "commodities", "species", "classes");
  const words = goods === null ? title : goods.replaceAll("_", " ");
  if (otherGoods.test(words) && !cattleWords.test(words))
    return {reject: "not_cattle", detail: `${title}: ${words}`};
  const days = textAt(row, "saledays", "saleday", "day", "days", "weekday");
  return {
    slug: reportSlug(textAt(row, "slugid", "amsreportid", "reportid", "slug", "slugname")),
    name: read.venueName ?? title,
    city: place.city ?? read.city,
    state,
    point: pointOf(row),
    saleDays: weekdaysIn(days ?? ""),
    saleDaysText: days,
  };
}

/** A line of a slug list: `1995 - Alabama Livestock Auction - Uniontown, AL`; null for a heading. */
export function slugLine(line: string): Json | null {
  const match = /^\s*(?:AMS[_-]?)?(\d{3,5})\s*[-–—:]\s*(\S.*)$/i.exec(line);
  return match === null ? null : {slugid: match[1], title: match[2]!.trim()};
}

function placeOf(row: Json): {city: string | null; state: string | null} {
  const both = /^(.+?),\s*([A-Za-z]{2})$/.exec(textAt(row, "citystate", "location", "place") ?? "");
  return {
    city: textAt(row, "city", "town") ?? both?.[1] ?? null,
    state: stateCode(textAt(row, "state", "statealpha", "st") ?? both?.[2] ?? null),
  };
}

function pointOf(row: Json): Point | null {
  const lat = numberOf(row["lat"] ?? row["latitude"]);
  const lon = numberOf(row["lon"] ?? row["lng"] ?? row["long"] ?? row["longitude"]);
  return lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 ? null : {lat, lon};
}

/** Words of a calendar that is not every week: a weekly rule made from them would be invented. */
const notWeekly =
  /\b(1st|2nd|3rd|4th|5th|first|second|third|fourth|last|other|bi-?weekly|monthly|seasonal)\b/i;

/** Weekdays in a text (`Tues.`, `Mondays`), in the order of the week; empty for a calendar that is not weekly. */
function weekdaysIn(text: string): Weekday[] {
  if (notWeekly.test(text)) return [];
  const words = (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/s$/, ""));
  return Weekday.options.filter((day) => words.some((word) => word.length >= 3 && day.startsWith(word)));
}
