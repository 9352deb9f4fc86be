import type {Database} from "../../../lib/sql/duckdb.ts";
import {salePricesSql} from "./aggregates.ts";
import {latestMaxAgeDays, weekBack, yearBack} from "./bounds.ts";

/** One cell at one market on two dates: prices unrounded, and the weight of the later sale. */
type MatchedCell = {weight: number; now: number; before: number; from: string};

/** `from` is the earliest date that was compared with. */
type Change = {change: number | null; matched: number; from: string | null};

/**
 * Change over matched cells only, weighted by what was sold now: sum(L * (now - then)) / sum(L).
 * Null without a match. Differently composed means are never compared (V5).
 */
export function matchedChange(cells: readonly MatchedCell[]): Change {
  const weight = cells.reduce((sum, cell) => sum + cell.weight, 0);
  if (cells.length === 0 || weight === 0) return {change: null, matched: 0, from: null};
  const moved = cells.reduce((sum, cell) => sum + cell.weight * (cell.now - cell.before), 0);
  const [from = null] = cells.map((cell) => cell.from).sort();
  return {change: moved / weight, matched: cells.length, from};
}

/** Changes of a record, as it shows them: the number of matches is that of the week, else of the year. */
export type Changes = {week: Change; year: Change; matched_cells: number};

/** The earlier figures of each market (venue or summary report) and cell, by market, date of its latest sale and cell. */
export type ChangeBook = {
  of(market: string, date: string, cell: string): {week: MatchedCell | null; year: MatchedCell | null};
  changes(keys: readonly {market: string; date: string; cell: string}[]): Changes;
  /** Date of the latest sale of a cell at a market within 60 days; null when it sold none. */
  latest(market: string, cell: string): string | null;
};

type Match = {
  market: string;
  cell_id: string;
  date: string;
  weight: number;
  price: number;
  week: EarlierSale | null;
  year: EarlierSale | null;
};

type EarlierSale = {date: string; price: number};

/**
 * Reads the changes of the latest sale of each cell at every venue and in every summary report. Only non-thin cells match;
 * the earlier sale is the nearest one 7 (or 364) days back within the tolerance, at the same venue, or of the same summary.
 */
export async function readChanges(db: Database): Promise<ChangeBook> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE market_sales AS
    SELECT venue_id AS market, report_end_date AS date, * EXCLUDE (venue_id, report_end_date) FROM (
      ${salePricesSql(["venue_id", "report_end_date", "age"], "report_scope IN ('venue', 'video_internet') AND venue_id IS NOT NULL")})
    UNION ALL
    SELECT report_slug, report_end_date, * EXCLUDE (report_slug, report_end_date) FROM (
      ${salePricesSql(["report_slug", "report_end_date", "age"], "report_scope = 'state_summary'")})`);
  const matches = await db.rows<Match>(`
    WITH now AS (
      SELECT * FROM market_sales WHERE age <= ${latestMaxAgeDays}
      QUALIFY date = max(date) OVER (PARTITION BY market, cell_id)
    )
    SELECT market, cell_id, date, n.pooled_weight AS weight, n.price AS price,
      ${earlierSale(weekBack)} AS week, ${earlierSale(yearBack)} AS year
    FROM now AS n LEFT JOIN (SELECT market, cell_id, list({'date': date, 'price': price} ORDER BY date) AS earlier
      FROM market_sales WHERE NOT thin GROUP BY ALL) USING (market, cell_id)
    ORDER BY market, cell_id, date`);
  return bookOf(matches);
}

/** SQL: date and price of the sale nearest to so many days back, the earlier one of two; null when thin or without one. */
function earlierSale({days, tolerance}: {days: number; tolerance: number}): string {
  const back = "date_diff('day', e.date, n.date)";
  const near = `list_filter(earlier, e -> ${back} BETWEEN ${days - tolerance} AND ${days + tolerance})`;
  const ranked = `list_transform(${near}, e -> {'off': abs(${back} - ${days}), 'later': -${back}, 'date': e.date::VARCHAR, 'price': e.price})`;
  return `CASE WHEN NOT n.thin THEN list_sort(${ranked})[1] END`;
}

function bookOf(matches: readonly Match[]): ChangeBook {
  const book = new Map(matches.map((match) => [key(match.market, match.date, match.cell_id), match]));
  const latest = new Map(matches.map((match) => [`${match.market}|${match.cell_id}`, match.date]));
  const of: ChangeBook["of"] = (market, date, cell) => {
    const match = book.get(key(market, date, cell));
    const against = (earlier: EarlierSale | null) =>
      match === undefined || earlier === null
        ? null
        : {weight: match.weight, now: match.price, before: earlier.price, from: earlier.date};
    return {week: against(match?.week ?? null), year: against(match?.year ?? null)};
  };
  return {
    of,
    changes(keys) {
      const found = keys.map(({market, date, cell}) => of(market, date, cell));
      const week = matchedChange(found.flatMap((match) => match.week ?? []));
      const year = matchedChange(found.flatMap((match) => match.year ?? []));
      return {week, year, matched_cells: week.matched > 0 ? week.matched : year.matched};
    },
    latest: (market, cell) => latest.get(`${market}|${cell}`) ?? null,
  };
}

function key(market: string, date: string, cell: string): string {
  return `${market}|${date}|${cell}`;
}
