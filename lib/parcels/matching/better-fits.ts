import type {AddressMatch} from "../address/address-score.ts";
import {highwayNumber} from "../address/numbered-road.ts";
import type {ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../artifacts.ts";
import {hasStreet} from "./known-streets.ts";

/** A row that fits a query in one of its readings. */
export type Fit = {
  readonly row: number;
  readonly match: AddressMatch;
  readonly address: ScoredAddress;
  /** True where the name of the reading was corrected. */
  readonly isCorrected: boolean;
  /** True where the city was recognised only as another one of the row's county. */
  readonly byCounty: boolean;
};

/**
 * Gives the fits that no better kind of fit rules out (docs/design/parcels.md section 7): a street as written rules out
 * corrected ones, a corrected name of another type does not count where the street as written exists in the row's county, and a
 * row of the city that was meant rules out those of other cities of the county.
 */
export function betterFits(set: ParcelSet, query: ScoredAddress, fits: readonly Fit[]): readonly Fit[] {
  const asWritten = fits.filter(({isCorrected}) => !isCorrected);
  const ofStreet = asWritten.length > 0 ? asWritten : fits.filter((fit) => !isOtherStreet(set, query, fit));
  const ofCity = ofStreet.filter(({byCounty}) => !byCounty);
  return ofCity.length > 0 ? ofCity : ofStreet;
}

/** True for a name that was corrected; a numbered highway of another class counts as another name. */
export function isCorrectedName(name: string | null, found: string | null): boolean {
  if (name === null || found === null || name === found) return false;
  const number = highwayNumber(name);
  return number === null || number !== highwayNumber(found);
}

function isOtherStreet(set: ParcelSet, {name, type}: ScoredAddress, {row, address}: Fit): boolean {
  if (name === null || type === null || type === address.type) return false;
  return hasStreet(set, {name, type}, set.parcels.string("county_key").at(row) ?? "");
}
