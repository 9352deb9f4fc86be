import {createHash} from "node:crypto";
import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import {outlineFromWkb} from "../../lib/geography/geometry/wkb.ts";
import {ringsHold} from "../../lib/geography/polygon.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Outlines} from "../../lib/parcels/outlines.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Find, FindStore} from "../delta/find-store.ts";
import type {AskedCounty} from "./asked-county.ts";
import {findRow} from "./find-row.ts";
import type {LayerMap} from "./layer-map.ts";
import type {Layer} from "./layers.ts";
import type {ReplyRow} from "./reply-reader.ts";

/** What became of parcels that a caller was given. */
export type Kept = {readonly persisted: boolean; readonly sourceAdded: boolean};

/** Parcels of a county's answer: the lookups read the set, and keep the rows that the caller really gets. */
export type FoundParcels = {
  readonly set: ParcelSet;
  /** Stores these rows, each once however many callers get it; what cannot be stored is answered all the same. */
  keep(rows: readonly number[]): Promise<Kept>;
};

/** Where an answer comes from. */
export type ReplyOrigin = {
  readonly layer: Layer;
  readonly map: LayerMap;
  readonly county: AskedCounty;
  readonly retrievedAt: string;
  readonly query: DeltaUpsert["query"];
};

const notKept: Kept = {persisted: false, sourceAdded: false};
const kmPerDegree = 111.2;

/**
 * The rows that lie in the county (its extent and 1 km; where the rows do not state their county, its polygon too), one of each
 * number: of several features of a number the largest, flagged `duplicate_id`.
 */
export function rowsOfCounty(
  rows: readonly ReplyRow[],
  {layer, county}: Pick<ReplyOrigin, "layer" | "county">,
  {countyStated}: LayerMap,
): ReplyRow[] {
  const isTrusted = countyStated || !layer.statewide;
  const inside = rows.filter(
    ({geometry}) => isNearCounty(geometry, county) && (isTrusted || countyAt(geometry)?.fips === county.key),
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

/** The rows as lookups search them, with what stores them. */
export function foundParcels(rows: readonly ReplyRow[], origin: ReplyOrigin, finds: FindStore): FoundParcels {
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const upserts = rows.map((row) => upsertOf(row, origin));
  for (const [i, {columns}] of rows.entries()) {
    const {provenance, groups = {}, proposedMap} = upserts[i]!;
    add({
      columns,
      provenance: (group) => ({...provenance, ...(group === "default" ? {} : groups[group]), proposedMap}),
      observedAt: origin.retrievedAt,
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
    set: {...set, outlines: outlinesOf(rows), row: set.row},
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

function upsertOf(
  row: ReplyRow,
  {layer: {source}, map, county, retrievedAt, query}: ReplyOrigin,
): Find["upsert"] {
  const {stored, raw} = findRow(row, map);
  const groups = Object.entries(row.groups).filter(
    ([, {vintage, vintageBasis}]) =>
      vintage !== row.vintage.vintage || vintageBasis !== row.vintage.vintageBasis,
  );
  return {
    kind: "upsert",
    v: 1,
    key: {state: county.state, county: county.key, parcelId: row.key},
    country: county.country,
    parcelUid: String(row.columns["parcel_uid"]),
    row: stored,
    provenance: {sourceId: source.id, ...row.vintage, retrievedAt, authority: source.authority},
    ...(groups.length === 0 ? {} : {groups: Object.fromEntries(groups)}),
    proposedMap: map.proposed,
    raw,
    sourceId: source.id,
    vintage: row.vintage.vintage,
    query,
  };
}

function sourceOf({layer: {source}, county}: ReplyOrigin): Find["source"] {
  const entryDigest = createHash("sha256").update(JSON.stringify(source)).digest("hex");
  return {sourceId: source.id, entryDigest, countyKey: county.key};
}

function isNearCounty({lon, lat}: {lon: number; lat: number}, {key}: AskedCounty): boolean {
  const box = countyBox(key);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}

/** Outlines are for this answer alone: they are never stored. */
function outlinesOf(rows: readonly ReplyRow[]): Outlines {
  return {
    has: (row) => (rows[row]?.geometry.wkb ?? null) !== null,
    holds: (row, point) => rows[row] !== undefined && holdsPoint(rows[row], point),
  };
}
