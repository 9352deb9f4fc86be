import {counties, countyOf} from "../../lib/geography/counties.ts";
import {distanceBand} from "../../lib/geography/distance-band.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {limitations} from "../../lib/limitations.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {BarnKey} from "../tables/record-tables.ts";
import type {ContextItem} from "../tables/side-tables.ts";
import {isNamed} from "./named-places.ts";

/** Sets the distance of a record; the build leaves both members null or absent. */
export function withDistance(text: string, miles: number | null): string {
  const method = miles === null ? null : "great_circle";
  const placed = setMember(text, "distance_mi", miles);
  // Estimates already have the method, for their contributors.
  return placed.includes('"distance_method":"') ? placed : setMember(placed, "distance_method", method);
}

/** Sets the distance band of a record; only the ZIP's own county is `in_county`. */
export function withBand(text: string, miles: number, isPrimary: boolean): string {
  return setMember(text, "distance_band", isPrimary ? "in_county" : distanceBand(miles));
}

/** Returns the signals of the counties, then of the known states, of a question. */
export function contextOf(
  market: MarketArtifacts,
  states: readonly (string | undefined)[],
  counties: readonly string[],
): ContextItem[] {
  const known = new Set(states.filter((state) => state !== undefined));
  return [
    ...counties.flatMap((county) => market.context("county", county)),
    ...[...known].flatMap((state) => market.context("state", state)),
  ];
}

/** Weather is included for this many of a page's venues. */
const MAX_VENUES = 25;

/**
 * Returns the weather at the venues of a page: the forecasts of their towns and the alerts of their counties, except `counties`, whose
 * signals the answer already has.
 */
export function weatherOf(
  market: MarketArtifacts,
  venueIds: readonly string[],
  counties: readonly string[] = [],
): ContextItem[] {
  const venues = [...new Set(venueIds)].slice(0, MAX_VENUES);
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
 * Returns L19 if a code is missing from the county table and its state has two county vintages (Connecticut: eight old counties, nine
 * planning regions since 2022). The two are never mapped onto each other.
 */
export function vintageLimitations(codes: readonly string[]): string[] {
  const unknown = codes.filter((fips) => countyOf(fips) === undefined);
  const changed = unknown.some((fips) =>
    counties().some((county) => county.vintage !== null && county.fips.slice(0, 2) === fips.slice(0, 2)),
  );
  return changed ? [limitations.L19] : [];
}

/** Returns the state of a county, even for codes newer than the county table; undefined if no state has the code. */
export function stateOfCounty(fips: string): string | undefined {
  return countyOf(fips)?.state ?? stateOf(fips.slice(0, 2))?.state;
}

/** Sets or appends a member of a JSON record. A string value cannot contain the searched text, because its quotes would be escaped. */
export function setMember(text: string, name: string, value: number | string | object | null): string {
  const member = `"${name}":${JSON.stringify(value)}`;
  const empty = `"${name}":null`;
  if (text.includes(empty)) return text.replace(empty, () => member);
  return `${text.slice(0, -1)},${member}}`;
}

/** A question's venue filters; `codes` are the FIPS codes of its county. */
export type AskedVenues = {
  readonly state?: string | undefined;
  readonly county?: string | undefined;
  readonly venue?: string | undefined;
  readonly codes: readonly string[];
};

/** True for a venue that matches the question's state, county and name. */
export function isAskedVenue(key: BarnKey, {state, county, venue, codes}: AskedVenues): boolean {
  if (venue !== undefined && !isNamed(key, venue)) return false;
  if (state !== undefined && key.state !== state) return false;
  return county === undefined || (key.countyFips !== null && codes.includes(key.countyFips));
}

/** The state of the venue that a question names; undefined where it names none, or venues of several states. */
export function stateOfVenue(keys: readonly BarnKey[], asked: AskedVenues): string | undefined {
  if (asked.venue === undefined) return undefined;
  const states = new Set(keys.flatMap((key) => (isAskedVenue(key, asked) ? key.state : [])));
  return states.size === 1 ? [...states][0] : undefined;
}

/** Newest reported sale date among the venues that match a question, or null. */
export function lastSaleOf(keys: readonly BarnKey[], asked: AskedVenues): string | null {
  const days = keys.flatMap((key) => (isAskedVenue(key, asked) ? (key.lastSaleDate ?? []) : []));
  return days.sort().at(-1) ?? null;
}

/** Appends the weeks to a record as its last member. */
export function withHistory(record: string, weeks: readonly string[]): string {
  return `${record.slice(0, -1)},"history":[${weeks.join(",")}]}`;
}

/** The states at the end of a region's name, as in `South Central (KS, OK)`. */
function regionStates(region: string): string[] {
  return /\(([A-Z]{2}(?:[,/ ]+[A-Z]{2})*)\)$/.exec(region)?.[1]?.split(/[,/ ]+/) ?? [];
}

/** True for a trade whose region names a state; false without one. */
export function isTradeOf(
  {state, region}: {readonly state: string; readonly region: string},
  wanted: string | null,
): boolean {
  return wanted !== null && (state === wanted || regionStates(region).includes(wanted));
}
