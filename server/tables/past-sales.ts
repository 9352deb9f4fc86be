import type {ArrowTable} from "@open-cattle/mapped-index";
import type {Point} from "@open-cattle/parcel-outlines";
import type {z} from "zod";
import type {Upstream as UpstreamShape} from "../../schemas/market-fields/structures.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";
import {
  allRows,
  dateOrNull,
  flag,
  mapped,
  numberOrNull,
  point,
  type RowOf,
  rowReader,
  text,
} from "./mapped-columns.ts";
import {type Located, type NearRows, PlaceIndex} from "./place-index.ts";

const count = (name: string) => mapped(numberOrNull(name), (value) => value ?? 0);

const saleMembers = {
  date: mapped(dateOrNull("report_end_date"), (day) => day ?? "1970-01-01"),
  scope: text("report_scope"),
  /** A video or direct trade, located by the region of its cells. */
  isTrade: mapped(text("report_scope"), (scope) => scope !== "venue"),
  state: text("state"),
  venueId: text("venue_id"),
  /** Empty for an unlocated venue. */
  countyFips: text("county_fips"),
  /** One of the sales of which prices of counties and states are made. */
  pooled: flag("pooled"),
  /** The venue, or the report of a trade, with whose earlier sales the sale is compared. */
  market: text("market"),
  point,
  firstRow: count("first_row"),
  rows: count("rows"),
};
/** A sale or trade, by its number. */
export type PastSale = RowOf<typeof saleMembers> & {readonly no: number};

const cellMembers = {
  cellNo: count("cell_no"),
  /** The cell of the same cattle without lot comment; null if there is none. */
  baseNo: numberOrNull("base_no"),
  commodity: text("commodity"),
  class: text("class"),
  /** Null for cells without a weight bin. */
  binLow: numberOrNull("bin_low_lb"),
  unit: mapped(text("price_unit"), (unit) => unit as PriceUnit),
  headline: flag("headline"),
  region: text("region"),
  rank: count("rank"),
  takesShrink: flag("takes_shrink"),
  takesSlide: flag("takes_slide"),
};
/** A cell of past rows, by its row in the file. */
export type PastCell = RowOf<typeof cellMembers> & {readonly row: number};

const rowMembers = {
  cellNo: count("cell_no"),
  ordinal: count("row_ordinal"),
  price: numberOrNull("price"),
  low: numberOrNull("low"),
  high: numberOrNull("high"),
  head: numberOrNull("head_count"),
  weight: numberOrNull("weight_lb"),
  weightMin: numberOrNull("weight_min_lb"),
  weightMax: numberOrNull("weight_max_lb"),
  median: numberOrNull("median_price"),
  flags: count("flags"),
};
/** A row of a sale in numbers; prices are in cents. */
export type PastRow = RowOf<typeof rowMembers>;

type Upstream = z.infer<typeof UpstreamShape>;

/** What the records of a sale and their evidence are made of. */
export type SaleFacts = Pick<Upstream, "system" | "report_program"> & {
  readonly issue_id: string;
  readonly source_id: string;
  readonly report_slug: string;
  readonly place: string | null;
  readonly ingested_at: string | null;
  readonly last_verified_at: string | null;
  readonly event_receipts: number | null;
  readonly head_reported: number | null;
  readonly receipts_by_commodity: Readonly<Record<string, number>> | null;
  readonly head_by_commodity: Readonly<Record<string, number>> | null;
  readonly shrink: string | null;
  readonly slide: string | null;
  /** Numbers of the cells of which the reporter says that there was no market test. */
  readonly untested: readonly number[];
};

/** The days of a question, both included. */
export type Span = {readonly from: string; readonly to: string};

type Members = Readonly<Record<string, unknown>>;

/** The sales of every age and their rows, read in place. What is read is checked against the checksums of the files' blocks. */
export class PastSales {
  /** Newest first, venues before trades. */
  readonly sales: readonly PastSale[];
  readonly #ofMarket: ReadonlyMap<string, readonly PastSale[]>;
  readonly #ofState: ReadonlyMap<string, readonly PastSale[]>;
  readonly #described: ReadonlyMap<number | null, readonly PastCell[]>;
  readonly #cells: ReadonlyMap<number, PastCell>;
  readonly #near: PlaceIndex<Located<PastSale>, PastSale>;
  readonly #cellOf: (row: number) => number;
  readonly #row: (row: number) => PastRow;
  readonly #texts: {readonly facts: Text; readonly sale: Text; readonly cell: Text};

