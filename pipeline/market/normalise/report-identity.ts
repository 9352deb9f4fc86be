import {marketTypeOf, plainText, readReportTitle, reportSlug, stateOfReport} from "@open-cattle/usda-reports";
import {usStateCode} from "../../../lib/geography/states.ts";
import type {IssueStatus, ReportScope} from "../../../schemas/vocabulary/price-row.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {isOnlyId} from "../reference/venue-ids.ts";
import {venueIdFrom, venueOfReport} from "../reference/venues.ts";

/** Published columns that identify a report and its place. */
export const identityColumns = [
  "slug",
  "report_title",
  "market_type",
  "market_type_category",
  "location_name",
  "location_city",
  "location_state",
] as const;
export type PublishedIdentity = Record<(typeof identityColumns)[number], string | null>;

export type ReportIdentity = {
  report_slug: string | null;
  report_title: string | null;
  report_scope: ReportScope;
  venue_id: string | null;
  venue_name: string | null;
  city: string | null;
  state: string | null;
  /** Slug of the state and town that the report states, even if the registry knows its venue. */
  town: string | null;
  special_sale_name: string | null;
  registered: boolean;
};

/** What else is known of reports: the venue registry, and the titles in the publisher's list of reports. */
export type ReportKnowledge = {venues: readonly Venue[]; titles: ReadonlyMap<string, string>};

/**
 * The report, its scope and its venue. The registry finds a venue by report code, else by town and name; an unknown venue gets
 * an id made of state, town and name. Without a place the venue is null: its prices are kept but belong to no area. The lots of
 * a video lie all over its regions, so a video gets a venue only if the registry has it as a video venue; neither the office's
 * town nor a yard of the same name locates it.
 */
export function reportIdentity(
  published: PublishedIdentity,
  {venues, titles}: ReportKnowledge,
): ReportIdentity {
  const slug = reportSlug(published.slug);
  const title = plainText(published.report_title) ?? (slug === null ? null : (titles.get(slug) ?? null));
  const marketType = [published.market_type, marketTypeOf(slug)].filter((type) => type !== null).join(" ");
  const titleReading = readReportTitle(title, marketType, published.market_type_category);
  const base = {
    report_slug: slug,
    report_title: title,
    report_scope: titleReading.scope,
    special_sale_name: titleReading.specialSaleName,
  };
  if (titleReading.scope !== "venue" && titleReading.scope !== "video_internet") {
    return {
      ...base,
      venue_id: null,
      venue_name: null,
      city: null,
      state: titleReading.state,
      town: null,
      registered: false,
    };
  }
  const name = titleReading.venueName ?? plainText(published.location_name);
  const city = titleReading.city ?? plainText(published.location_city);
  const state =
    (titleReading.city === null ? null : titleReading.state) ??
    usStateCode(plainText(published.location_state)) ??
    titleReading.state ??
    stateOfReport(slug);
  const town = state === null || city === null ? null : venueIdFrom(state, city);
  const candidates =
    titleReading.scope === "video_internet"
      ? venues.filter(({venueType}) => venueType === "video_internet")
      : venues;
  const venue =
    (slug === null ? undefined : venueOfReport(candidates, slug)) ??
    venueOfPlace(candidates, {name, city, state});
  if (venue !== undefined && isOnlyId(venue))
    return {
      ...base,
      venue_id: venue.venueId,
      venue_name: name ?? venue.name,
      city,
      state: venue.state,
      town,
      registered: false,
    };
  if (venue !== undefined)
    return {
      ...base,
      venue_id: venue.venueId,
      venue_name: venue.name,
      city: venue.city,
      state: venue.state,
      town,
      registered: true,
    };
  if (titleReading.scope === "video_internet")
    return {...base, venue_id: null, venue_name: name, city: null, state: null, town, registered: false};
  const words = [city, name].filter((part) => part !== null);
  const venue_id = state === null || words.length === 0 ? null : venueIdFrom(state, words.join(" "));
  return {...base, venue_id, venue_name: name, city, state, town, registered: false};
}

type PublishedPlace = {name: string | null; city: string | null; state: string | null};

function venueOfPlace(venues: readonly Venue[], {name, city, state}: PublishedPlace): Venue | undefined {
  if (name === null || city === null || state === null) return undefined;
  const id = venueIdFrom(state, name);
  return venues.find(
    (venue) =>
      venue.state === state &&
      venue.city !== null &&
      venueIdFrom(state, venue.city) === venueIdFrom(state, city) &&
      [venue.name, ...venue.aliases].some((known) => venueIdFrom(state, known) === id),
  );
}

/** `final` or `preliminary` if the issue says so, else `unknown`. */
export function issueStatusOf(mark: string | null): IssueStatus {
  const word = plainText(mark)?.toLowerCase() ?? "";
  if (word.startsWith("final")) return "final";
  return word.startsWith("prelim") ? "preliminary" : "unknown";
}
