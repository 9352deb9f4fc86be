import {createHash} from "node:crypto";
import {mainNames, namesOf} from "../../lib/parcels/conform/column-references.ts";
import {provenanceGroups, resolveColumn} from "../../lib/parcels/conform/file-cells.ts";
import {landUseColumns, useFactsOf} from "../../lib/parcels/conform/parsed-use.ts";
import {createMemoryParcels, type MemoryRow} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Outlines, ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {foundRecord, recordBytes} from "../../lib/parcels/record/record-maker.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Discovery, DiscoveryStore} from "../delta/delta-view.ts";
import type {Doubts} from "../parcels/cadastre-port.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {LayerMap} from "./county-layer-map.ts";
import type {Layer} from "./county-layers.ts";
import {holdsPoint} from "./place-check.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

/** Where the rows of one answer come from. */
type ReplyOrigin = {
  readonly layer: Layer;
  readonly map: LayerMap;
  readonly county: AskedCounty;
  readonly retrievedAt: string;
  /** As-of date of the build that the rows are shown with; ages are relative to it. */
  readonly asOf: string;
  readonly query: DeltaUpsert["query"];
};

/** What was stored of the parcels that a caller received. */
type Kept = {readonly persisted: boolean; readonly sourceAdded: boolean};

/** Parcels of a county's answer, as the lookups read them. */
type FoundParcels = {
  readonly set: ParcelSet;
  readonly unreadable?: Doubts;
  /** Stores the rows that the caller actually receives; a row is stored once however many callers get it. Never rejects. */
  keep(rows: readonly number[]): Promise<Kept>;
};

const notKept: Kept = {persisted: false, sourceAdded: false};

/** Turns the rows into a set that the lookups can search, together with the function that stores them. */
export async function foundParcels(
  {rows, unread = [], unreadable = 0}: GivenRows,
  origin: ReplyOrigin,
  discoveries: DiscoveryStore,
): Promise<FoundParcels> {
  const {set, add} = createMemoryParcels({state: origin.county.state, origin: "cadastre"});
  const upserts = rows.map((row) => upsertOf(row, origin));
  const observed = {seq: 1, observedAt: origin.retrievedAt};
  const merged = await discoveries.preview(upserts.map((upsert) => ({...upsert, ...observed})));
  for (const [i, row] of rows.entries())
    add(besideDataset(memoryRow(row, upserts[i]!, origin), merged[i] ?? null));
  const unreadParcels = doubtsOf(unread, unreadable, origin, upserts[0]);
  const source = sourceOf(origin);
  const kept = new Map<number, Promise<Kept>>();
  const keepOne = (row: number): Promise<Kept> => {
    const known = kept.get(row) ?? discoveries.append({upsert: upserts[row]!, source});
    kept.set(row, known);
    return known;
  };
  return {
    set: {...set, outlines: outlinesOf(rows)},
    ...(unreadParcels === null ? {} : {unreadable: unreadParcels}),
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

/** The rows of an answer, and the rows that could not be read. */
type GivenRows = {
  readonly rows: readonly ReplyRow[];
  readonly unread?: readonly UnreadRow[];
  readonly unreadable?: number;
};

type Upsert = Discovery["upsert"];

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

/**
 * A row with the record that later lookups will show for it: merged with what the dataset knows of the parcel. It is still found by what
 * the county says, because that is what was asked.
 */
function besideDataset(own: MemoryRow, merged: MemoryRow | null): MemoryRow {
  if (merged === null) return own;
  const {record, columns} = merged;
  return {columns: {...own.columns, owner_source: columns["owner_source"]}, record};
}

/** The unread rows, as far as they can be compared with a question; null when every row was read. */
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
  return {set, unnamedCount: unreadable + unread.length - named.length};
}

/** Outlines are used for this answer only and never stored. */
function outlinesOf(rows: readonly ReplyRow[]): Outlines {
  return {
    has: (row) => (rows[row]?.geometry.wkb ?? null) !== null,
    holds: (row, point) => rows[row] !== undefined && holdsPoint(rows[row], point),
  };
}

/** Makes the delta record of a row. */
function upsertOf(
  row: ReplyRow,
  {layer: {source}, map, county, retrievedAt, query}: ReplyOrigin,
): Discovery["upsert"] {
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
    row: storedColumns(row),
    provenance: {sourceId: source.id, ...row.vintage, retrievedAt, authority: source.authority},
    ...(groups.length === 0 ? {} : {groups: Object.fromEntries(groups)}),
    ...landUseQuestion(row, map),
    proposedMap: map.proposed,
    raw: rawAttributes(row, map),
    sourceId: source.id,
    vintage: row.vintage.vintage,
    query,
  };
}

/** Makes the source record that is stored with the layer's first discovery. */
function sourceOf({layer: {source}, county}: ReplyOrigin): Discovery["source"] {
  const entryDigest = createHash("sha256").update(JSON.stringify(source)).digest("hex");
  return {sourceId: source.id, entryDigest, countyKey: county.key};
}

/** The known facts from which the land use of a row is decided. */
function landUseQuestion({use}: ReplyRow, {entry}: LayerMap): Pick<Discovery["upsert"], "landUse"> {
  if (use === null) return {};
  const {codes, ...facts} = useFactsOf(use, entry);
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  return {landUse: {systems: entry.use?.systems ?? [], facts: {codes, ...known}}};
}

/**
 * The published facts, their normalised spellings, and the measurements of the outline. Derived columns are left out, because each reader
 * of the row derives them (`docs/design/parcels.md` sections 2.2 and 9).
 */
function storedColumns({columns}: ReplyRow): Discovery["upsert"]["row"] {
  return {
    ...Object.fromEntries(Object.entries(columns).filter(([name]) => !landUseColumns.has(name))),
    // The outline is not stored, so the extent shrinks to the point.
    ...{xmin: columns["lon"], ymin: columns["lat"], xmax: columns["lon"], ymax: columns["lat"]},
  };
}

/** The mapped attributes as the county sent them, without the owner's if the owner is withheld. */
function rawAttributes(
  {columns, feature: {attributes}}: ReplyRow,
  {entry}: LayerMap,
): Discovery["upsert"]["raw"] {
  const names = Object.keys(attributes);
  const owners = provenanceGroups.owner.flatMap((column) => namesOf(entry.fields[column]));
  const withheld = columns["owner_withheld"] === true;
  const secret = new Set(withheld ? owners.map((name) => resolveColumn(name, names)) : []);
  const mapped = new Set(mainNames(entry).map((name) => resolveColumn(name, names)));
  return Object.fromEntries(
    names.filter((name) => mapped.has(name) && !secret.has(name)).map((name) => [name, attributes[name]]),
  );
}
