/** A county that the Census edition of 2017 lacks, and the counties of that edition in which it has land. */
type NewerCounty = {readonly fips: string; readonly name: string; readonly land: readonly string[]};

/**
 * Counties since the edition of 2017: two census areas of Alaska, and the planning regions of Connecticut with the old counties in which their
 * towns lie (87 FR 34235).
 */
export const newerCounties: readonly NewerCounty[] = [
  {fips: "02063", name: "Chugach Census Area", land: ["02261"]},
  {fips: "02066", name: "Copper River Census Area", land: ["02261"]},
  {fips: "09110", name: "Capitol Planning Region", land: ["09003", "09013"]},
  {fips: "09120", name: "Greater Bridgeport Planning Region", land: ["09001"]},
  {fips: "09130", name: "Lower Connecticut River Valley Planning Region", land: ["09007", "09011"]},
  {fips: "09140", name: "Naugatuck Valley Planning Region", land: ["09001", "09003", "09005", "09009"]},
  {fips: "09150", name: "Northeastern Connecticut Planning Region", land: ["09011", "09013", "09015"]},
  {fips: "09160", name: "Northwest Hills Planning Region", land: ["09003", "09005"]},
  {fips: "09170", name: "South Central Connecticut Planning Region", land: ["09009"]},
  {fips: "09180", name: "Southeastern Connecticut Planning Region", land: ["09011", "09015"]},
  {fips: "09190", name: "Western Connecticut Planning Region", land: ["09001", "09005"]},
];

const landOf: ReadonlyMap<string, readonly string[]> = new Map(
  newerCounties.map(({fips, land}) => [fips, land]),
);

/** The counties of 2017 in which a newer county has land; empty for any other key. */
export function landOfNewer(key: string): readonly string[] {
  return landOf.get(key) ?? [];
}

/** The keys of the other edition whose counties share land with this one: old counties and planning regions of Connecticut. */
export function keysSharingLand(key: string): readonly string[] {
  const newer = newerCounties.filter(({land}) => land.includes(key)).map(({fips}) => fips);
  return [...landOfNewer(key), ...newer];
}
