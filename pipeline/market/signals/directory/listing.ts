import {stateBox} from "../../../../lib/geography/county-box.ts";
import type {Point} from "../../../../lib/geography/distance.ts";
import type {RosterSource} from "../../../../schemas/list-source.ts";
import type {Weekday} from "../../../../schemas/venue.ts";
import {numberOf, textOf} from "../../json-values.ts";
import {reportSlug} from "../../words/report-slug.ts";
import {readReportTitle} from "../../words/report-title.ts";
import {stateCode} from "../../words/us-states.ts";
import type {ListRow} from "../lists/headed-rows.ts";
import {phoneOf, timeIn, websiteOf, weekdaysIn, zipOf} from "../lists/list-values.ts";

/** One line of a roster of sale barns. */
export type Listing = {
  readonly slug: string | null;
  readonly name: string;
  readonly city: string | null;
  readonly state: string;
  readonly street: string | null;
  readonly zip: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly point: Point | null;
  /** True where the line prints a point that does not lie in its state; the point is null then. */
  readonly isPointOdd: boolean;
  readonly saleDays: readonly Weekday[];
  readonly saleDaysText: string | null;
  /** Time at which the sale begins, `HH:MM` at the barn. */
  readonly saleTime: string | null;
};

/** The reason for which a line is no listing of a sale barn for cattle. */
type NoListing = {readonly reject: string; readonly detail: string};

type Fields = ListRow["fields"];

const otherGoods = /\b(hay|straw|sheep|goats?|lambs?|hogs?|swine|horses?|produce|poultry)\b/i;
const cattleWords = /\b(cattle|livestock|stock ?yards?|calves|cows?|dairy|feeder|slaughter)\b/i;

/** A roster's row: report number, title or name, place, contact, sale days and time, point. */
export function listingOf(
  fields: Fields,
  {state: listState}: Pick<RosterSource, "state">,
): Listing | NoListing {
  const title = textOf(fields.name);
  if (title === null) return {reject: "no_name", detail: "a line without a title or name"};
  const read = readReportTitle(title);
  const place = placeOf(fields);
  const state = place.state ?? read.state ?? listState;
  if (state === null) return {reject: "unknown_area", detail: `no state in ${title}`};
  const goods = textOf(fields.goods);
  const words = goods === null ? title : goods.replaceAll("_", " ");
  if (otherGoods.test(words) && !cattleWords.test(words))
    return {reject: "not_cattle", detail: `${title}: ${words}`};
  const days = textOf(fields.sale_days);
  const time = textOf(fields.sale_time);
  const point = pointOf(fields);
  return {
    slug: reportSlug(textOf(fields.report_number)),
    name: read.venueName ?? title,
    city: place.city ?? read.city,
    state,
    street: textOf(fields.street),
    zip: zipOf(fields.zip),
    phone: phoneOf(fields.phone),
    website: websiteOf(fields.website),
    point: inState(point, state) ? point : null,
    isPointOdd: textOf(fields.lat) !== null && textOf(fields.lon) !== null && !inState(point, state),
    saleDays: weekdaysIn(days ?? ""),
    saleDaysText: days,
    saleTime: timeIn(time ?? days ?? ""),
  };
}

function placeOf({place, city, state}: Fields): {city: string | null; state: string | null} {
  const both = /^(.+?),\s*([A-Za-z]{2})$/.exec(textOf(place) ?? "");
  return {city: textOf(city) ?? both?.[1] ?? null, state: stateCode(textOf(state) ?? both?.[2] ?? null)};
}

function pointOf(fields: Fields): Point | null {
  const [lat, lon] = [numberOf(fields.lat), numberOf(fields.lon)];
  return lat === null || lon === null ? null : {lat, lon};
}

/** True for a point in the box of a state, grown by a quarter of a degree. */
function inState(point: Point | null, state: string): boolean {
  const box = stateBox(state);
  if (point === null) return false;
  if (box === undefined) return Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180;
  const grown = 0.25;
  return (
    point.lat >= box.south - grown &&
    point.lat <= box.north + grown &&
    point.lon >= box.west - grown &&
    point.lon <= box.east + grown
  );
}
