import {type ArcgisLayer, withMethod} from "@open-cattle/arcgis-layers";
import {
  isIndispensable,
  mainNames,
  type Need,
  unmetByColumns,
} from "../../../lib/parcels/conform/column-references.ts";
import {resolveColumn} from "../../../lib/parcels/conform/file-cells.ts";
import type {ArcgisPull} from "../../../schemas/layer-pull.ts";
import {ParcelSource} from "../../../schemas/parcel-source.ts";
import {FetchError} from "../client/fetch-error.ts";
import type {Job} from "../jobs/job.ts";
import type {FetchSource} from "../jobs/source-address.ts";
import {pullAsker} from "./layer-question.ts";

/** Page size unless the entry or the layer says less. */
const pageRows = 2000;

/**
 * Compares a layer with its entry and throws a `FetchError` of the kind `moved` if the name, an indispensable field or the count are not as
 * expected, so that another layer is never read in its place.
 */
export function refuseMovedLayer({entry}: FetchSource, layer: ArcgisLayer, rowCount: number | null): void {
  const movedError = (what: string) => new FetchError("moved", `moved: ${what}; correct the entry`);
  if (entry?.layerName !== undefined && layer.name !== entry.layerName)
    throw movedError(`the layer is named "${layer.name}", the entry expects "${entry.layerName}"`);
  const lacking = lackingFields(entry, layer);
  if (lacking.length > 0) throw movedError(`the layer has no field ${lacking.join(", ")}`);
  const least = entry?.accept?.minRows ?? 0;
  if (rowCount !== null && rowCount < least)
    throw movedError(`the layer counts ${rowCount} rows, the entry expects ${least} or more`);
}

/** Returns the facts of a map for which a layer has no column, other than those that are indispensable. */
export function lostFacts({entry}: FetchSource, {fields}: Pick<ArcgisLayer, "fields">): ArcgisPull["lacks"] {
  const unmet = unmetOf(
    entry,
    fields.map(({name}) => name),
  );
  return unmet
    .filter((need) => !isIndispensable(need))
    .map(({what, names}) => ({fact: what, column: names.join(" or ")}));
}

/** Says of lost facts what an operator can do about them. */
export function lossWords(lacks: ArcgisPull["lacks"]): string[] {
  return lacks.map(
    ({fact, column}) =>
      `${fact}: the layer no longer has its column ${column}; if it has another name now, correct the entry`,
  );
}

function unmetOf(entry: FetchSource["entry"], columns: readonly string[]): Need[] {
  const map = ParcelSource.safeParse(entry);
  return map.success ? unmetByColumns(map.data, columns) : [];
}

/**
 * The columns to ask a layer for, in its order: object id, edit date, those that the map of the entry uses, and those that the entry keeps.
 * Null for all, where no person has made a map: a map is then proposed from the columns that came.
 */
export function wantedColumns({entry}: FetchSource, layer: ArcgisLayer): string[] | null {
  const map = ParcelSource.safeParse(entry);
  if (!map.success || map.data.proposedMap === true) return null;
  const columns = layer.fields.map(({name}) => name);
  const used = [...mainNames(map.data), ...(map.data.keep ?? [])].map((name) => resolveColumn(name, columns));
  const wanted = new Set([layer.objectIdField, layer.editDateField, ...used]);
  return columns.filter((name) => wanted.has(name));
}

/** True if a pull has all columns that are wanted now; the map may have changed since. */
export function hasColumns(
  {columns}: Pick<ArcgisPull, "columns">,
  wanted: readonly string[] | null,
): boolean {
  return columns === null || (wanted?.every((name) => columns.includes(name)) ?? false);
}

/** Returns the indispensable fields that a layer lacks, named as in its map; for an entry without a map, only the parcel number. */
function lackingFields(entry: FetchSource["entry"], layer: ArcgisLayer): string[] {
  const columns = layer.fields.map(({name}) => name);
  const idField = entry?.cadastre?.idField;
  const lacksId = idField !== undefined && !columns.some((name) => foldedName(name) === foldedName(idField));
  const unmet = unmetOf(entry, columns).filter(isIndispensable);
  return [
    ...(lacksId ? [`"${idField}" (cadastre.idField)`] : []),
    ...unmet.map(({what, names}) => `${names.map((name) => `"${name}"`).join(" or ")} (${what})`),
  ];
}

/** Creates the record of a new pull, including its paging method. */
export async function startPull(
  job: Job,
  {layer, rowCount, startedAt}: {layer: ArcgisLayer; rowCount: number | null; startedAt: string},
): Promise<ArcgisPull> {
  const {source} = job;
  const size = Math.min(source.entry?.pageSize ?? pageRows, layer.maxRecordCount ?? pageRows);
  const pull: ArcgisPull = {
    format: 1,
    source_id: source.id,
    url: source.url,
    where: source.entry?.where ?? "1=1",
    started_at: startedAt,
    finished_at: null,
    verified_at: null,
    complete: false,
    reason: null,
    edited: false,
    counted: rowCount,
    id_bounds: null,
    rows: 0,
    layer: {
      name: layer.name,
      object_id_field: layer.objectIdField,
      last_edit: layer.lastEditMs === null ? null : new Date(layer.lastEditMs).toISOString(),
      query_format: layer.givesGeoJson ? "geojson" : "json",
      page_size: Math.max(size, 1),
      fields: layer.fields.map(({name, type}) => ({name, type: type ?? null})),
    },
    columns: wantedColumns(source, layer),
    lacks: lostFacts(source, layer),
    method: "keyset",
    next: null,
    pages: [],
  };
  return withMethod(pullAsker(job), pull, layer);
}

function foldedName(name: string): string {
  return name.toLowerCase();
}
