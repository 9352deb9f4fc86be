/** Maximum age in days of each freshness class; anything older is expired. */
const freshnessDays = {fresh: 10, recent: 21, aging: 35, stale: 60};
/** Maximum miles of each distance band; anything farther is out of range. */
const bandMiles = {near: 25, local: 50, regional: 100, distant: 150};

/** SQL for the name of the first bound that is not exceeded. */
function firstBoundSql(value: string, bounds: Readonly<Record<string, number>>, beyond: string): string {
  const cases = Object.entries(bounds).map(([name, max]) => `WHEN ${value} <= ${max} THEN '${name}'`);
  return `CASE WHEN ${value} IS NULL THEN NULL ${cases.join(" ")} ELSE '${beyond}' END`;
}

/** SQL for the freshness class of an age in days. */
export const freshnessSql = (days: string) => firstBoundSql(days, freshnessDays, "expired");

/** SQL for the band of a distance in miles. */
export const bandSql = (miles: string) => firstBoundSql(miles, bandMiles, "out_of_range");
