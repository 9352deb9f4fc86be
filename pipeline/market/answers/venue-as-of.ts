import type {Venue} from "../../../schemas/venue.ts";

/**
 * A venue as it was known on a day: statements that were made later are left out, and a schedule that was checked
 * later counts as not checked. Name, place and lineage stay: they say where the venue is, not when that was found out.
 */
export function venueAsOf(venue: Venue, asOf: string): Venue {
  const statements = venue.statements.filter(({date}) => date <= asOf);
  const {schedule} = venue;
  if (schedule?.verifiedAt == null || schedule.verifiedAt <= asOf) return {...venue, statements};
  return {...venue, statements, schedule: {...schedule, verifiedAt: null, verifiedBy: null}};
}

/** The latest of some instants or dates that is not after the end of a day; null when all are later or unknown. */
export function latestUntil(moments: readonly (string | null)[], day: string): string | null {
  return (
    moments
      .flatMap((moment) => (moment !== null && moment.slice(0, 10) <= day ? [moment] : []))
      .sort()
      .at(-1) ?? null
  );
}
