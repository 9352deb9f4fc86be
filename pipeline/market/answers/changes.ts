import {minimumForChange} from "../../../lib/market/price-confidence.ts";
import {latestMaxAgeDays, weekBack, yearBack} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {money, rounded} from "../../../schemas/market-fields/market-field.ts";
import {cells} from "../normalise/cell-rows.ts";
import {sale_cells, salePricesSql} from "./aggregates.ts";
import {current_issues, rollupIssues, rollupMarket, state_weeks} from "./sold-issues.ts";
import {untested_cells} from "./untested-cells.ts";

/** SQL: the head (or pairs) and the pens that a change needs on each side; a row of a summary pools several pens and venues. */
const needs = `CASE WHEN price_unit = 'per_pair' THEN ${minimumForChange.pairs} ELSE ${minimumForChange.head} END AS head_needed,
  CASE WHEN is_summary THEN 0 ELSE ${minimumForChange.pens} END AS pens_needed`;
const figures = `cell_no, price, pooled_weight, head, pens, thin, ${needs}, head < head_needed OR pens < pens_needed AS few`;

/** SQL: whether all sales of a cell in a week of a state are of cattle that their reporters call not tested. */
const untestedWeeks = `SELECT state, week_end_date, c.cell_no, bool_and(u.issue_no IS NOT NULL) AS untested
  FROM sale_cells AS c JOIN ${rollupIssues} AS i ON i.issue_no = c.issue_no LEFT JOIN untested_cells AS u ON u.issue_no = c.issue_no AND u.cell_no = c.cell_no GROUP BY ALL`;

/**
 * The sales of each cell at every market, with price and weight. A market is a venue, a report (state summary, video or direct), or
 * a state by the weeks of its roll-up.
 */
export const market_sales = model({
  name: "market_sales",
  reads: [sale_cells, cells, current_issues, state_weeks, untested_cells],
  columns: {
    VARCHAR: "market",
    DATE: "date",
    INTEGER: "cell_no head head_needed pens_needed",
    DOUBLE: "price pooled_weight",
    HUGEINT: "pens",
    BOOLEAN: "thin few untested",
  },
  sql: () => `
    SELECT market, report_end_date AS date, ${figures}, coalesce(untested, false) AS untested
    FROM (SELECT *, market IN (SELECT market FROM current_issues WHERE report_scope = 'state_summary') AS is_summary FROM (${salePricesSql(["market", "report_end_date"], "market IS NOT NULL")}))
      LEFT JOIN (SELECT DISTINCT market, report_end_date, cell_no, true AS untested FROM untested_cells JOIN current_issues USING (issue_no)) USING (market, report_end_date, cell_no)
    UNION ALL
    SELECT ${rollupMarket}, week_end_date, ${figures}, untested FROM (SELECT *, false AS is_summary FROM (${salePricesSql(["state", "week_end_date"], "true", rollupIssues)}))
      JOIN (${untestedWeeks}) USING (state, week_end_date, cell_no)`,
});

/**
 * The latest sale of each cell at every market, with price, weight, and the earlier sales to compare with: the nearest one 7 (or
 * 364) days back within the tolerance, at the same market. Those that are thin, of too few cattle to make a change alone, or called not tested
 * by their reporter are marked.
 */
export const cell_changes = model({
  name: "cell_changes",
  reads: [market_sales, cells, build_facts],
  columns: {
    VARCHAR: "market cell_id",
    DATE: "date",
    DOUBLE: "weight price",
    INTEGER: "head head_needed pens_needed",
    HUGEINT: "pens",
    'STRUCT(few BOOLEAN, "off" BIGINT, later BIGINT, date DATE, price DOUBLE, head INTEGER, pens HUGEINT, thin BOOLEAN, untested BOOLEAN)':
      "week year",
    BOOLEAN: "thin few untested",
  },
  sql: () => `
    WITH now AS (
      SELECT * FROM market_sales WHERE date >= ${asOfSql} - ${latestMaxAgeDays}
      QUALIFY date = max(date) OVER (PARTITION BY market, cell_no)
    )
    SELECT market, cell_id, date, n.pooled_weight AS weight, n.price AS price, n.head AS head, n.pens AS pens,
      head_needed, pens_needed, n.thin AS thin, n.few AS few, n.untested AS untested,
      ${earlierSale(weekBack)} AS week, ${earlierSale(yearBack)} AS year
    FROM now AS n JOIN cells USING (cell_no) LEFT JOIN (SELECT market, cell_no, list({'few': few, 'date': date, 'price': price, 'head': head, 'pens': pens, 'thin': thin, 'untested': untested} ORDER BY date) AS earlier
      FROM market_sales GROUP BY ALL) USING (market, cell_no)`,
});

/** SQL: date, price, head, pens and marks of the sale nearest to so many days back, on a tie the earlier one, those of too few cattle last; null without one. */
function earlierSale({days, tolerance}: {days: number; tolerance: number}): string {
  const back = "date_diff('day', e.date, n.date)";
  const near = `list_filter(earlier, e -> ${back} BETWEEN ${days - tolerance} AND ${days + tolerance})`;
  const ranked = `list_transform(${near}, e -> {'few': e.few, 'off': abs(${back} - ${days}), 'later': -${back}, 'date': e.date, 'price': e.price, 'head': e.head, 'pens': e.pens, 'thin': e.thin, 'untested': e.untested})`;
  return `list_sort(${ranked})[1]`;
}

/** The sums over matched cells from which a record's changes are made, which stay beside them. */
export const changeSums = {
  DOUBLE: "week_terms week_weight year_terms year_weight",
  INTEGER: "week_cells week_pens year_cells year_pens",
} as const;

