import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {parcelLimitations as P, unclassifiedLimitation} from "../../lib/parcels/limitations.ts";
import {joinedPieces, recordPieces, type TextPiece} from "../../lib/parcels/record/stored-record.ts";
import type {CadastreStatus, Coverage, LookupFacts} from "../../schemas/parcel-answer.ts";
import type {Answer, Call} from "../http/endpoint.ts";
import {invalidParameters} from "../http/problem.ts";
import type {CadastreReply, ParcelDeps} from "./cadastre.ts";
import {answerLimitations, recordLimitations} from "./coverage-words.ts";
import {metadataOf, type QueryEcho, sourcesOf} from "./metadata.ts";
import {MOST_PAGED, USUAL_RECORDS} from "./parameters.ts";

/** A page as it was asked for. */
export type PageRequest = {readonly offset: number; readonly limit: number; readonly reduced: boolean};

/** Page of the parameters. Throws the 400 of a page that lies too far back. */
export function pageRequest({
  limit = {records: USUAL_RECORDS, reduced: false},
  offset = 0,
}: {
  limit?: {records: number; reduced: boolean} | undefined;
  offset?: number | undefined;
}): PageRequest {
  if (offset + limit.records > MOST_PAGED) {
    const reason = `offset and limit together are more than ${MOST_PAGED}; narrow the search`;
    throw invalidParameters([{name: "offset", value: String(offset), reason}]);
  }
  return {offset, limit: limit.records, reduced: limit.reduced};
}

/** Gives the parameters of a lookup for one parcel as they were applied. */
export function appliedOf({
  limit,
  ...query
}: Record<string, unknown> & {limit?: {records: number} | undefined}): Record<string, unknown> {
  return known({...query, limit: limit?.records ?? null});
}

/** A hit of the page, with the members that only this search gives it. */
export type ListHit = {
  readonly set: ParcelSet;
  readonly row: number;
  readonly members: Record<string, unknown>;
};

/** The county's part of `metadata.lookup`. */
export type LookupSaid = Pick<LookupFacts, "persisted" | "sourceAdded"> & {
  cadastreStatus: CadastreStatus;
  /** True where the reply had rows that could not be read, or not all that may fit. */
  isPartial?: boolean;
};

export const notAsked: LookupSaid = {cadastreStatus: "not_asked"};

/** Keeps the rows of the page that a county gave, and says what became of them. A county without a row that fits has none. */
export async function lookupOf(
  reply: CadastreReply,
  found: {hits: readonly {row: number}[]; beforeUse: number},
): Promise<LookupSaid> {
  if (reply.status !== "found") return {cadastreStatus: reply.status};
  const isPartial = reply.doubts !== undefined || reply.isNarrowed === true;
  if (found.beforeUse === 0) return {cadastreStatus: isPartial ? "rejected" : "empty"};
  const {persisted, sourceAdded} = await reply.keep(found.hits.map(({row}) => row));
  return {cadastreStatus: "found", persisted, ...(sourceAdded ? {sourceAdded} : {}), isPartial};
}

/** The finds and notes of a search. */
export type Listing = {
  readonly call: Call<unknown>;
  readonly query: QueryEcho;
  readonly page: PageRequest;
  readonly hits: readonly ListHit[];
  readonly total: number;
  /** Null where no category was asked for. */
  readonly unclassified: number | null;
  readonly coverage: Coverage[];
  /** States whose coverage the answer rests on. */
  readonly states: Iterable<string>;
  readonly lookup: LookupSaid;
  /** Members of the metadata that only this search has. */
  readonly metadata: Record<string, unknown>;
  readonly limitations: readonly string[];
};

/** The answer of a search: its page of records, and list metadata. */
export function listAnswer(listing: Listing, deps: ParcelDeps): Answer {
  const {call, page, hits, total, unclassified} = listing;
  const records = hits.map(({set, row}) => set.record(row));
  const lookup = lookupFacts(listing);
  const end = page.offset + hits.length;
  const metadata = {
    limit: page.limit,
    offset: page.offset,
    count: hits.length,
    total,
    nextOffset: hits.length > 0 && end < total ? end : null,
    ...listing.metadata,
    ...(unclassified === null ? {} : {unclassified}),
    ...metadataOf(call, {
      query: listing.query,
      records,
      coverage: listing.coverage,
      sources: sourcesOf(call.generation, records, deps.sources),
      lookup,
      limitations: answerLimitations(
        call,
        [...recordLimitations(records), ...listSentences(listing)],
        listing.states,
      ),
    }),
  };
  const pieces: TextPiece[] = ['{"properties":['];
  for (const [at, record] of records.entries()) {
    if (at > 0) pieces.push(",");
    pieces.push(...recordPieces(record, hits[at]!.members));
  }
  pieces.push(`],"metadata":${JSON.stringify(metadata)}}`);
  return {
    body: joinedPieces(pieces),
    lookup: lookup.origin,
    ...(wasAsked(lookup.cadastreStatus) ? {store: "no-store" as const} : {}),
  };
}

function lookupFacts({hits, lookup: {isPartial: _, ...lookup}}: Listing): LookupFacts {
  const origins = new Set(hits.map(({set}) => set.origin));
  const origin = origins.has("cadastre") ? "cadastre" : origins.has("delta") ? "delta" : "dataset";
  return {origin, ...lookup};
}

function listSentences({page, unclassified, lookup, hits, limitations, query}: Listing): string[] {
  const {minAcres, maxAcres} = query.applied;
  const aboutAcres = minAcres !== undefined || maxAcres !== undefined;
  const {cadastreStatus} = lookup;
  const notAnswered = !["not_asked", "found", "empty"].includes(cadastreStatus) || lookup.isPartial === true;
  return [
    ...limitations,
    ...(page.reduced ? [P.P12] : []),
    ...(unclassified === null || unclassified === 0
      ? []
      : [unclassifiedLimitation(unclassified, aboutAcres)]),
    ...(notAnswered ? [P.P10] : []),
    ...(hits.some(({set}) => set.origin === "cadastre") ? [P.P11] : []),
  ];
}

/** True when the county was contacted: its reply, or its silence, may be different at the next request. */
function wasAsked(status: CadastreStatus): boolean {
  return status !== "not_asked" && status !== "unsupported" && status !== "county_unknown";
}

/** The members whose value is known: null, undefined and empty texts are left out, because no answer has a null for an unknown field. */
export function known(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== null && value !== undefined && value !== "") left[name] = value;
  }
  return left;
}
