import {type County, counties, countyOf, foldedCountyName} from "../../lib/geography/counties.ts";
import {distanceBand} from "../../lib/geography/distance.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {limitations} from "../../lib/limitations.ts";
import type {MarketArtifacts} from "./artifacts.ts";
import type {ContextItem} from "./side-tables.ts";

/** Sets the distance of a record text from the place of the question; the build leaves both members null or out. */
export function withDistance(text: string, miles: number | null): string {
  const method = miles === null ? null : "great_circle";
  const placed = setMember(text, "distance_mi", miles);
  // An estimate names the method already, for its contributors.
  return placed.includes('"distance_method":"') ? placed : setMember(placed, "distance_method", method);
}

/** Sets the band of a record's distance; only the county of the ZIP itself is `in_county`. */
export function withBand(text: string, miles: number, isPrimary: boolean): string {
  return setMember(text, "distance_band", isPrimary ? "in_county" : distanceBand(miles));
}

/** Finds the signals of the counties and then of the states of a question. */
export function contextOf(
  market: MarketArtifacts,
  states: readonly string[],
  counties: readonly string[],
): ContextItem[] {
  return [
    ...counties.flatMap((county) => market.context("county", county)),
    ...states.flatMap((state) => market.context("state", state)),
  ];
}

/** Venues of a page whose weather an answer has, from its first one on. */
const MOST_VENUES = 25;

/**
 * Finds the weather at the venues of a page: the alerts of their counties, unless the question has those (`counties`), and the
 * forecasts of their towns.
 */
export function weatherOf(
  market: MarketArtifacts,
  venueIds: readonly string[],
  counties: readonly string[] = [],
): ContextItem[] {
  const venues = [...new Set(venueIds)].slice(0, MOST_VENUES);
  const around = new Set(venues.flatMap((venueId) => market.venueCounties.get(venueId) ?? []));
  const alerts = [...around]
    .filter((county) => !counties.includes(county))
    .flatMap((county) => market.context("county", county));
  return [
    ...alerts.filter(({signal}) => signal === "weather_alert"),
    ...venues.flatMap((venueId) => market.context("venue", venueId)),
  ];
}

/**
 * Gives L19 if one of the codes is missing from the county table and its state has two vintages (Connecticut: eight old
 * counties, nine planning regions since 2022). Nothing is mapped from one to the other.
 */
export function vintageLimitations(codes: readonly string[]): string[] {
  const unknown = codes.filter((fips) => countyOf(fips) === undefined);
  const changed = unknown.some((fips) =>
    counties().some((county) => county.vintage !== null && county.fips.slice(0, 2) === fips.slice(0, 2)),
  );
  return changed ? [limitations.L19] : [];
}

/** Gives the FIPS codes of a county parameter: the code itself, or those of all counties of that name (in the state). */
export function countyCodes(county: string, state: string | undefined): string[] {
  if (/^\d{5}$/.test(county)) return [county];
  return (countiesByName().get(foldedCountyName(county)) ?? [])
    .filter((candidate) => state === undefined || candidate.state === state)
    .map(({fips}) => fips);
}

/** Gives the state letters of a county, even of a code newer than the county table; undefined for a code of no state. */
export function stateOfCounty(fips: string): string | undefined {
  return countyOf(fips)?.state ?? stateOf(fips.slice(0, 2))?.state;
}

let byName: Map<string, County[]> | undefined;

/** Groups the counties by folded name, plain and full, at the first call; folding takes too long for every request. */
function countiesByName(): Map<string, County[]> {
  if (byName !== undefined) return byName;
  byName = new Map();
  for (const county of counties()) {
    for (const folded of new Set([county.name, county.fullName].map(foldedCountyName))) {
      byName.set(folded, [...(byName.get(folded) ?? []), county]);
    }
  }
  return byName;
}

/** Sets a member of a record in place or adds it. A string cannot hold the text that is sought, as its quotes would be escaped. */
export function setMember(text: string, name: string, value: number | string | object | null): string {
  const member = `"${name}":${JSON.stringify(value)}`;
  const empty = `"${name}":null`;
  if (text.includes(empty)) return text.replace(empty, () => member);
  return `${text.slice(0, -1)},${member}}`;
}
