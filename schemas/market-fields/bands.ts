/** Oldest age in days of each class of freshness; older is expired. */
const freshnessDays = {fresh: 10, recent: 21, aging: 35, stale: 60};
/** Farthest miles of each band of distance; beyond is out of range. */
const bandMiles = {near: 25, local: 50, regional: 100, distant: 150};

/** SQL of the first name whose bound a value does not pass. */
function classed(value: string, bounds: Readonly<Record<string, number>>, beyond: string): string {
  const cases = Object.entries(bounds).map(([name, most]) => `WHEN ${value} <= ${most} THEN '${name}'`);
  return `CASE WHEN ${value} IS NULL THEN NULL ${cases.join(" ")} ELSE '${beyond}' END`;
}

/** SQL of the class of freshness of an age in days. */
export const freshnessSql = (days: string) => classed(days, freshnessDays, "expired");

/** SQL of the band of a distance in miles. */
export const bandSql = (miles: string) => classed(miles, bandMiles, "out_of_range");
