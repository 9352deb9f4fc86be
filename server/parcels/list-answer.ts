import {countWords} from "../../lib/counts.ts";
import {type OpenRangeCount, openRangeAcres} from "../../lib/parcels/matching/use-filter.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {
  openRangeLimitation,
  parcelLimitations as P,
  unclassifiedLimitation,
} from "../../lib/parcels/record/parcel-limitations.ts";
import {joinedPieces, recordPieces, type TextPiece} from "../../lib/parcels/record/stored-record.ts";
import type {CadastreStatus, Coverage, LookupFacts} from "../../schemas/parcel-answer.ts";
import type {Answer, Call} from "../http/endpoint.ts";
import {invalidParameters} from "../http/problem-document.ts";
import type {CadastreReply, ParcelDeps} from "./cadastre-port.ts";
import {answerLimitations, recordLimitations} from "./coverage-words.ts";
import {metadataOf, type QueryEcho, sourcesOf} from "./metadata.ts";
import {DEFAULT_RECORDS, MAX_PAGED} from "./parcel-parameters.ts";

/** The requested page. */
export type PageRequest = {readonly offset: number; readonly limit: number; readonly reduced: boolean};

/** Returns the requested page. Throws a 400 for a page beyond the paging limit. */
export function pageRequest({
  limit = {records: DEFAULT_RECORDS, reduced: false},
  offset = 0,
}: {
  limit?: {records: number; reduced: boolean} | undefined;
  offset?: number | undefined;
}): PageRequest {
  if (offset + limit.records > MAX_PAGED) {
    const reason = `offset and limit together are more than ${MAX_PAGED}; narrow the search`;
    throw invalidParameters([{name: "offset", value: String(offset), reason}]);
  }
  return {offset, limit: limit.records, reduced: limit.reduced};
}

/** Returns the parameters of a single-parcel lookup as applied. */
export function appliedOf({
  limit,
  ...query
}: Record<string, unknown> & {limit?: {records: number} | undefined}): Record<string, unknown> {
  return knownMembers({...query, limit: limit?.records ?? null});
}

/** A hit of the page, with the members that are specific to the search. */
export type ListHit = {
  readonly set: ParcelSet;
  readonly row: number;
  readonly members: Record<string, unknown>;
};

/** The county's share of `metadata.lookup`. */
export type LookupOutcome = Pick<LookupFacts, "persisted" | "sourceAdded"> & {
  cadastreStatus: CadastreStatus;
  /** True when the reply had unreadable rows, or possibly not every match. */
  isPartial?: boolean;
};

export const notAsked: LookupOutcome = {cadastreStatus: "not_asked"};

/** Stores the page's rows that came from a county and reports the outcome. A county without a matching row counts as empty. */
export async function lookupOf(
  reply: CadastreReply,
  found: {hits: readonly {row: number}[]; beforeUse: number},
): Promise<LookupOutcome> {
  if (reply.status !== "found") return {cadastreStatus: reply.status};
  const isPartial = reply.unreadable !== undefined || reply.isNarrowed === true;
  if (found.beforeUse === 0) return {cadastreStatus: isPartial ? "rejected" : "empty"};
  const {persisted, sourceAdded} = await reply.keep(found.hits.map(({row}) => row));
  return {cadastreStatus: "found", persisted, ...(sourceAdded ? {sourceAdded} : {}), isPartial};
}

/** The result of a search. */
export type Listing = {
  readonly call: Call<unknown>;
  readonly query: QueryEcho;
  readonly page: PageRequest;
  readonly hits: readonly ListHit[];
  readonly total: number;
  /** Null if the search had no category filter. */
  readonly unclassified: number | null;
  /** Vacant land that may be open range and fits all but the category, and whether it is among the hits. */
  readonly openRange: OpenRangeCount & {readonly included: boolean};
  readonly coverage: Coverage[];
  /** States whose coverage affects the answer. */
  readonly states: Iterable<string>;
  readonly lookup: LookupOutcome;
  /** Metadata members that only this search has. */
  readonly metadata: Record<string, unknown>;
  readonly limitations: readonly string[];
};

