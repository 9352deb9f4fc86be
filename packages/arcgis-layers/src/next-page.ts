import type {ArcgisAnswer} from "./layer-reply.ts";
import type {PageFacts} from "./page-facts.ts";
import {type QueryForm, rowsForm} from "./query-forms.ts";

/** A received page. */
export type LayerPage = PageFacts & {readonly bytes: Buffer};

/** A range of object ids that has not been requested yet, with its number of rows if known. */
export type PullRange = [from: number, to: number, rows: number | null];

/** Where a pull resumes. */
export type PullPoint = {
  /** Largest object id received; null before the first page. */
  readonly after: number | null;
  readonly offset: number;
  /** Rows to request, fewer after a page that failed. */
  readonly size: number;
  /** Pages since the last one that failed. */
  readonly good: number;
  /** How often a page failed and fewer rows were asked for. */
  readonly shrunk?: number | undefined;
  readonly ranges: PullRange[];
};

/** A pull of all rows of a layer, between two pages. */
export type LayerPull = {
  readonly where: string;
  /** Columns that are asked for; null for all that the layer has. */
  readonly columns: readonly string[] | null;
  /** Row count of the service; null if it refuses to count. */
  readonly counted: number | null;
  readonly id_bounds: readonly [number, number] | null;
  readonly rows: number;
  readonly layer: {
    readonly object_id_field: string | null;
    readonly query_format: "geojson" | "json";
    readonly page_size: number;
  };
  /** Pages of ids above the last one, pages by resultOffset, or ranges of ids. */
  readonly method: "keyset" | "offset" | "ranges";
  readonly next: PullPoint | null;
  readonly pages: readonly {readonly last_id: number | null}[];
};

/** Asks one layer over whatever carries the questions, and knows the faults of that. */
export type PullAsker = {
  /** Requests a page of rows; a partible one that takes too long is better asked for with fewer rows than again. */
  page(form: QueryForm, objectIdField: string | null, options?: {isPartible?: boolean}): Promise<LayerPage>;
  /** Requests a count, object ids or statistics; null where the layer refuses. */
  query(form: QueryForm): Promise<ArcgisAnswer | null>;
  /** The fault of a layer that cannot be pulled so. */
  refused(message: string): Error;
  /** True for a fault that `refused` made, and where the layer answered with an error. */
  isRefused(fault: unknown): boolean;
  /** True for a fault by which the layer says that it does not page. */
  refusesPages(fault: unknown): boolean;
  /** True if a fault may be due to the page size, so that a smaller page may succeed. */
  isTooMuch(fault: unknown): boolean;
};

/** A failing page of this many rows or fewer is not halved further. */
const minRows = 50;
/** Successful pages before a reduced page size grows again; each further time that it was reduced doubles them, up to so many times. */
const goodPages = 4;
const maxDoublings = 10;

/**
 * Outcome of one step of a pull: a page with the next position, the same position with a smaller page, or a switch to another format or
 * method because the service does not support this one.
 */
export type Step =
  | {readonly kind: "page"; readonly page: LayerPage; readonly next: PullPoint | null}
  | {readonly kind: "smaller"; readonly next: PullPoint}
  | {readonly kind: "not_geojson"}
  | {readonly kind: "not_columns"}
  | {readonly kind: "not_paged"}
  /** `refusal`: the fault of a layer that refused the question; none where its answer was not what was asked. */
  | {readonly kind: "not_honoured"; readonly refusal?: unknown};

/** Requests the next page of a pull. Rejects with the asker's fault if the page fails even at its smallest size. */
export async function nextPage(asker: PullAsker, pull: LayerPull, point: PullPoint): Promise<Step> {
  try {
    return await methods[pull.method](asker, pull, point);
  } catch (fault) {
    // Neither fewer rows nor another format changes that.
    if (pull.pages.length === 0 && pull.method !== "ranges" && asker.refusesPages(fault))
      return {kind: "not_paged"};
    const next = asker.isTooMuch(fault) ? smallerPage(pull, point) : null;
    if (next !== null) return {kind: "smaller", next};
    // Some services refuse the GeoJSON that they offer.
    const isFirst = pull.pages.length === 0 && asker.isRefused(fault);
    if (isFirst && pull.layer.query_format === "geojson") return {kind: "not_geojson"};
    if (isFirst && pull.columns !== null) return {kind: "not_columns"};
    // The second page of a keyset is the first whose where clause compares ids. Without ids nothing is left to try.
    const triedPages = {keyset: 2, offset: pull.layer.object_id_field === null ? 0 : 1, ranges: 0};
    if (pull.pages.length < triedPages[pull.method] && asker.isRefused(fault))
      return {kind: "not_honoured", refusal: fault};
    throw fault;
  }
}