/** Columns of `changesSql` beside the sums, of which fields are made. */
export const changeColumns = [
  "matched matched_pens week_change year_change week_from year_from week_reason year_reason",
  "week_now week_then year_both",
].flatMap((line) => line.split(" "));

/**
 * SQL: the changes per `evidence_id`, over drafts with `markets`, and optionally the `market_date` that the cell's latest sale
 * must have. A change covers matched cells only, weighted by what was sold now, sum(L * (now - then)) / sum(L), so that means
 * of different composition are never compared (V5). Its date is the earliest date compared with. Ten decimals leave out the noise
 * of doubles, which would otherwise decide between two cents. The sales of which it is the difference stand beside it as JSON. Needs `cell_changes`.
 */
export function changesSql(drafts: string): string {
  return `SELECT *, round(week_terms / week_weight, 10) AS week_change, round(year_terms / year_weight, 10) AS year_change,
      CASE WHEN week_cells > 0 THEN week_cells ELSE year_cells END AS matched,
      CASE WHEN week_cells > 0 THEN week_pens ELSE year_pens END AS matched_pens
    FROM (SELECT evidence_id, ${matchedSums("week")}, ${matchedSums("year")}, ${salesText("week")} AS week_now, ${salesText("week", "week.")} AS week_then,
        CASE WHEN year_cells > 0 THEN concat('{"last_sale":', ${salesText("year")}, ',"then_sale":', ${salesText("year", "year.")}, '}') END AS year_both
      FROM (SELECT *, ${isCompared("week")} AS in_week, ${isCompared("year")} AS in_year FROM (SELECT *, ${isMatched("week")} AS week_matched, ${isMatched("year")} AS year_matched
        FROM (SELECT DISTINCT evidence_id, cell_id, market_date, unnest(markets) AS market FROM ${drafts}) JOIN cell_changes AS c USING (market, cell_id)
        WHERE c.date = coalesce(market_date, c.date) WINDOW of_cell AS (PARTITION BY evidence_id, cell_id)))
      GROUP BY evidence_id)`;
}

type Earlier = "week" | "year";

/** SQL: whether a change would rest on cattle that a reporter calls not tested, or on too few of one market. */
const isUntested = (earlier: Earlier) => `untested OR coalesce(${earlier}.untested, false)`;
const isFew = (earlier: Earlier) => `few OR coalesce(${earlier}.few, false)`;

/**
 * SQL: whether the two sales of a market make a change: tested cattle, on neither side a thin cell, and on each side enough head and pens of
 * all such markets of the record's cell together.
 */
function isMatched(earlier: Earlier): string {
  const isPair = `${earlier} IS NOT NULL AND NOT (thin OR coalesce(${earlier}.thin, false) OR ${isUntested(earlier)})`;
  const isEnough = ["head", "pens"].flatMap((amount) =>
    [amount, `${earlier}.${amount}`].map(
      (side) => `sum(${side}) FILTER (${isPair}) OVER of_cell >= ${amount}_needed`,
    ),
  );
  return `coalesce(${isPair} AND ${isEnough.join(" AND ")}, false)`;
}

/**
 * SQL: whether the sale of a market is one of those that a record's change compares: the matched ones; without any, those with an earlier
 * sale; without these, all.
 */
function isCompared(earlier: Earlier): string {
  const rank = `CASE WHEN ${earlier}_matched THEN 2 WHEN ${earlier} IS NULL THEN 0 ELSE 1 END`;
  return `${rank} = max(${rank}) OVER (PARTITION BY evidence_id)`;
}

/** SQL: a sum of doubles over markets, in their order, so that it is reproducible. */
const marketSum = (term: string, only: string) =>
  `list_reduce(list(${term} ORDER BY market) ${only}, (a, b) -> a + b)`;

/** SQL: what was sold at the markets that a record's change compares, or there before, as JSON; null without a sale. */
function salesText(earlier: Earlier, of: "" | `${Earlier}.` = ""): string {
  const only = `FILTER (in_${earlier}${of === "" ? "" : ` AND ${earlier} IS NOT NULL`})`;
  const price = `${marketSum(`weight * ${of}price`, only)} / (sum(weight::HUGEINT) ${only})::DOUBLE`;
  return `CASE WHEN count(*) ${only} > 0 THEN concat('{"date":"', ${of === "" ? "max" : "min"}(${of}date) ${only}, '","price_avg":', ${money.text(rounded(price, 2))},
      ',"head_count":', sum(${of}head) ${only}, ',"pens":', sum(${of}pens) ${only}, ',"markets":', count(*) ${only}, '}') END`;
}

/**
 * SQL: both sums of a change, why there is none, the number of matched cells, their pens at the date with fewer, and the earliest date compared
 * with.
 */
function matchedSums(earlier: Earlier): string {
  const only = `FILTER (${earlier}_matched)`;
  return `${marketSum(`weight * (price - ${earlier}.price)`, only)} AS ${earlier}_terms,
      (sum(weight::HUGEINT) ${only})::DOUBLE AS ${earlier}_weight, (count(*) ${only})::INTEGER AS ${earlier}_cells,
      (sum(least(pens, ${earlier}.pens)) ${only})::INTEGER AS ${earlier}_pens,
      min(${earlier}.date) ${only} AS ${earlier}_from,
      CASE WHEN count(*) ${only} > 0 THEN NULL WHEN bool_or(${isUntested(earlier)}) THEN 'not_tested'
        WHEN bool_or(${isFew(earlier)}) THEN 'too_few' ELSE 'no_earlier_sale' END AS ${earlier}_reason`;
}
