import type {MarketSourceId} from "../../../../schemas/market-source.ts";
import type {Venue, VenueSchedule, Weekday} from "../../../../schemas/venue.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {bareVenue} from "../../venues.ts";
import type {Listing} from "./listing.ts";

/** A roster file with its lines, and the source that its facts are cited with. */
export type Roster = {
  readonly file: RawFile;
  readonly listings: readonly Listing[];
  readonly source: MarketSourceId;
  /** False for a licence list: it says more of venues that are known, and its names make no new ones. */
  readonly addsVenues: boolean;
};

/** A venue that only a roster names: its name and town; schedule, point and report numbers are added beside. */
export function newVenue({name, city, state, slug}: Listing, {file, source}: Roster, venueId: string): Venue {
  return {
    ...bareVenue({venueId, name, city, state}),
    facts: [factOf(file, ["name", "city", "state"], slug === null ? source : "ams-lmr-datamart")],
  };
}

/** A fact as a roster of the raw folder gives it, on the day on which it was fetched. */
export function factOf(file: RawFile, fields: string[], source: MarketSourceId): Venue["facts"][number] {
  const url = file.meta?.url;
  return {
    fields,
    source,
    publisher: `roster ${file.path}`,
    ...(url === undefined ? {} : {sourceUrl: url}),
    date: file.retrievedAt.slice(0, 10),
  };
}

/** A sale every week on the given days. A roster is no check with the venue: nothing says that the schedule was verified. */
export function weeklySchedule(
  days: readonly Weekday[],
  {text, time}: {text: string; time: string | null},
): VenueSchedule {
  return {
    rules: days.map((weekday) => ({
      kind: "regular",
      classes: [],
      frequency: "weekly",
      weekday,
      nth: [],
      anchor_date: null,
      dates: [],
      start_time_local: time,
      season: null,
    })),
    exceptions: [],
    text: text === "" ? null : text,
    verifiedAt: null,
    verifiedBy: null,
  };
}
