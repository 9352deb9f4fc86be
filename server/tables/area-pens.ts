import {rowChecks} from "@open-cattle/mapped-index";
import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {saturdayOf} from "../../lib/dates.ts";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import type {ClassSale} from "../../lib/market/barn-price.ts";
import type {CellFacts} from "../../lib/market/cell-words.ts";
import type {IssueSale} from "../../lib/market/curve-evidence.ts";
import type {AreaPen, AreaPens, CurveClass, Sale} from "../../lib/market/curve-summary.ts";
import type {CurveGrade} from "../../lib/market/weight-curve.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";
import {
  allRows,
  dateOrNull,
  flag,
  mapped,
  numberOrNull,
  point,
  type RowOf,
  text,
  textOrNull,
} from "./mapped-columns.ts";
import type {MappedTable} from "./record-tables.ts";

const saleMembers = {
  state: text("state"),
  venueId: text("venue_id"),
  venueName: text("venue_name"),
  place: text("place"),
  countyFips: textOrNull("county_fips"),
  isSummary: mapped(text("report_scope"), (scope) => scope === "state_summary"),
  class: text("class"),
  cell: mapped(textOrNull("cell"), (facts) => (facts === null ? null : (JSON.parse(facts) as OtherCell))),
  date: mapped(dateOrNull("report_end_date"), (day) => day ?? "1970-01-01"),
  ageDays: mapped(numberOrNull("age_days"), (days) => days ?? 0),
  point,
  issueId: text("issue_id"),
  sourceId: text("source_id"),
  ingestedAt: textOrNull("ingested_at"),
  verifiedAt: textOrNull("last_verified_at"),
  isNew: flag("is_new"),
  preliminary: flag("preliminary"),
};
type SaleRow = RowOf<typeof saleMembers> & {readonly row: number};

/** A cell of cattle that have no weight curve. */
export type OtherCell = CellFacts & {
  readonly cell_id: string;
  readonly price_unit: PriceUnit;
  readonly headline: boolean;
};

/** A price row of such a cell; the weight may be unknown where the price is per head or pair. */
export type CellPen<Of extends Sale = Sale> = {
  readonly weightLb: number | null;
  readonly price: number;
  readonly head: number;
  readonly ageDays: number;
  readonly sale: Of;
  readonly isUntested: boolean;
};

/** A pen of `sale_pens`: grade (empty in a cell of other cattle), pounds, USD, head, and 1 where the reporter calls such cattle not tested. */
type PenText = [CurveGrade, number, number, number, 1?];

/** Which venues an area has; a member that is absent leaves none out. */
export type PenArea = {
  readonly state?: string | undefined;
  readonly counties?: readonly string[];
  readonly around?: {readonly point: Point; readonly miles: number};
};

/** The pens of weight curves, read from the mapped file when a question needs them. */
export class SalePens {
  readonly #venues: readonly (readonly SaleRow[])[];
  readonly #summaries: readonly SaleRow[];
  readonly #pens: (row: number) => PenText[];

  /** Opens the sales; throws a `UserError` if the table lacks a column. */
  constructor({table, path}: MappedTable) {
    const rows = allRows(table, saleMembers).map((sale, row) => ({...sale, row}));
    const [check, pens] = [rowChecks(table, ["pens"], path), text("pens")(table)];
    this.#summaries = rows.filter(({isSummary}) => isSummary);
    this.#venues = [
      ...Map.groupBy(
        rows.filter(({isSummary}) => !isSummary),
        ({venueId}) => venueId,
      ).values(),
    ];
    this.#pens = (row) => {
      check(row);
      return JSON.parse(pens(row)) as PenText[];
    };
  }

  /** The pens of an area's venues, by class. */
  of(area: PenArea): AreaPens<IssueSale> {
    const pens: Record<CurveClass, AreaPen<IssueSale>[]> = {steers: [], heifers: []};
    for (const [sale, miles] of this.#salesIn(area))
      if (sale.cell === null) pens[sale.class as CurveClass].push(...this.#pensOf(sale, miles));
    return pens;
  }

  /** The sales of feeders of a class at an area's venues, also those without a pen of a weight curve. */
  sales(area: PenArea, kind: CurveClass): ClassSale<AreaPen<IssueSale>>[] {
    return [...this.#salesIn(area)]
      .filter(([{cell, class: of}]) => cell === null && of === kind)
      .map(([row, miles]) => ({sale: {...row, miles}, ageDays: row.ageDays, pens: this.#pensOf(row, miles)}));
  }

  /** The cells of other cattle that an area's venues sold in the last 28 days and that pass a test, each with its pens. */
  cells(
    area: PenArea,
    test: (cell: OtherCell) => boolean,
  ): {readonly cell: OtherCell; readonly pens: readonly CellPen<IssueSale>[]}[] {
    const cells = new Map<string, {cell: OtherCell; pens: CellPen<IssueSale>[]}>();
    for (const [sale, miles] of this.#salesIn(area)) {
      const {cell} = sale;
      if (cell === null || !test(cell)) continue;
      const found = cells.get(cell.cell_id) ?? {cell, pens: []};
      found.pens.push(...this.#pensOf(sale, miles));
      cells.set(cell.cell_id, found);
    }
    return [...cells.values()];
  }

  *#salesIn(area: PenArea): Generator<[SaleRow, number | null]> {
    for (const sales of this.#venues) {
      const miles = milesTo(sales[0]!, area);
      if (miles !== undefined) for (const sale of sales) yield [sale, miles];
    }
  }

  /** The pens of a state's summary of the week of a day; empty without one. */
  official(state: string, kind: CurveClass, day: string): readonly AreaPen<IssueSale>[] {
    const week = saturdayOf(day);
    const summary = this.#summaries.find(
      (sale) => sale.state === state && sale.class === kind && saturdayOf(sale.date) === week,
    );
    return summary === undefined ? [] : this.#pensOf(summary, null);
  }

  #pensOf(row: SaleRow, miles: number | null): (AreaPen<IssueSale> & {readonly isUntested: boolean})[] {
    const {ageDays, ...sale} = {...row, miles};
    return this.#pens(row.row).map(([grade, weightLb, price, head, mark]) => ({
      ...{grade, weightLb, price, head, ageDays, sale},
      isUntested: mark === 1,
    }));
  }
}

/** A venue by its place. */
type PlacedVenue = {readonly state: string; readonly countyFips: string | null; readonly point: Point | null};

/** The miles to a venue of the area; null in an area without a point, undefined for a venue outside the area. */
export function milesTo(venue: PlacedVenue, {state, counties, around}: PenArea): number | null | undefined {
  if (state !== undefined && venue.state !== state) return undefined;
  if (counties !== undefined && !counties.includes(venue.countyFips ?? "")) return undefined;
  if (around === undefined) return null;
  const miles =
    venue.point === null ? Number.POSITIVE_INFINITY : roundedMiles(distanceMiles(around.point, venue.point));
  return miles <= around.miles ? miles : undefined;
}
