import {
  cityKey,
  type ParsedAddress,
  parseAddress,
  type ScoredAddress,
  stateOfZip,
  townNames,
  unitBeside,
} from "@open-cattle/us-address";
import {stateOf} from "../../lib/geography/states.ts";
import {hasTown, hasZip} from "../../lib/parcels/matching/known-places.ts";
import {countiesOfZip, placeOf} from "../../lib/parcels/place/postal-places.ts";
import type {InvalidParameter} from "../../schemas/problem.ts";
import type {Generation} from "../generation/generation.ts";
import type {Call} from "../http/endpoint.ts";
import {invalidParameters, Problem} from "../http/problem-document.ts";
import {type CountyChoice, chooseCounty, countyOfLine, municipalitiesOf} from "./county-choice.ts";
import {openSets, statesWithTown} from "./parcel-sets.ts";

export type AddressParameters = {
  readonly address: string;
  readonly state?: string | undefined;
  readonly county?: string | undefined;
  readonly city?: string | undefined;
  readonly zipCode?: string | undefined;
  readonly unitNumberStripped?: string | undefined;
};

/** An address question as understood. */
export type ReadAddress = {
  readonly address: ScoredAddress;
  readonly state: string;
  readonly stateFrom: "parameter" | "county" | "line" | "zip" | "city";
  readonly counties: CountyChoice | null;
  readonly notes: readonly string[];
};

/**
 * Combines address line and parameters. Throws a 400 if a state, ZIP, city or unit contradicts the line, and `state-required` if nothing
 * tells the state.
 */
export function readAddress({generation, query}: Call<AddressParameters>): ReadAddress {
  const parsed = withoutStreetAsState(
    query.address,
    parseAddress(query.address, {
      state: query.state ?? null,
      county: query.county ?? null,
      listsLeftOver: true,
      ...placesOf(generation, query),
    }),
  );
  refuseContradictions(generation, query, parsed);
  const zip = query.zipCode ?? parsed.zip;
  const stated = query.state ?? parsed.state ?? (zip === null ? null : stateOfZip(zip));
  const namedCounty = query.county ?? countyOfLine(generation, parsed.county, stated);
  const counties = chooseCounty(generation, namedCounty, stated);
  const {state, stateFrom} = chooseState(generation, {query, parsed, counties});
  const scored: ScoredAddress = {
    ...parsed,
    city: query.city ?? parsed.city,
    zip,
    ...unitAsked(query, parsed),
    raw: query.address,
  };
  return {
    address: scored,
    state,
    stateFrom,
    counties:
      counties?.state === state
        ? counties
        : (chooseCounty(generation, namedCounty, state) ?? municipalitiesOf(generation, state, scored.city)),
    notes: parsed.notes,
  };
}

/** `MEADOWBROOK DR & MONTANA`: a state name at the end after `&` names the second street. */
function withoutStreetAsState(line: string, parsed: ParsedAddress): ParsedAddress {
  return parsed.zip === null && /&[^,]*[A-Za-z]{3}\s*$/.test(line) ? {...parsed, state: null} : parsed;
}

/** Recognises towns that end a line without a comma: known ones, those of the build's parcels, and the `city` parameter. */
function placesOf(generation: Generation, {city}: AddressParameters) {
  const named = city === undefined ? null : cityKey(city);
  const isKnownPlace = (name: string, state: string | null): boolean =>
    townNames.has(name) ||
    cityKey(name) === named ||
    (state !== null && placeOf(state, name) !== null) ||
    openSets(generation, state).some((set) => hasTown(set, name));
  return {isKnownPlace};
}

function refuseContradictions(generation: Generation, query: AddressParameters, parsed: ParsedAddress): void {
  const {state, city, zipCode} = query;
  const wrong: InvalidParameter[] = [];
  const refuse = (name: string, what: string) =>
    wrong.push({name, reason: `contradicts ${what} in the address line`});
  if (state !== undefined && parsed.state !== null && state !== parsed.state) refuse("state", "the state");
  if (zipCode !== undefined && parsed.zip !== null && zipCode !== parsed.zip) refuse("zipCode", "the ZIP");
  if (city !== undefined && parsed.city !== null && cityKey(city) !== cityKey(parsed.city))
    refuse("city", "the city");
  if (unitAsked(query, parsed) === null) refuse("unitNumberStripped", "the unit");
  const zip = zipCode ?? parsed.zip;
  const stated = state ?? parsed.state;
  if (zip !== null && stated !== null && !mayLieIn(generation, zip, stated)) {
    const name = state !== undefined ? "state" : zipCode !== undefined ? "zipCode" : "address";
    wrong.push({name, reason: "state and ZIP contradict each other"});
  }
  if (wrong.length > 0) throw invalidParameters(wrong);
}

/** The unit of the parameter and the line together; null where they contradict each other. */
function unitAsked(
  {unitNumberStripped}: AddressParameters,
  parsed: ParsedAddress,
): Pick<ParsedAddress, "unit" | "unitType"> | null {
  const asked = unitNumberStripped === undefined ? parsed : unitBeside(unitNumberStripped, parsed);
  return asked === null ? null : {unit: asked.unit, unitType: asked.unitType};
}

/** Some ZIPs cross a state line. A ZIP also counts for a state if its area touches the state or parcels of the state have it. */
function mayLieIn(generation: Generation, zip: string, state: string): boolean {
  const usual = stateOfZip(zip);
  if (usual === null || usual === state) return true;
  const fips = stateOf(state)?.fips ?? "";
  if (countiesOfZip(zip)?.some((county) => county.startsWith(fips)) === true) return true;
  return openSets(generation, state).some((set) => hasZip(set, zip));
}

type Known = {query: AddressParameters; parsed: ParsedAddress; counties: CountyChoice | null};

function chooseState(
  generation: Generation,
  {query, parsed, counties}: Known,
): Pick<ReadAddress, "state" | "stateFrom"> {
  if (query.state !== undefined) return {state: query.state, stateFrom: "parameter"};
  if (parsed.state !== null) return {state: parsed.state, stateFrom: "line"};
  const zip = query.zipCode ?? parsed.zip;
  const ofZip = zip === null ? null : stateOfZip(zip);
  if (ofZip !== null) return {state: ofZip, stateFrom: "zip"};
  if (counties !== null && counties.state !== null) return {state: counties.state, stateFrom: "county"};
  const town = query.city ?? parsed.city;
  const [only, second] = town === null ? [] : statesWithTown(generation, town);
  if (only !== undefined && second === undefined) return {state: only, stateFrom: "city"};
  throw new Problem(
    "state-required",
    "Neither the parameters nor the address line say in which state the address is. Add state.",
    {members: {invalid_params: [{name: "state", reason: "is required for this address"}]}},
  );
}
