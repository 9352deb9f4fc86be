import {readFileSync} from "node:fs";
import {join} from "node:path";
import {referenceDir} from "../../../lib/paths.ts";

const zones = JSON.parse(readFileSync(join(referenceDir, "time-zones.json"), "utf8")) as {
  byState: Record<string, string>;
  byCounty: Record<string, string | null>;
};

/**
 * IANA time zone of a place, or null: where the county is unknown and the state has two zones, and where the boundary
 * runs through the county.
 */
export function timeZoneOf(state: string, countyFips: string | null, stateFips: string): string | null {
  if (countyFips !== null && countyFips in zones.byCounty) return zones.byCounty[countyFips] ?? null;
  const hasExceptions = Object.keys(zones.byCounty).some((fips) => fips.startsWith(stateFips));
  return countyFips === null && hasExceptions ? null : (zones.byState[state] ?? null);
}
