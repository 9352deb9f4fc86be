import type {Point} from "@open-cattle/parcel-outlines";
import {limitations} from "../../lib/limitations.ts";
import type {ZipPlace} from "../tables/side-tables.ts";
import {stateOfCounty, vintageLimitations} from "./place-context.ts";

/** A ZIP with a place. */
export type LocatedZip = ZipPlace & {point: Point};

/** The state of a ZIP's primary county. */
export function stateOfPlace(place: ZipPlace | null): string | undefined {
  return place?.countyFips == null ? undefined : stateOfCounty(place.countyFips);
}

/** How a ZIP was resolved. */
export function zipResolution({
  zip,
  point,
  countyFips,
  method,
  counties,
}: LocatedZip): Record<string, unknown> {
  const shares = counties.length === 0 ? {} : {zip_counties: counties};
  return {zip, primary_county_fips: countyFips, lat: point.lat, lon: point.lon, method, ...shares};
}

/** L09 for a ZIP area in several counties; also their shares when none has half of it. */
function splitLimitations({zip, counties}: ZipPlace): string[] {
  if (counties.length < 2) return [];
  const split = counties.map(({county_fips, share}) => `${county_fips} ${share}`).join(", ");
  const divided =
    counties[0]!.share < 0.5 ? [`ZIP ${zip} is split over counties by land area: ${split}.`] : [];
  return [limitations.L09, ...divided];
}

/** What an answer around a ZIP says of its state, its counties and their vintages. */
export function zipLimitations(place: ZipPlace, state: string | undefined): string[] {
  const itsState = stateOfPlace(place);
  const elsewhere = state !== undefined && itsState !== undefined && itsState !== state;
  const both = `ZIP ${place.zip} lies in ${itsState}, not in ${state}; both filters were applied.`;
  const named = [place.countyFips, ...place.counties.map(({county_fips}) => county_fips)];
  const vintages = vintageLimitations(named.filter((code) => code !== null));
  return [...(elsewhere ? [both] : []), ...splitLimitations(place), ...vintages];
}
