import {z} from "zod";
import type {Choice} from "../../lib/parcels/matching/address-choice.ts";
import {chooseParcelId, findParcelId, type ParcelIdHit} from "../../lib/parcels/matching/parcel-id-match.ts";
import {type ParcelIdReading, parcelIdReadings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import {ParcelAnswer} from "../../schemas/parcel-answer.ts";
import {type Call, defineEndpoint, type Endpoint} from "../http/endpoint.ts";
import {textParameter} from "../http/parameter-kinds.ts";
import type {ParcelDeps} from "./cadastre-port.ts";
import {type CountyChoice, chooseCounty} from "./county-choice.ts";
import {appliedOf, knownMembers, pageRequest} from "./list-answer.ts";
import {countyParameter, limitParameter, offsetParameter, stateParameter} from "./parcel-parameters.ts";
import {setsOf} from "./parcel-sets.ts";
import {answerSingle, type SingleHit, type WireMatch} from "./single-answer.ts";

/** Text with an ASCII letter or digit, or a non-ASCII character; only ASCII marks may precede it. */
const someLetterOrDigit =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  /^([!-/:-@[-`{-~][ -/:-@[-`{-~]*)?[0-9A-Za-z\u0080-\uffff][^\u0000-\u001f\u007f]*$/u;

const parameters = z.strictObject({
  parcelId: textParameter(200)
    .refine((text) => someLetterOrDigit.test(text), {error: "holds neither a letter nor a digit"})
    .meta({pattern: someLetterOrDigit.source})
    .describe("Parcel number (APN) in any spelling; also `<5-digit FIPS>-<number>` and `<state>-<number>`"),
  state: stateParameter,
  county: countyParameter,
  limit: limitParameter.describe(
    "Maximum number of candidates shown when several parcels match, 1 to 100; 10 by default",
  ),
  offset: offsetParameter.describe("Candidates to skip, 0 by default"),
});

/** The parcel with a parcel number. */
export function parcelIdLookup(deps: ParcelDeps): Endpoint {
  return defineEndpoint({
    path: "/public/land-agent/property/parcel-id-lookup",
    operationId: "parcelIdLookup",
    summary: "Parcel by parcel number",
    description:
      "Matched as printed, then ignoring case and punctuation, then without hyphens, then without leading zeros; also against the " +
      "source's other ids. If the first level with a match has several parcels: 400 with candidates.",
    family: "parcel",
    scope: "parcel",
    parameters,
    redacted: ["parcelId"],
    response: ParcelAnswer,
    problems: ["ambiguous-parcel", "parcel-not-found", "parcel-not-covered", "cadastre-unavailable"],
    answer(call) {
      const {parcelId, state = null, county} = call.query;
      const page = pageRequest(call.query);
      const readings = parcelIdReadings(parcelId);
      const chosen = chooseCounty(call.generation, county, state);
      const counties = chosen?.keys ?? null;
      return answerSingle(
        {
          call,
          query: {applied: appliedOf(call.query), resolution: resolutionOf(call, readings, chosen)},
          sets: () => setsOf(call.generation, state ?? chosen?.state ?? null),
          choose: (sets) => withWireMatch(chooseParcelId(findParcelId(sets, {readings, counties}))),
          cadastre: {kind: "parcel_id", ...placeOf(readings, {state, chosen}), readings},
          page,
          advice: "Add county, or use the FIPS-APN form.",
          limitations: ({match}) => (match.type === "exact" ? [] : [P.P19]),
        },
        deps,
      );
    },
  });
}

/** The place that the question implies; parameters take precedence over the number's prefix. */
function placeOf(
  readings: readonly ParcelIdReading[],
  {state, chosen}: {state: string | null; chosen: CountyChoice | null},
): {state: string | null; counties: ReadonlySet<string> | null} {
  const prefixed = readings.find((reading) => reading.state !== null);
  const countyKey = prefixed?.countyKey ?? null;
  return {
    state: state ?? chosen?.state ?? prefixed?.state ?? null,
    counties: chosen?.keys ?? (countyKey === null ? null : new Set([countyKey])),
  };
}

function withWireMatch(choice: Choice<ParcelIdHit>): Choice<SingleHit> {
  if (choice.kind === "none") return choice;
  if (choice.kind === "several") return {kind: "several", hits: choice.hits.map(wireHit)};
  return {...choice, hit: wireHit(choice.hit)};
}

const levelNotes = [
  null,
  "case or punctuation differs",
  "punctuation left out",
  "leading zeros differ",
] as const;

function wireHit({set, row, match}: ParcelIdHit): {set: ParcelSet; row: number; match: WireMatch} {
  const notes = [match.alternate ? "found by another id of the parcel" : null, levelNotes[match.level]];
  return {
    set,
    row,
    match: {type: match.type, score: match.score, notes: notes.filter((note) => note !== null)},
  };
}

function resolutionOf(
  {query}: Call<z.output<typeof parameters>>,
  readings: readonly ParcelIdReading[],
  countyChoice: CountyChoice | null,
): Record<string, unknown> {
  const reading = readings.find(({state}) => state !== null) ?? readings[0]!;
  const [countyKey, another] = countyChoice === null ? [] : [...countyChoice.keys];
  return knownMembers({
    state: query.state ?? countyChoice?.state ?? reading.state,
    stateFrom:
      query.state !== undefined
        ? "parameter"
        : countyChoice?.state
          ? "county"
          : reading.state === null
            ? null
            : "prefix",
    countyKey: another === undefined ? (countyKey ?? reading.countyKey) : null,
    tok: reading.spellings.tok,
    std: reading.spellings.std,
  });
}
