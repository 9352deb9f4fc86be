import {cityKey} from "../address/address-components.ts";
import type {ParcelSet} from "../parcel-artifacts.ts";

/** A key of `addresses.arrow` for a place of the state: `@` and the town in key form, or `@` and the ZIP. */
export type PlaceKey = {readonly key: string; readonly form: 8};

/**
 * The place keys of a row. The build writes each key of a state once, with the first row that has it: they say which towns
 * and ZIPs the state's parcels have, not where.
 */
export function placeKeys(city: string | null, zip: string | null): PlaceKey[] {
  const town = cityKey(city);
  const keys = [
    ...(town === "" ? [] : [`@${town}`]),
    ...(zip === null || zip === "" ? [] : [`@${zip.slice(0, 5)}`]),
  ];
  return keys.map((key) => ({key, form: 8}));
}

/** True when a parcel of the set has this postal town. */
export function hasTown(set: ParcelSet, city: string): boolean {
  const town = cityKey(city);
  return town !== "" && set.addresses.find(`@${town}`, 1).length > 0;
}

/** True when a parcel of the set has this five-digit ZIP. */
export function hasZip(set: ParcelSet, zip: string): boolean {
  return set.addresses.find(`@${zip.slice(0, 5)}`, 1).length > 0;
}
