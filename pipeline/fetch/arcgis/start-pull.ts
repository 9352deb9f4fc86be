import type {ArcgisAnswer, ArcgisLayer} from "../../../lib/arcgis/layer-reply.ts";
import {
  isIndispensable,
  mainNames,
  type Need,
  unmetByColumns,
} from "../../../lib/parcels/conform/column-references.ts";
import {resolveColumn} from "../../../lib/parcels/conform/file-cells.ts";
import type {ArcgisPull, PullRange} from "../../../schemas/arcgis.ts";
import {ParcelSource} from "../../../schemas/parcel-source.ts";
import {FetchError} from "../client/fetch-error.ts";
import type {Job} from "../jobs/job.ts";
import type {FetchSource} from "../jobs/source-address.ts";
import {askQuery} from "./layer-question.ts";

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

/** Returns the layer's row count; null if it refuses. Old servers answer with object ids instead. */
export async function countRows(job: Job, where: string): Promise<number | null> {
  const answer = await askUnlessRefused(job, {where, returnCountOnly: "true"});
  if (answer?.kind === "count") return answer.count;
  return answer?.kind === "ids" ? answer.objectIds.length : null;
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
    next: firstPoint(Math.max(size, 1)),
    pages: [],
  };
  if (!layer.supportsPagination) return pullByRanges(job, pull);
  return layer.objectIdField === null ? pullByOffset(job, pull) : pull;
}

/** Restarts a pull with the next paging method, for a service that does not support the current one. */
export function pullOtherwise(job: Job, pull: ArcgisPull): Promise<ArcgisPull> {
  return pull.method === "keyset" ? pullByOffset(job, pull) : pullByRanges(job, pull);
}

/** Restarts a pull that has no page yet with pages of Esri JSON. */
export function pullAsJson(pull: ArcgisPull): ArcgisPull {
  const {layer, next} = pull;
  return {...pull, layer: {...layer, query_format: "json"}, next: {...next!, size: layer.page_size}};
}

/** Restarts a pull that has no page yet with all columns of the layer. */
export function pullAllColumns(pull: ArcgisPull): ArcgisPull {
  return {...pull, columns: null, next: {...pull.next!, size: pull.layer.page_size}};
}

function firstPoint(size: number): NonNullable<ArcgisPull["next"]> {
  return {after: null, offset: 0, size, good: 0, ranges: []};
}

async function pullByOffset(job: Job, pull: ArcgisPull): Promise<ArcgisPull> {
  const idRange = pull.counted === null ? await idBounds(job, pull) : null;
  const next = firstPoint(pull.layer.page_size);
  return {...pull, method: "offset", id_bounds: idRange, rows: 0, pages: [], next};
}

async function pullByRanges(job: Job, pull: ArcgisPull): Promise<ArcgisPull> {
  const {object_id_field: field, page_size: size} = pull.layer;
  if (field === null)
    throw new FetchError(
      "refused",
      "the layer neither pages nor has an object id: it cannot be pulled whole",
    );
  const idRanges = await rangesOfIds(job, pull);
  const needsBounds = idRanges === null || pull.counted === null;
  const idRange = pull.id_bounds ?? (needsBounds ? await idBounds(job, pull) : null);
  const next = {...firstPoint(size), ranges: idRanges ?? rangesOfBounds(idRange, size)};
  return {...pull, method: "ranges", id_bounds: idRange, rows: 0, pages: [], next};
}

/** Ranges of one page's worth of ids each; null if the service does not list its ids. */
async function rangesOfIds(job: Job, {where, layer}: ArcgisPull): Promise<PullRange[] | null> {
  const answer = await askUnlessRefused(job, {where, returnIdsOnly: "true"});
  if (answer?.kind !== "ids") return null;
  const ids = Float64Array.from(answer.objectIds).sort();
  const ranges: PullRange[] = [];
  for (let at = 0; at < ids.length; at += layer.page_size) {
    const page = ids.subarray(at, at + layer.page_size);
    ranges.push([page[0]!, page[page.length - 1]!, page.length]);
  }
  return ranges;
}

function rangesOfBounds(idRange: readonly [number, number] | null, size: number): PullRange[] {
  if (idRange === null)
    throw new FetchError("refused", "the layer reports neither object ids nor their range");
  const ranges: PullRange[] = [];
  for (let from = idRange[0]; from <= idRange[1]; from += size)
    ranges.push([from, Math.min(from + size - 1, idRange[1]), null]);
  return ranges;
}

/** Requests the smallest and the largest object id; null if the service has no statistics. */
async function idBounds(job: Job, {where, layer}: ArcgisPull): Promise<[number, number] | null> {
  const field = layer.object_id_field;
  if (field === null) return null;
  const statistic = (type: "min" | "max") => ({
    ...{statisticType: type, onStatisticField: field},
    outStatisticFieldName: `${type}_id`,
  });
  const form = {where, outStatistics: JSON.stringify([statistic("min"), statistic("max")])};
  const answer = await askUnlessRefused(job, form);
  if (answer?.kind !== "page") return null;
  const entries = Object.entries(answer.features[0]?.attributes ?? {});
  const value = (name: string) =>
    Number(entries.find(([key]) => key.toLowerCase() === name)?.[1] ?? Number.NaN);
  const [least, most] = [value("min_id"), value("max_id")];
  return Number.isFinite(least) && Number.isFinite(most) ? [least, most] : null;
}

/** Returns the layer's answer; null if the service refuses the question. Rejects for transient faults and at the end of the run. */
export async function askUnlessRefused(job: Job, form: Record<string, string>): Promise<ArcgisAnswer | null> {
  return askQuery(job, form).catch((fault: unknown) => {
    if (fault instanceof FetchError && fault.isRefusal) return null;
    throw fault;
  });
}

function foldedName(name: string): string {
  return name.toLowerCase();
}
