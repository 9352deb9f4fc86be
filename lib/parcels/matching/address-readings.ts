import {otherReadings, type ScoredAddress, upperPlain} from "@open-cattle/us-address";
import {counties, countyOf} from "../../geography/counties.ts";
import type {ParcelSet} from "../parcel-set.ts";
import {countiesOfZip, placeOf} from "../place/postal-places.ts";
import {hasTown} from "./known-places.ts";

/** A reading of an address, and the county for whose rows alone it holds; null for any county. */
type AddressReading = {readonly reading: ScoredAddress; readonly county: string | null};

/** A county's road, with or without words before its class. */
const countyRoad = /^(?:(\D+) )?(COUNTY (?:ROAD|HIGHWAY|ROUTE) \S+)$/;

/** The readings of an address whose first reading matches no row wholly, of which `chosen` are the counties. */
export function addressReadings(
  set: ParcelSet,
  address: ScoredAddress,
  chosen: ReadonlySet<string> | null,
): AddressReading[] {
  return [
    ...countyRoadReadings(address, {state: set.state, chosen}),
    ...otherReadings(address, (name) => hasTown(set, name)).map((reading) => ({reading, county: null})),
  ];
}

/**
 * Reads a county's road without the county's own name before it, and with it in full or short: COUNTY ROAD 12 is WELD COUNTY ROAD 12 in Weld
 * County. Without the name, the counties are those chosen, else those of the address's ZIP and town.
 */
function countyRoadReadings(
  address: ScoredAddress,
  {state, chosen}: {state: string; chosen: ReadonlySet<string> | null},
): AddressReading[] {
  const [, own, road] = countyRoad.exec(address.name ?? "") ?? [];
  if (road === undefined) return [];
  const places =
    own === undefined
      ? [...(chosen ?? countiesTold(address, state))].flatMap((key) => countyOf(key) ?? [])
      : counties().filter((county) => county.state === state && namesBeforeRoads(county.name).includes(own));
  return places.flatMap(({fips, name}) =>
    [road, ...namesBeforeRoads(name).map((each) => `${each} ${road}`)].map((each) => ({
      reading: {...address, name: each},
      county: fips,
    })),
  );
}

function countiesTold({zip, city}: ScoredAddress, state: string): ReadonlySet<string> {
  const ofZip = zip === null ? null : countiesOfZip(zip);
  const ofCity = city === null ? undefined : placeOf(state, city)?.counties;
  return new Set([...(ofZip ?? []), ...(ofCity ?? [])]);
}

/** A county's name as printed before its roads: in full, and by two letters (AN for Anderson, VZ for Van Zandt). */
function namesBeforeRoads(county: string): string[] {
  const name = upperPlain(county).replace(/[^A-Z -]/g, "");
  const [first = "", second] = name.split(/[ -]/);
  const letters = second === undefined ? first.slice(0, 2) : `${first[0]}${second[0]}`;
  return name === "" ? [] : [name, letters];
}