  constructor(sales: ArrowTable, cells: ArrowTable, rows: ArrowTable) {
    this.sales = allRows(sales, saleMembers).map((sale, no) => ({...sale, no}));
    this.#cells = new Map(allRows(cells, cellMembers).map((cell, row) => [cell.cellNo, {...cell, row}]));
    this.#described = Map.groupBy(
      [...this.#cells.values()].filter(({cellNo, baseNo}) => cellNo !== baseNo),
      ({baseNo}) => baseNo,
    );
    this.#ofMarket = Map.groupBy(this.sales, ({market}) => market);
    this.#ofState = Map.groupBy(
      this.sales.filter(({pooled}) => pooled),
      ({state}) => state,
    );
    const ofVenues = Map.groupBy(
      this.sales.filter(({isTrade}) => !isTrade),
      ({venueId}) => venueId,
    );
    this.#near = new PlaceIndex(
      [...ofVenues.values()].flatMap((ofVenue) => {
        const at = ofVenue[0]!.point;
        return at === null ? [] : [{point: at, rows: ofVenue}];
      }),
    );
    this.#cellOf = rowMembers.cellNo(rows);
    this.#row = rowReader(rows, rowMembers);
    this.#texts = {
      facts: text("facts")(sales),
      sale: text("record")(sales),
      cell: text("record")(cells),
    };
  }

  /** The sales that ended in the span and pass a test, newest first, venues before trades. */
  within({from, to}: Span, test: (sale: PastSale) => boolean): PastSale[] {
    return this.sales.filter((sale) => sale.date >= from && sale.date <= to && test(sale));
  }

  /** The venues around a point, nearest first, each with its sales that pass a test; only venues that have any. */
  nearest(
    from: Point,
    {miles, venues, test}: {miles: number; venues: number; test: (sale: PastSale) => boolean},
  ): NearRows<PastSale>[] {
    return [...this.#near.within(from, {miles, test}).take(venues)];
  }

  /** The sales of a market between two days, newest first. */
  ofMarket(market: string, {from, to}: Span): PastSale[] {
    return (this.#ofMarket.get(market) ?? []).filter(({date}) => date >= from && date <= to);
  }

  /** The sales between two days of which a state's price is made, newest first. */
  ofState(state: string, {from, to}: Span): PastSale[] {
    return (this.#ofState.get(state) ?? []).filter(({date}) => date >= from && date <= to);
  }

  /** The cells of lots with a comment of the same cattle as those of a cell without. */
  describedCells({cellNo}: PastCell): readonly PastCell[] {
    return this.#described.get(cellNo) ?? [];
  }

  /** The numbers of a sale's rows whose cell passes a test, in the order of the report. */
  rowsOf({firstRow, rows}: PastSale, test: (cell: PastCell) => boolean): number[] {
    const found: number[] = [];
    for (let row = firstRow; row < firstRow + rows; row++) if (test(this.cellOf(row))) found.push(row);
    return found;
  }

  /** The cell of a row. Throws if the build does not hold it. */
  cellOf(row: number): PastCell {
    const cell = this.#cells.get(this.#cellOf(row));
    if (cell === undefined) throw new Error(`row ${row} of a past sale has an unknown cell`);
    return cell;
  }

  row(row: number): PastRow {
    return this.#row(row);
  }

  factsOf({no}: PastSale): SaleFacts {
    return JSON.parse(this.#texts.facts(no)) as SaleFacts;
  }

  /** The members that the records of a sale share, but for those that follow from its columns and facts. */
  saleMembers({no}: PastSale): Members {
    return JSON.parse(this.#texts.sale(no)) as Members;
  }

  /** The members that the records of a cell share. */
  cellMembers({row}: PastCell): Members {
    return JSON.parse(this.#texts.cell(row)) as Members;
  }
}

type Text = (row: number) => string;
