import type {ParcelSet} from "../../../lib/parcels/parcel-set.ts";
import {parcelLimitations as P} from "../../../lib/parcels/record/parcel-limitations.ts";
import type {ProvenanceText} from "../../../lib/parcels/record/provenance-text.ts";
import type {StoredRecord} from "../../../lib/parcels/record/stored-record.ts";
import type {Answer, Call, Endpoint} from "../../../server/http/endpoint.ts";
import {
  appliedOf,
  knownMembers,
  type ListHit,
  listAnswer,
  notAsked,
  pageRequest,
} from "../../../server/parcels/list-answer.ts";
import {stateCoverage} from "../../../server/parcels/metadata.ts";
import {answerSingle, type SingleHit} from "../../../server/parcels/single-answer.ts";
import {benchDeps, benchEndpoints} from "../../parcels/state.ts";
import type {Peer, PeerRow} from "./peer.ts";

type Query = Readonly<Record<string, unknown>> & Parameters<typeof pageRequest>[0];
type Rows = readonly PeerRow[];

/**
 * Our parcel endpoints with a peer in place of our lookups: the same code makes parameters, problem documents and answers, from
 * the peer's rows. The peer is spared what our lookups do besides: it parses no address or number (an empty `resolution`), sums
 * no acres of an owner, and knows no misspelt words.
 */
export function peerEndpoints(peer: Peer, provenanceOf: (number: number) => ProvenanceText): Endpoint[] {
  const single = (call: Call<Query>, rows: Rows) => singleAnswer(call, setOf(rows, provenanceOf), rows);
  const list = (call: Call<Query>, rows: Rows, metadata: object) =>
    searchAnswer(call, {set: setOf(rows, provenanceOf), rows, metadata});
  const answers: Readonly<Record<string, (call: Call<Query>) => Promise<Answer> | Answer>> = {
    parcelIdLookup: (call) =>
      whenFound(peer.byId(String(call.query["parcelId"])), (rows) => single(call, rows)),
    addressLookup: (call) =>
      whenFound(peer.byAddress(String(call.query["address"])), (rows) => single(call, rows)),
    locationSearch(call) {
      const {latitude, longitude, radius} = call.query as Query & Record<string, number>;
      const [lat, lon, miles] = [latitude!, longitude!, radius!];
      const metadata = {searchCenter: {longitude: lon, latitude: lat}, radiusMiles: miles};
      return whenFound(peer.around({lat, lon, miles}), (rows) => list(call, rows, metadata));
    },
    ownerSearch: (call) =>
      whenFound(peer.byOwner(String(call.query["owner"]).split(" ")), (rows) => list(call, rows, {})),
  };
  return benchEndpoints.map(
    (endpoint) => ({...endpoint, answer: answers[endpoint.operationId]!}) as Endpoint,
  );
}

/** A synchronous peer answers synchronously, as ours does. */
function whenFound<T>(rows: Promise<Rows> | Rows, answer: (rows: Rows) => T): Promise<Awaited<T>> | T {
  return rows instanceof Promise ? (rows.then(answer) as Promise<Awaited<T>>) : answer(rows);
}

/** The found rows as the set from which answers are made. */
function setOf(rows: Rows, provenanceOf: (number: number) => ProvenanceText): ParcelSet {
  const record = (row: number): StoredRecord => {
    const {record: text, provenance} = rows[row]!;
    return {facts: Buffer.from(text.slice(1, -1)), provenance: provenanceOf(provenance), sourceUrl: null};
  };
  const parcels = {string: () => ({at: (row: number) => rows[row]!.countyKey})};
  return {state: "TX", origin: "dataset", outlines: null, parcels, record} as unknown as ParcelSet;
}

function singleAnswer(call: Call<Query>, set: ParcelSet, rows: Rows): Promise<Answer> | Answer {
  const hits = rows.map((_, row): SingleHit => ({set, row, match: {type: "exact", score: 1, notes: []}}));
  const [hit, another] = hits;
  return answerSingle(
    {
      call,
      query: {applied: appliedOf(call.query), resolution: {}},
      sets: () => [set],
      choose() {
        if (hit === undefined) return {kind: "none"};
        return another === undefined ? {kind: "one", hit, stack: false} : {kind: "several", hits};
      },
      cadastre: {kind: "parcel_id", state: "TX", counties: null, readings: []},
      page: pageRequest(call.query),
      advice: "Ask for another.",
      limitations: () => [],
    },
    benchDeps,
  );
}

type Search = {readonly set: ParcelSet; readonly rows: Rows; readonly metadata: object};

function searchAnswer(call: Call<Query>, {set, rows, metadata}: Search): Answer {
  const page = pageRequest(call.query);
  const matchOf = ({miles}: PeerRow) =>
    miles === undefined
      ? {match: {type: "exact", score: 1, notes: []}}
      : {match: {type: "nearest", notes: []}, distanceMiles: Math.round(miles * 1000) / 1000};
  return listAnswer(
    {
      call,
      query: {applied: {...knownMembers(call.query), limit: page.limit, offset: page.offset}, resolution: {}},
      page,
      hits: rows.map((found, row): ListHit => ({set, row, members: matchOf(found)})),
      total: Number(rows[0]?.total ?? 0),
      unclassified: null,
      openRange: {parcels: 0, acreUnits: 0, included: false},
      coverage: stateCoverage(call.generation, [set.state], benchDeps.sources),
      states: [set.state],
      lookup: notAsked,
      metadata: {...metadata},
      limitations: rows[0]?.miles === undefined ? [] : [P.P14],
    },
    benchDeps,
  );
}