const methods = {keyset: byKeyset, offset: byOffset, ranges: byRange};

/**
 * Keyset pagination: requests the rows after the largest id so far. Rows added or deleted meanwhile shift nothing, and an empty page proves
 * the end.
 */
async function byKeyset(asker: PullAsker, pull: LayerPull, point: PullPoint): Promise<Step> {
  const field = pull.layer.object_id_field!;
  const where = point.after === null ? pull.where : `(${pull.where}) AND ${field} > ${point.after}`;
  const form = {
    ...rowsForm(where, pull.layer.query_format, pull.columns),
    orderByFields: field,
    resultRecordCount: String(point.size),
  };
  const page = await asker.page(form, field, {isPartible: point.size > minRows});
  if (page.rows === 0 && page.hasMore)
    throw asker.refused("the layer sent an empty page and reported more rows");
  if (page.rows === 0) return {kind: "page", page, next: null};
  if (!page.ascends || page.firstId! <= (point.after ?? Number.NEGATIVE_INFINITY))
    return {kind: "not_honoured"};
  return {kind: "page", page, next: grownPage(pull, {...point, after: page.lastId})};
}

/** Requests the rows between the first and last id of an earlier page again. */
export async function samePageAgain(
  asker: PullAsker,
  pull: LayerPull,
  [from, to]: [number, number],
): Promise<LayerPage> {
  const field = pull.layer.object_id_field!;
  const where = `(${pull.where}) AND ${field} >= ${from} AND ${field} <= ${to}`;
  const page = await asker.page(
    {...rowsForm(where, pull.layer.query_format, pull.columns), orderByFields: field},
    field,
  );
  if (page.hasMore) throw asker.refused(`ids ${from} to ${to} no longer fit on one page`);
  return page;
}

async function byOffset(asker: PullAsker, pull: LayerPull, point: PullPoint): Promise<Step> {
  const {object_id_field: field} = pull.layer;
  const form = {
    ...rowsForm(pull.where, pull.layer.query_format, pull.columns),
    ...(field === null ? {} : {orderByFields: field}),
    resultOffset: String(point.offset),
    resultRecordCount: String(point.size),
  };
  const page = await asker.page(form, field, {isPartible: point.size > minRows});
  const last = pull.pages.at(-1);
  const isAfter = page.firstId === null || last?.last_id == null || page.firstId > last.last_id;
  if (page.rows > 0 && !isAfter) return {kind: "not_honoured"};
  const rows = pull.rows + page.rows;
  // A short page alone does not mean the end: some servers cap pages below the size they state.
  const stillMore = page.hasMore || page.rows >= point.size || (pull.counted ?? rows + 1) > rows;
  const next =
    page.rows > 0 && stillMore ? grownPage(pull, {...point, offset: point.offset + page.rows}) : null;
  return {kind: "page", page, next};
}

async function byRange(asker: PullAsker, pull: LayerPull, point: PullPoint): Promise<Step> {
  const [range, ...rest] = point.ranges as [PullRange, ...PullRange[]];
  const [from, to, expected] = range;
  const field = pull.layer.object_id_field!;
  const where = `(${pull.where}) AND ${field} >= ${from} AND ${field} <= ${to}`;
  const form = rowsForm(where, pull.layer.query_format, pull.columns);
  const page = await asker.page(form, field, {isPartible: to - from >= minRows});
  const isCut = page.hasMore || (expected !== null && page.rows < expected);
  if (isCut && to > from) return {kind: "smaller", next: {...point, ranges: [...halves(range), ...rest]}};
  return {kind: "page", page, next: rest.length === 0 ? null : {...point, ranges: rest}};
}

function smallerPage({method}: LayerPull, point: PullPoint): PullPoint | null {
  if (method !== "ranges")
    return point.size <= minRows
      ? null
      : {
          ...point,
          size: Math.max(Math.floor(point.size / 2), minRows),
          good: 0,
          shrunk: (point.shrunk ?? 0) + 1,
        };
  const [range, ...rest] = point.ranges as [PullRange, ...PullRange[]];
  return range[1] - range[0] < minRows ? null : {...point, ranges: [...halves(range), ...rest]};
}

function halves([from, to]: PullRange): PullRange[] {
  const middle = Math.floor((from + to) / 2);
  return [
    [from, middle, null],
    [middle + 1, to, null],
  ];
}

/** Grows a reduced page size again after some successful pages. */
function grownPage({layer}: LayerPull, point: PullPoint): PullPoint {
  if (point.size >= layer.page_size) return point;
  const doublings = Math.min(Math.max(0, (point.shrunk ?? 0) - 1), maxDoublings);
  if (point.good + 1 < goodPages * 2 ** doublings) return {...point, good: point.good + 1};
  return {...point, size: Math.min(point.size * 2, layer.page_size), good: 0};
}
