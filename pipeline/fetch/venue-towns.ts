import {loadVenues} from "../market/venues.ts";

/** A town with a venue, at the four decimals that the weather service takes. */
export type VenueTown = {readonly state: string; readonly lat: string; readonly lon: string};

/** Gives the towns of the venues that have a place, each one time, in the order of the venue table. */
export function venueTowns(): VenueTown[] {
  const towns = new Map<string, VenueTown>();
  for (const {state, lat, lon} of loadVenues()) {
    if (lat === null || lon === null || state === null) continue;
    const town = {state, lat: shortNumber(lat), lon: shortNumber(lon)};
    towns.set(`${town.lat},${town.lon}`, town);
  }
  return [...towns.values()];
}

/** Gives the states with venues, sorted. */
export function venueStates(): string[] {
  return [...new Set(loadVenues().flatMap(({state}) => state ?? []))].sort();
}

/** The service redirects numbers with more than four decimals, or with zeros at their end. */
function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}
