import type {ArcgisLayer} from "./layer-reply.ts";
import type {LayerPull, PullAsker, PullPoint, PullRange, Step} from "./next-page.ts";

/** Pages of ids of a layer at most: the largest layers known have some ten thousand. */
const maxRanges = 200_000;

/** Returns the layer's row count; null if it refuses. Old servers answer with object ids instead. */
export async function countRows(asker: PullAsker, where: string): Promise<number | null> {
  const answer = await asker.query({where, returnCountOnly: "true"});
  if (answer?.kind === "count") return answer.count;
  return answer?.kind === "ids" ? answer.objectIds.length : null;
}

/** A new pull with the paging method that the layer says it supports, and where to begin. */
export function withMethod<Pull extends LayerPull>(
  asker: PullAsker,
  pull: Pull,
  {supportsPagination, objectIdField}: Pick<ArcgisLayer, "supportsPagination" | "objectIdField">,
): Promise<Pull> {
  if (!supportsPagination) return pullByRanges(asker, pull);
  if (objectIdField === null) return pullByOffset(asker, pull);
  return Promise.resolve({...pull, method: "keyset", next: firstPoint(pull.layer.page_size)});
}

/**
 * Restarts a pull with the next paging method, for a service that does not support the current one: at once with ranges of ids for one that
 * does not page. Rejects with the service's own refusal where no method is left.
 */
export async function pullOtherwise<Pull extends LayerPull>(
  asker: PullAsker,
  pull: Pull,
  step: Extract<Step, {kind: "not_paged" | "not_honoured"}>,
): Promise<Pull> {
  if (step.kind === "not_honoured" && pull.method === "keyset") return pullByOffset(asker, pull);
  return pullByRanges(asker, pull).catch((fault: unknown) => {
    const refusal = step.kind === "not_honoured" ? step.refusal : undefined;
    throw refusal !== undefined && asker.isRefused(fault) ? refusal : fault;
  });
}

/** Restarts a pull that has no page yet with pages of Esri JSON. */
export function pullAsJson<Pull extends LayerPull>(pull: Pull): Pull {
  const {layer, next} = pull;
  return {...pull, layer: {...layer, query_format: "json"}, next: {...next!, size: layer.page_size}};
}

/** Restarts a pull that has no page yet with all columns of the layer. */
export function pullAllColumns<Pull extends LayerPull>(pull: Pull): Pull {
  return {...pull, columns: null, next: {...pull.next!, size: pull.layer.page_size}};
}

function firstPoint(size: number): PullPoint {
  return {after: null, offset: 0, size, good: 0, ranges: []};
}

async function pullByOffset<Pull extends LayerPull>(asker: PullAsker, pull: Pull): Promise<Pull> {
  const idRange = pull.counted === null ? await idBounds(asker, pull) : null;
  const next = firstPoint(pull.layer.page_size);
  return {...pull, method: "offset", id_bounds: idRange, rows: 0, pages: [], next};
}

async function pullByRanges<Pull extends LayerPull>(asker: PullAsker, pull: Pull): Promise<Pull> {
  const {object_id_field: field, page_size: size} = pull.layer;
  if (field === null)
    throw asker.refused("the layer neither pages nor has an object id: it cannot be pulled whole");
  const idRanges = await rangesOfIds(asker, pull);
  const needsBounds = idRanges === null || pull.counted === null;
  const idRange = pull.id_bounds ?? (needsBounds ? await idBounds(asker, pull) : null);
  const next = {...firstPoint(size), ranges: idRanges ?? rangesOfBounds(asker, idRange, size)};
  return {...pull, method: "ranges", id_bounds: idRange, rows: 0, pages: [], next};
}

/** Ranges of one page's worth of ids each; null if the service does not list its ids. */
async function rangesOfIds(asker: PullAsker, {where, layer}: LayerPull): Promise<PullRange[] | null> {
  const answer = await asker.query({where, returnIdsOnly: "true"});
  if (answer?.kind !== "ids") return null;
  const ids = Float64Array.from(answer.objectIds).sort();
  const ranges: PullRange[] = [];
  for (let at = 0; at < ids.length; at += layer.page_size) {
    const page = ids.subarray(at, at + layer.page_size);
    ranges.push([page[0]!, page[page.length - 1]!, page.length]);
  }
  return ranges;
}

function rangesOfBounds(
  asker: PullAsker,
  idRange: readonly [number, number] | null,
  size: number,
): PullRange[] {
  if (idRange === null) throw asker.refused("the layer reports neither object ids nor their range");
  if ((idRange[1] - idRange[0]) / size > maxRanges)
    throw asker.refused(
      `object ids from ${idRange.join(" to ")} are too many pages: it cannot be pulled whole`,
    );
  const ranges: PullRange[] = [];
  for (let from = idRange[0]; from <= idRange[1]; from += size)
    ranges.push([from, Math.min(from + size - 1, idRange[1]), null]);
  return ranges;
}

/** Requests the smallest and the largest object id; null if the service has no statistics, or they are no range of whole numbers. */
async function idBounds(asker: PullAsker, {where, layer}: LayerPull): Promise<[number, number] | null> {
  const field = layer.object_id_field;
  if (field === null) return null;
  const statistic = (type: "min" | "max") => ({
    ...{statisticType: type, onStatisticField: field},
    outStatisticFieldName: `${type}_id`,
  });
  const form = {where, outStatistics: JSON.stringify([statistic("min"), statistic("max")])};
  const answer = await asker.query(form);
  if (answer?.kind !== "page") return null;
  const entries = Object.entries(answer.features[0]?.attributes ?? {});
  const value = (name: string) =>
    Number(entries.find(([key]) => key.toLowerCase() === name)?.[1] ?? Number.NaN);
  const [least, most] = [value("min_id"), value("max_id")];
  return Number.isSafeInteger(least) && Number.isSafeInteger(most) && least <= most ? [least, most] : null;
}
