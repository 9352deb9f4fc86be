import {sortedUnique} from "../../../lib/market/evidence.ts";
import {asOfDate} from "../../../lib/models/build-facts.ts";
import {value} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {venues_seen} from "../normalise/sale-events.ts";
import type {VenueId} from "../reference/venue-ids.ts";
import {marketVenues} from "./venue-places.ts";

/** The ids that earlier builds gave. */
export const keptVenueIds = value<readonly VenueId[]>("ids of venues in earlier builds");

/** The id of each venue that this or an earlier build knew: an id is given once and never changes (`docs/design/market.md` section 6). */
export const venue_ids = recordModel({
  name: "venue_ids",
  reads: [venues_seen],
  columns: marketFiles.venue_ids.columns,
  async rows(run) {
    const [kept, venues] = [await run.value(keptVenueIds), await run.value(marketVenues)];
    const seen = await run.db.rows<{venue_id: string; report_slug: string}>(
      "SELECT DISTINCT venue_id, report_slug FROM venues_seen WHERE report_slug IS NOT NULL",
    );
    const slugsOf = Map.groupBy(seen, ({venue_id}) => venue_id);
    const earlier = new Map(kept.map((id) => [id.venue_id, id]));
    const asOf = await run.value(asOfDate);
    const present = venues.map(({venueId, name, city, state, aliases, reportSlugs}): VenueId => {
      const before = earlier.get(venueId);
      const isId = (alias: string) => alias.startsWith(`${state.toLowerCase()}-`) && !alias.includes(" ");
      const names = sortedUnique([...aliases, ...(before?.names ?? [])]).filter(
        (alias) => !isId(alias) && alias !== name,
      );
      return {
        ...{venue_id: venueId, state, city, names: [name, ...names]},
        report_slugs: sortedUnique([
          ...reportSlugs,
          ...(before?.report_slugs ?? []),
          ...(slugsOf.get(venueId) ?? []).map(({report_slug}) => report_slug),
        ]),
        other_ids: sortedUnique([...aliases.filter(isId), ...(before?.other_ids ?? [])]),
        first_seen: before?.first_seen ?? asOf,
      };
    });
    const given = new Set(present.flatMap(({venue_id, other_ids}) => [venue_id, ...other_ids]));
    return [...present, ...kept.filter(({venue_id}) => !given.has(venue_id))];
  },
});
