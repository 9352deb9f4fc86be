import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels, type MemoryRow} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Outlines} from "../../lib/parcels/outlines.ts";
import {foundRecord, recordBytes} from "../../lib/parcels/record/found-record.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {Find, FindStore} from "../delta/find-store.ts";
import type {Doubts} from "../parcels/cadastre.ts";
import {type ReplyOrigin, sourceOf, upsertOf} from "./find.ts";
import {holdsPoint} from "./reply-acceptance.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

/** Says what was stored of the parcels that a caller was given. */
type Kept = {readonly persisted: boolean; readonly sourceAdded: boolean};

/** Parcels of a county's answer, in the form that the lookups read. */
type FoundParcels = {
  readonly set: ParcelSet;
  readonly doubts?: Doubts;
  /** Stores the rows that the caller really gets; a row is stored once for all callers. Never rejects. */
  keep(rows: readonly number[]): Promise<Kept>;
};

const notKept: Kept = {persisted: false, sourceAdded: false};

/** Gives the rows as a set that the lookups search, with the function that stores them. */
export function foundParcels(
  {rows, unread = [], unreadable = 0}: GivenRows,
  origin: ReplyOrigin,
  finds: FindStore,
): FoundParcels {
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const upserts = rows.map((row) => upsertOf(row, origin));
  for (const [i, row] of rows.entries()) add(memoryRow(row, upserts[i]!, origin));
  const doubts = doubtsOf(unread, unreadable, origin, upserts[0]);
  const source = sourceOf(origin);
  const kept = new Map<number, Promise<Kept>>();
  const keepOne = (row: number): Promise<Kept> => {
    const known = kept.get(row) ?? finds.append({upsert: upserts[row]!, source});
    kept.set(row, known);
    return known;
  };
  return {
    set: {...set, outlines: outlinesOf(rows)},
    ...(doubts === null ? {} : {doubts}),
    async keep(wanted) {
      if (!origin.layer.source.terms.store || wanted.length === 0) return notKept;
      const results = await Promise.all(wanted.map(keepOne));
      return {
        persisted: results.every(({persisted}) => persisted),
        sourceAdded: results.some(({sourceAdded}) => sourceAdded),
      };
    },
  };
}

/** The rows of an answer, and those that could not be read. */
type GivenRows = {
  readonly rows: readonly ReplyRow[];
  readonly unread?: readonly UnreadRow[];
  readonly unreadable?: number;
};

type Upsert = Find["upsert"];

function memoryRow(
  {columns, record}: Pick<ReplyRow, "columns" | "record">,
  {provenance, groups = {}, proposedMap}: Pick<Upsert, "provenance" | "groups" | "proposedMap">,
  {asOf, retrievedAt}: ReplyOrigin,
): MemoryRow {
  const flags = (columns["flags"] ?? []) as readonly string[];
  return {
    columns: {...columns, owner_source: provenance.sourceId},
    record: foundRecord(recordBytes(record), {
      originOf: (group) => ({...provenance, ...(group === "default" ? {} : groups[group]), proposedMap}),
      asOf,
      sources: registeredSource,
      observedAt: retrievedAt,
      flags: flags.includes("duplicate_id") ? ["duplicate_id"] : [],
    }),
  };
}

/** The rows that could not be read, as far as they can be compared with a question; null where all were read. */
function doubtsOf(
  unread: readonly UnreadRow[],
  unreadable: number,
  origin: ReplyOrigin,
  upsert: Upsert | undefined,
): Doubts | null {
  if (upsert === undefined || unread.length + unreadable === 0) return null;
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const named = unread.filter(({columns}) => (columns["parcel_uid"] ?? null) !== null);
  for (const row of named) add(memoryRow(row, upsert, origin));
  return {set, nameless: unreadable + unread.length - named.length};
}

/** Outlines serve this answer alone: they are never stored. */
function outlinesOf(rows: readonly ReplyRow[]): Outlines {
  return {
    has: (row) => (rows[row]?.geometry.wkb ?? null) !== null,
    holds: (row, point) => rows[row] !== undefined && holdsPoint(rows[row], point),
  };
}
