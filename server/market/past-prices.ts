import type {Point} from "@open-cattle/parcel-outlines";
import type {VenueContacts} from "../../lib/market/implications.ts";
import type {Barn} from "../../schemas/market-records.ts";
import type {Generation} from "../generation/generation.ts";
import {Problem} from "../http/problem-document.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {PastCell, PastSale, PastSales, Span} from "../tables/past-sales.ts";
import type {KindTest} from "../tables/record-tables.ts";
import {registryOf, served} from "./asked-place.ts";
import type {Selection} from "./envelope.ts";
import type {Page} from "./market-parameters.ts";
import {isThin, PastRecords} from "./past-records.ts";
import {isTradeOf, withDistance} from "./place-context.ts";

/** Which sales, and which of their rows, a question is about. */
type Asked = {
  readonly span: Span;
  readonly kind: KindTest | null;
  readonly state: string | undefined;
  /** Ids of the venues that a county or a name selects; null without one. */
  readonly venueIds: ReadonlySet<string> | null;
  readonly around: {readonly point: Point; readonly miles: number; readonly venues: number} | null;
  /** The state of the place, whose trades come first. */
  readonly itsState: string | null;
};

/** Chosen rows of a sale. */
type Piece = {readonly sale: PastSale; readonly miles: number | null; readonly rows: readonly number[]};

/** Returns the sales of every age of a build. Throws a 503 if it was made before they were served. */
export function pastOf(market: MarketArtifacts): PastSales {
  if (market.past === null)
    throw new Problem("build-unavailable", "The served build was made before past sales were served.");
  return market.past;
}

/**
 * Returns a page of the rows of past sales, with the maker of their evidence: around a point venue by venue, nearest first; of named venues
 * one after the other; else by day. Within a venue the newest sale comes first and its most important rows.
 */
export function pastPage(
  market: MarketArtifacts,
  generation: Pick<Generation, "sample">,
  {asked, page}: {asked: Asked; page: Page},
): Pick<Selection, "records" | "total" | "page" | "evidenceOf"> {
  const past = pastOf(market);
  const pieces = piecesOf(past, asked);
  const records = new PastRecords(past, {
    context: {asOf: asked.span.to, sample: generation.sample, registry: registryOf(market)},
    contacts: contactsOf(market),
  });
  const isRanked = asked.around !== null || asked.venueIds !== null;
  const chosen = pageOfPieces(pieces, page).flatMap(({sale, miles, rows, from, to}) =>
    (isRanked ? byImportance(past, rows) : byCell(past, rows))
      .slice(from, to)
      .map((row) => records.recordOf(sale, row))
      .map((record) => ({
        text: withDistance(JSON.stringify(record), miles),
        evidenceId: record.evidence_id,
      })),
  );
  return {
    records: chosen,
    total: pieces.reduce((sum, {rows}) => sum + rows.length, 0),
    page,
    evidenceOf: (id) => {
      const made = records.evidenceOf(id);
      return made === null ? null : served(made);
    },
  };
}

/** The pieces that a page touches, with the rows of each that it has. */
function pageOfPieces(pieces: readonly Piece[], {offset, limit}: Page) {
  let before = 0;
  return pieces.flatMap((piece) => {
    const [from, to] = [offset - before, offset + limit - before];
    before += piece.rows.length;
    return to <= 0 || from >= piece.rows.length ? [] : [{...piece, from: Math.max(0, from), to}];
  });
}

function piecesOf(past: PastSales, asked: Asked): Piece[] {
  const {span, kind, state, venueIds, around} = asked;
  const isWhole = around !== null || venueIds !== null;
  const test = (cell: PastCell) => (kind === null ? isWhole || cell.headline : kind(cell));
  const isAsked = (sale: PastSale) =>
    !sale.isTrade &&
    (state === undefined || sale.state === state) &&
    (venueIds === null || venueIds.has(sale.venueId));
  const inSpan = ({date}: PastSale) => date >= span.from && date <= span.to;
  const pieces = (sales: readonly PastSale[], miles: number | null) =>
    sales.flatMap((sale) => {
      const rows = past.rowsOf(sale, test);
      return rows.length === 0 ? [] : [{sale, miles, rows}];
    });
  const ofVenues =
    around === null
      ? pieces(inOrder(past.within(span, isAsked), venueIds !== null), null)
      : past
          .nearest(around.point, {
            ...around,
            test: (sale) => inSpan(sale) && isAsked(sale) && past.rowsOf(sale, test).length > 0,
          })
          .flatMap(({rows, miles}) => pieces(rows, miles));
  const far = state === undefined && (around === null || ofVenues.length > 0);
  return venueIds !== null ? ofVenues : [...ofVenues, ...tradesOf(past, asked, far)];
}

/** Sales by day, or venue by venue. */
function inOrder(sales: readonly PastSale[], byVenue: boolean): PastSale[] {
  return byVenue ? [...Map.groupBy(sales, ({venueId}) => venueId).values()].flat() : [...sales];
}

/** Rows of video and direct trades: first those whose region names the state of the question, then, with `far`, all others. */
function tradesOf(past: PastSales, {span, kind, state, itsState}: Asked, far: boolean): Piece[] {
  const trades = past.within(span, ({isTrade}) => isTrade);
  const wanted = state ?? itsState;
  const isNear = (sale: PastSale, cell: PastCell) =>
    isTradeOf({state: sale.state, region: cell.region}, wanted);
  const pieces = (near: boolean) =>
    trades.flatMap((sale) => {
      const rows = past.rowsOf(sale, (cell) => (kind === null || kind(cell)) && isNear(sale, cell) === near);
      return rows.length === 0 ? [] : [{sale, miles: null, rows}];
    });
  return [...pieces(true), ...(far ? pieces(false) : [])];
}

/** Thin rows come after those of all cells but headline ones. */
const thinRank = 10;

/** Rows of a sale as within a county: headline cells, then those that are not thin, those with comments, and thin ones, most head first. */
function byImportance(past: PastSales, rows: readonly number[]): number[] {
  return sortedBy(rows, (row) => {
    const [cell, read] = [past.cellOf(row), past.row(row)];
    const rank = !cell.headline && isThin(read, cell.unit) ? thinRank : cell.rank;
    return [rank, -(read.head ?? -1), cell.cellNo, read.ordinal];
  });
}

function byCell(past: PastSales, rows: readonly number[]): number[] {
  return sortedBy(rows, (row) => [past.cellOf(row).cellNo, past.row(row).ordinal]);
}

function sortedBy(rows: readonly number[], rankOf: (row: number) => readonly number[]): number[] {
  const ranked = rows.map((row) => ({row, rank: rankOf(row)}));
  const compare = (a: readonly number[], b: readonly number[]) => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  };
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({row}) => row);
}

/** Looks venues up in the directory for sentences that say whom to ask. */
export function contactsOf(market: MarketArtifacts): VenueContacts {
  return {
    get(id) {
      const key = market.barns.keys.find(({venueId}) => venueId === id);
      if (key === undefined) return undefined;
      const {venue_name, phone, city, state} = JSON.parse(market.barns.record(key.row)) as Barn;
      return {name: venue_name ?? id, phone, city, state};
    },
  };
}
