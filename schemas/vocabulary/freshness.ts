/** Maximum age in days of each freshness class of a report; anything older is expired. */
export const freshnessDays = {fresh: 10, recent: 21, aging: 35, stale: 60} as const;

/** Freshness class of a report, by its age on the as-of date. */
export type Freshness = keyof typeof freshnessDays | "expired";
