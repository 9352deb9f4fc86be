import {isUnchecked} from "@open-cattle/us-address";
import {z} from "zod";
import {chooseAddress} from "../../lib/parcels/matching/address-choice.ts";
import {findAddress} from "../../lib/parcels/matching/address-match.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import {ParcelAnswer} from "../../schemas/parcel-answer.ts";
import {defineEndpoint, type Endpoint} from "../http/endpoint.ts";
import {linesParameter, textParameter} from "../http/parameter-kinds.ts";
import {type ReadAddress, readAddress} from "./address-question.ts";
import type {ParcelDeps} from "./cadastre-port.ts";
import {appliedOf, knownMembers, pageRequest} from "./list-answer.ts";
import {
  countyParameter,
  limitParameter,
  offsetParameter,
  stateParameter,
  zipParameter,
} from "./parcel-parameters.ts";
import {setsOf} from "./parcel-sets.ts";
import {answerSingle} from "./single-answer.ts";

const parameters = z.strictObject({
  address: linesParameter(300).describe("Street line, or the full address on one line or several"),
  state: stateParameter,
  county: countyParameter,
  city: textParameter(60).optional().describe("Postal city"),
  zipCode: zipParameter,
  unitNumberStripped: textParameter(20).optional().describe("Unit without its designator: `2B`"),
  limit: limitParameter.describe(
    "Maximum number of candidates shown when several parcels match, 1 to 100; 10 by default",
  ),
  offset: offsetParameter.describe("Candidates to skip, 0 by default"),
});

/** The parcel at an address. */
export function addressLookup(deps: ParcelDeps): Endpoint {
  return defineEndpoint({
    path: "/public/land-agent/property/address-lookup",
    operationId: "addressLookup",
    summary: "Parcel at an address",
    description:
      "One parcel, or 400 with candidates if several match. The state comes from the parameter, the line, its ZIP, the county, " +
      "or the only state with such a city. A house number is never corrected.",
    family: "parcel",
    scope: "parcel",
    parameters,
    redacted: ["address", "city", "zipCode", "unitNumberStripped"],
    response: ParcelAnswer,
    problems: [
      "state-required",
      "ambiguous-parcel",
      "parcel-not-found",
      "parcel-not-covered",
      "cadastre-unavailable",
    ],
    answer(call) {
      const page = pageRequest(call.query);
      const reading = readAddress(call);
      const counties = reading.counties?.keys ?? null;
      return answerSingle(
        {
          call,
          query: {applied: appliedOf(call.query), resolution: resolutionOf(reading)},
          sets: () => setsOf(call.generation, reading.state),
          choose(sets) {
            const {address} = reading;
            const question = {address, counties, named: namedPlace(call.query)};
            const hits = sets.flatMap((set) => findAddress(set, question));
            return chooseAddress(hits, {withUnit: address.unit !== null || address.unitType !== null});
          },
          cadastre: {kind: "address", state: reading.state, counties, address: reading.address},
          page,
          missLimitations: reading.address.number === null ? [P.P24] : [],
          advice: "Add the directional, unit, city or ZIP that tells them apart.",
          limitations: ({match}, stack) => [
            ...(match.type === "fuzzy" ? [P.P16] : []),
            ...(isUnchecked(match.notes) ? [P.P27] : []),
            ...(stack ? [P.P17] : []),
          ],
        },
        deps,
      );
    },
  });
}

function namedPlace({city, zipCode}: z.output<typeof parameters>) {
  return {city: city ?? null, zip: zipCode ?? null};
}

/** House number with its fraction: `123 1/2`; null if there is none. */
function houseNumber({number, fraction}: ReadAddress["address"]): string | null {
  return number === null || fraction === null ? number : `${number} ${fraction}`;
}

/** How the address was understood: its parts, and what determined the state. */
function resolutionOf({address, state, stateFrom, counties, notes}: ReadAddress): Record<string, unknown> {
  const [countyKey, another] = counties === null ? [] : [...counties.keys];
  return knownMembers({
    number: houseNumber(address),
    numberTo: address.numberHi,
    directionPrefix: address.pre,
    street: address.name,
    type: address.type,
    directionSuffix: address.post,
    unit: address.unit,
    city: address.city?.toUpperCase() ?? null,
    zipCode: address.zip,
    status: address.status === "numbered" ? null : address.status,
    state,
    stateFrom,
    countyKey: another === undefined ? countyKey : null,
    notes: notes.length === 0 ? null : notes,
  });
}
