import {type County, counties, countyOf, foldedCountyName} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {limitations} from "../../lib/limitations.ts";
import type {MarketArtifacts} from "./artifacts.ts";
import type {ContextItem} from "./side-tables.ts";

/** A record text with its distance from the place of the question; the build leaves both members null or out. */
export function withDistance(text: string, miles: number | null): string {
  const method = miles === null ? null : "great_circle";
  const placed = setMember(text, "distance_mi", miles);
  // An estimate names the method already, for its contributors.
  return placed.includes('"distance_method":"') ? placed : setMember(placed, "distance_method", method);
}

/** Signals for the states and counties that a question names. */
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

/**
 * L19 where a question names a county by a code that the county table does not have, in a state that has two vintages
 * (Connecticut: eight old counties, nine planning regions since 2022). Nothing is mapped from one to the other.
 */
export function vintageLimitations(codes: readonly string[]): string[] {
  const unknown = codes.filter((fips) => countyOf(fips) === undefined);
  const changed = unknown.some((fips) =>
    counties().some((county) => county.vintage !== null && county.fips.slice(0, 2) === fips.slice(0, 2)),
  );
  return changed ? [limitations.L19] : [];
}

/** FIPS codes of a county parameter: the code itself, or those of every county of that name, of the state where one is given. */
export function countyCodes(county: string, state: string | undefined): string[] {
  if (/^\d{5}$/.test(county)) return [county];
  return (countiesByName().get(foldedCountyName(county)) ?? [])
    .filter((candidate) => state === undefined || candidate.state === state)
    .map(({fips}) => fips);
}

/** State letters of a county, also of codes newer than the county table; undefined for a code of no state. */
export function stateOfCounty(fips: string): string | undefined {
  return countyOf(fips)?.state ?? stateOf(fips.slice(0, 2))?.state;
}

let byName: Map<string, County[]> | undefined;

/** Counties by folded name, plain and full (`Baltimore city`), by code; folding all names takes too long for a request. */
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

/** Sets a member in place or adds it. A string cannot hold the text that is sought, as its quotes would be escaped. */
function setMember(text: string, name: string, value: number | string | null): string {
  const member = `"${name}":${JSON.stringify(value)}`;
  const empty = `"${name}":null`;
  if (text.includes(empty)) return text.replace(empty, member);
  return `${text.slice(0, -1)},${member}}`;
}
