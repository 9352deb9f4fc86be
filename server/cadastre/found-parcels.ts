import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Outlines} from "../../lib/parcels/outlines.ts";
import {foundRecord, recordBytes} from "../../lib/parcels/record/found-record.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {FindStore} from "../delta/find-store.ts";
import {type ReplyOrigin, sourceOf, upsertOf} from "./find.ts";
import {holdsPoint} from "./reply-acceptance.ts";
import type {ReplyRow} from "./reply-reader.ts";

/** Says what was stored of the parcels that a caller was given. */
type Kept = {readonly persisted: boolean; readonly sourceAdded: boolean};

/** Parcels of a county's answer, in the form that the lookups read. */
type FoundParcels = {
  readonly set: ParcelSet;
  /** Stores the rows that the caller really gets; a row is stored once for all callers. Never rejects. */
  keep(rows: readonly number[]): Promise<Kept>;
};

const notKept: Kept = {persisted: false, sourceAdded: false};

/** Gives the rows as a set that the lookups search, with the function that stores them. */
export function foundParcels(rows: readonly ReplyRow[], origin: ReplyOrigin, finds: FindStore): FoundParcels {
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const upserts = rows.map((row) => upsertOf(row, origin));
  for (const [i, {columns, record}] of rows.entries()) {
    const {provenance, groups = {}, proposedMap} = upserts[i]!;
    const flags = (columns["flags"] ?? []) as readonly string[];
    add({
      columns: {...columns, owner_source: provenance.sourceId},
      record: foundRecord(recordBytes(record), {
        originOf: (group) => ({...provenance, ...(group === "default" ? {} : groups[group]), proposedMap}),
        asOf: origin.asOf,
        sources: registeredSource,
        observedAt: origin.retrievedAt,
        flags: flags.includes("duplicate_id") ? ["duplicate_id"] : [],
      }),
    });
  }
  const source = sourceOf(origin);
  const kept = new Map<number, Promise<Kept>>();
  const keepOne = (row: number): Promise<Kept> => {
    const known = kept.get(row) ?? finds.append({upsert: upserts[row]!, source});
    kept.set(row, known);
    return known;
  };
  return {
    set: {...set, outlines: outlinesOf(rows)},
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

/** Outlines serve this answer alone: they are never stored. */
function outlinesOf(rows: readonly ReplyRow[]): Outlines {
  return {
    has: (row) => (rows[row]?.geometry.wkb ?? null) !== null,
    holds: (row, point) => rows[row] !== undefined && holdsPoint(rows[row], point),
  };
}
