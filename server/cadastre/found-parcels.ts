import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import {outlineFromWkb} from "../../lib/geography/geometry/wkb.ts";
import {ringsHold} from "../../lib/geography/polygon.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Outlines} from "../../lib/parcels/outlines.ts";
import {foundRecord} from "../../lib/parcels/record/found-record.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {FindStore} from "../delta/find-store.ts";
import {type ReplyOrigin, sourceOf, upsertOf} from "./find.ts";
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
const kmPerDegree = 111.2;

/**
 * The rows whose point is in the county: in its extent and 1 km around it, and in its polygon when the rows do not state
 * their county. Of several features of one number the largest is given, flagged `duplicate_id`.
 */
export function rowsOfCounty(
  rows: readonly ReplyRow[],
  {layer, county, map}: Pick<ReplyOrigin, "layer" | "county" | "map">,
): ReplyRow[] {
  const isTrusted = map.countyStated || !layer.statewide;
  const inside = rows.filter(
    ({geometry}) =>
      isNearCounty(geometry, county.key) && (isTrusted || countyAt(geometry)?.fips === county.key),
  );
  return [...Map.groupBy(inside, ({key}) => key).values()].map(([first, ...others]) => {
    if (others.length === 0) return first!;
    const largest = [first!, ...others].reduce((best, next) =>
      (next.geometry.acres ?? 0) > (best.geometry.acres ?? 0) ? next : best,
    );
    const flags = (largest.columns["flags"] ?? []) as readonly string[];
    return {...largest, columns: {...largest.columns, flags: [...flags, "duplicate_id"]}};
  });
}

/** True when the outline of a row holds the point. */
export function holdsPoint({geometry: {wkb}}: ReplyRow, {lon, lat}: Point): boolean {
  if (wkb === null) return false;
  return outlineFromWkb(wkb).some((rings) => ringsHold(rings as number[][][], lon, lat));
}

/** Gives the rows as a set that the lookups search, with the function that stores them. */
export function foundParcels(rows: readonly ReplyRow[], origin: ReplyOrigin, finds: FindStore): FoundParcels {
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const upserts = rows.map((row) => upsertOf(row, origin));
  for (const [i, {columns, record}] of rows.entries()) {
    const {provenance, groups = {}, proposedMap} = upserts[i]!;
    const flags = (columns["flags"] ?? []) as readonly string[];
    add({
      columns: {...columns, owner_source: provenance.sourceId},
      record: foundRecord(record, {
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

function isNearCounty({lon, lat}: Point, key: string): boolean {
  const box = countyBox(key);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}

/** Outlines serve this answer alone: they are never stored. */
function outlinesOf(rows: readonly ReplyRow[]): Outlines {
  return {
    has: (row) => (rows[row]?.geometry.wkb ?? null) !== null,
    holds: (row, point) => rows[row] !== undefined && holdsPoint(rows[row], point),
  };
}
