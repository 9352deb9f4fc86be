import {chooseAddress} from "../../lib/parcels/matching/address-choice.ts";
import {type AddressHit, findAddress} from "../../lib/parcels/matching/address-match.ts";
import {findOwners, type OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import {chooseParcelId, findParcelId} from "../../lib/parcels/matching/parcel-id-match.ts";
import {queryTokens} from "../../lib/parcels/owner/owner-score.ts";
import {parcelIdReadings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {Generation} from "../../server/generation/generation.ts";
import type {Call} from "../../server/http/endpoint.ts";
import {Problem} from "../../server/http/problem-document.ts";
import {type AddressParameters, readAddress} from "../../server/parcels/address-question.ts";
import type {OwnerParameters} from "./owner-mutations.ts";

/** The outcome of a question about a parcel. */
export type Outcome =
  /** The parcel is the answer, or among several equally good ones. */
  | "first"
  /** The parcel is among the answers, after others. */
  | "listed"
  /** The question is verbatim another parcel's, and that one is the answer. */
  | "another's own"
  /** Another parcel is the answer, without a hint that this one may be meant. */
  | "wrong"
  /** The question is refused as contradictory. */
  | "refused"
  | "not found";

type Hit = {
  readonly set: ParcelSet;
  readonly row: number;
  readonly match: {readonly type: string; readonly score: number};
};

/** Looks up an address as the endpoint does; returns the outcome for the row's parcel. */
export function addressOutcome(generation: Generation, query: AddressParameters, uid: string): Outcome {
  try {
    return outcomeOf(addressHits(generation, query), uid);
  } catch (error) {
    if (error instanceof Problem) return "refused";
    throw error;
  }
}

/** Counties of all parcels that answer an address or are named as candidates. */
export function answeredCounties(generation: Generation, query: AddressParameters): string[] {
  try {
    return addressHits(generation, query).map(({set, row}) => set.parcels.string("county_key").at(row) ?? "");
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

function addressHits(generation: Generation, query: AddressParameters): readonly AddressHit[] {
  const {address, state, counties} = readAddress({generation, query} as Call<AddressParameters>);
  const set = generation.states.get(state);
  const named = {city: query.city ?? null, zip: query.zipCode ?? null};
  const hits = set === undefined ? [] : findAddress(set, {address, counties: counties?.keys ?? null, named});
  const choice = chooseAddress(hits, {withUnit: address.unit !== null || address.unitType !== null});
  return choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits;
}

/** The same for a parcel number in a state. */
export function idOutcome(set: ParcelSet, parcelId: string, uid: string): Outcome {
  const readings = parcelIdReadings(parcelId);
  const choice = chooseParcelId(findParcelId([set], {readings, counties: null}));
  return outcomeOf(choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits, uid);
}

/**
 * The same for an owner in a state over all pages. A question that is entirely another owner's name is not this owner's for
 * merely starting with it.
 */
export function ownerOutcome(set: ParcelSet, asked: OwnerParameters, uid: string): Outcome {
  const words = wordsOf(asked);
  if (words === null) return "not found";
  const all = {counties: null, use: null, residential: null, offset: 0, limit: 100_000};
  const {hits} = findOwners([set], {words, ...all}, registeredSource);
  const outcome = outcomeOf(hits, uid);
  return outcome !== "first" && hits[0]?.match.type === "normalized" && isFuzzy(hits, uid)
    ? "another's own"
    : outcome;
}

function wordsOf(asked: OwnerParameters): OwnerWords | null {
  if (!("owner" in asked)) return asked;
  const read = queryTokens(asked.owner);
  return "tokens" in read ? read : null;
}

function isFuzzy(hits: readonly Hit[], uid: string): boolean {
  return hits.some((hit) => uidOf(hit) === uid && hit.match.type === "fuzzy");
}

function uidOf({set, row}: Hit): string | null {
  return set.parcels.text("parcel_uid").at(row);
}

function outcomeOf(hits: readonly Hit[], uid: string): Outcome {
  const [best] = hits;
  if (best === undefined) return "not found";
  const own = hits.find((hit) => uidOf(hit) === uid);
  if (own?.match.score === best.match.score && own.match.type === best.match.type) return "first";
  if (best.match.type === "exact" && best.match.score >= 0.98) return "another's own";
  return own === undefined ? "wrong" : "listed";
}