/** Builds the answer of a search: its page of records, and list metadata. */
export function listAnswer(listing: Listing, deps: ParcelDeps): Answer {
  const {call, page, hits, total, unclassified} = listing;
  const records = hits.map(({set, row}) => set.record(row));
  const lookup = lookupFacts(listing);
  const {ignored, query} = heeded(listing);
  const end = page.offset + hits.length;
  const metadata = {
    limit: page.limit,
    offset: page.offset,
    count: hits.length,
    total,
    nextOffset: hits.length > 0 && end < total && !isPastPaging(listing) ? end : null,
    ...listing.metadata,
    ...(unclassified === null ? {} : {unclassified}),
    ...openRangeFacts(listing.openRange),
    ...metadataOf(
      {...call, ignored},
      {
        query,
        records,
        coverage: listing.coverage,
        sources: sourcesOf(call.generation, records, deps.sources),
        lookup,
        limitations: answerLimitations(
          call,
          [...recordLimitations(records), ...listSentences(listing)],
          listing.states,
        ),
      },
    ),
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

/** True where there are more hits than pages of this size can reach. */
function isPastPaging({page: {offset, limit}, hits, total}: Listing): boolean {
  const end = offset + hits.length;
  return end < total && end + limit > MAX_PAGED;
}

function openRangeFacts({included, ...count}: Listing["openRange"]): Record<string, unknown> {
  const {parcels} = count;
  return parcels === 0 ? {} : {openRangePossible: {parcels, acres: openRangeAcres(count), included}};
}

/** The parameters as heeded: the one for open range says nothing unless the question asks for agriculture. */
function heeded({call, query}: Listing): {ignored: readonly string[]; query: QueryEcho} {
  const {includeOpenRange, ...applied} = query.applied;
  const asksFarms = (applied["use"] as readonly string[] | undefined)?.includes("agriculture") === true;
  if (includeOpenRange === undefined || asksFarms) return {ignored: call.ignored, query};
  return {ignored: [...call.ignored, "includeOpenRange"].sort(), query: {...query, applied}};
}

function lookupFacts({hits, lookup: {isPartial: _, ...lookup}}: Listing): LookupFacts {
  const origins = new Set(hits.map(({set}) => set.origin));
  const origin = origins.has("cadastre") ? "cadastre" : origins.has("delta") ? "delta" : "dataset";
  return {origin, ...lookup};
}

function listSentences(listing: Listing): string[] {
  const {page, unclassified, openRange, lookup, hits, limitations, query} = listing;
  const {minAcres, maxAcres} = query.applied;
  const aboutAcres = minAcres !== undefined || maxAcres !== undefined;
  const {cadastreStatus} = lookup;
  const notAnswered = !["not_asked", "found", "empty"].includes(cadastreStatus) || lookup.isPartial === true;
  return [
    ...limitations,
    ...(page.reduced ? [P.P12] : []),
    ...(isPastPaging(listing)
      ? [
          `There are more hits than offset and limit together can reach (${countWords(MAX_PAGED)}); narrow the search.`,
        ]
      : []),
    ...(unclassified === null || unclassified === 0
      ? []
      : [unclassifiedLimitation(unclassified, aboutAcres)]),
    ...(openRange.parcels === 0
      ? []
      : [openRange.included ? P.P25 : openRangeLimitation(openRange.parcels, openRangeAcres(openRange))]),
    ...(notAnswered ? [P.P10] : []),
    ...(hits.some(({set}) => set.origin === "cadastre") ? [P.P11] : []),
  ];
}

/** True when the county was contacted, so that the next request may get a different reply. */
function wasAsked(status: CadastreStatus): boolean {
  return status !== "not_asked" && status !== "unsupported" && status !== "county_unknown";
}

/** Drops null, undefined and empty members, because answers omit unknown fields instead of setting them to null. */
export function knownMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== null && value !== undefined && value !== "") left[name] = value;
  }
  return left;
}
