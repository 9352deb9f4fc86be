import {rowFlags} from "../../../lib/market/past-row.ts";
import {model} from "../../../lib/models/model.ts";
import {fieldsIn, recordText} from "../../../schemas/market-fields/market-field.ts";
import {priceFields} from "../../../schemas/market-fields/price.ts";
import {only} from "../../../schemas/market-fields/structures.ts";
import {cells} from "../normalise/cell-rows.ts";
import {report_titles} from "../normalise/issue-versions.ts";
import {termsSql} from "../normalise/market-rows.ts";
import {sale_events, summary_events} from "../normalise/sale-events.ts";
import {instantText} from "./aggregates.ts";
import {draftsSql} from "./drafts.ts";
import {cell_rows} from "./price-cells.ts";
import {reporter_trends} from "./reporter-trends.ts";
import {issueEvents, issueOfSale, joinedPlaces, placeOfSale, unheldDays} from "./sale-facts.ts";
import {current_issues, venueSale} from "./sold-issues.ts";
import {cellNotTested} from "./untested-cells.ts";
import {venue_places} from "./venue-places.ts";

/** The members of a record that all rows of a sale share, but for those that follow from columns and facts of the sale. */
const saleMembers = [
  "state first_sale_date venue_name city sale_date receipts special_sale_name issue_status published_at_source no_sale_on report_title reporter",
].flatMap((line) => line.split(" "));

/** Those that all rows of a cell share, with those that say the same of every row of a sale. */
const cellMembers = [
  "cell_id commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_descriptors lot_description",
  "price_unit price_basis weighting contributing_head rows venues_reporting described_head window_days window_widened contributing_venues",
  "nearest_distance_mi distance_band distance_method previous_sale delivery freight region",
].flatMap((line) => line.split(" "));

/** SQL: members of the latest prices as one JSON text, `record`, by the rules of these records, over a query of drafts with a `record_key`. */
function membersSql(names: readonly string[], drafts: string): string {
  const fields = fieldsIn(priceFields, "latest").filter(([name]) => names.includes(name));
  const values = fields.map(
    ([name, {sql = name, stored = (value: string) => value}]) => `${stored(sql)} AS ${name}`,
  );
  return `SELECT record_key, ${recordText(Object.fromEntries(fields), "latest")} AS record
    FROM (SELECT record_key, ${values.join(", ")} FROM (${draftsSql("latest", drafts)}) LEFT JOIN report_titles ON titled_slug = ${only("report_slugs")})`;
}

/** Facts of a sale that its records and their evidence are made of, as JSON. */
const saleFacts = `to_json({'issue_id': issue_id, 'source_id': source_id, 'system': system, 'report_slug': report_slug, 'report_program': report_program, 'place': place, 'ingested_at': ${instantText("ingested_at")},
    'last_verified_at': ${instantText("last_verified_at")}, 'event_receipts': event_receipts, 'head_reported': head_reported,
    'receipts_by_commodity': receipts_by_commodity, 'head_by_commodity': head_by_commodity, 'shrink': shrink, 'slide': slide, 'untested': coalesce(untested, [])})::VARCHAR`;

/** What a statement that cattle were not tested depends on: few forms of it repeat, and each is held against the cells once. */
const statementNames = ["commodity", "class", "kind", "grade", "weight_low_lb", "weight_high_lb"];
const statement = statementNames.map((name) => `'${name}': ${name}`).join(", ");

/**
 * The sales and trades of all issues in force, of any age, newest first, venues before trades: where each was, which rows it has in the
 * order of `past_rows`, and what its records share.
 */
export const past_sales = model({
  name: "past_sales",
  reads: [
    current_issues,
    cell_rows,
    cells,
    sale_events,
    summary_events,
    reporter_trends,
    venue_places,
    report_titles,
  ],
  columns: {
    INTEGER: "issue_no sale_no first_row rows",
    VARCHAR: "report_scope state county_fips venue_id report_slug issue_id market facts record",
    DATE: "report_end_date",
    DOUBLE: "lat lon",
    BOOLEAN: "pooled",
  },
  sql: () => `
    WITH kept AS (
      SELECT *, min(report_end_date) OVER (PARTITION BY market, report_slug ORDER BY report_end_date RANGE BETWEEN INTERVAL 1 DAY FOLLOWING AND UNBOUNDED FOLLOWING) AS next_date
      FROM current_issues WHERE market IS NOT NULL AND report_scope <> 'state_summary'
    ), events AS (
      ${issueEvents}
    ), unheld AS (
      ${unheldDays("kept")}
    ), statements AS (
      SELECT {${statement}} AS said, ${statementNames.join(", ")}, direction FROM reporter_trends WHERE direction = 'not_tested' GROUP BY ALL
    ), meant AS (
      SELECT said, list(cell_no) AS cell_nos FROM statements AS t JOIN cells AS c ON ${cellNotTested} GROUP BY said
    ), said AS (
      SELECT issue_id, list_sort(list_distinct(flatten(list(cell_nos)))) AS untested
      FROM (SELECT issue_id, {${statement}} AS said FROM reporter_trends WHERE direction = 'not_tested') JOIN meant USING (said) GROUP BY issue_id
    ), counted AS (
      SELECT issue_no, count(*)::INTEGER AS rows FROM cell_rows GROUP BY issue_no
    ), sold AS (
      SELECT *, (row_number() OVER (ORDER BY report_scope <> 'venue', report_end_date DESC, state, market, issue_id) - 1)::INTEGER AS sale_no
      FROM kept JOIN counted USING (issue_no)
    ), drafts AS (
      SELECT sold.* EXCLUDE (state, venue_name, shrink, slide, ingested_at, last_verified_at), receipts, special_sale_name, reporter_words, unheld_days,
        issue_no::VARCHAR AS record_key, ${placeOfSale("sold")}, ${issueOfSale}
      FROM sold LEFT JOIN events USING (issue_id) LEFT JOIN unheld USING (issue_id) ${joinedPlaces("sold")}
    )
    SELECT issue_no, sale_no, (sum(rows) OVER (ORDER BY sale_no) - rows)::INTEGER AS first_row, rows, report_scope,
      CASE WHEN report_scope = 'venue' THEN coalesce(places.state, sold.state, '') WHEN report_scope = 'direct' THEN sold.state END AS state,
      county_fips, ${venueSale} AS pooled, sold.venue_id, report_slug, issue_id, report_end_date, lat, lon, market, ${saleFacts} AS facts, record
    FROM sold LEFT JOIN events USING (issue_id) LEFT JOIN said USING (issue_id) ${joinedPlaces("sold")}
      JOIN (${membersSql(saleMembers, "FROM drafts")}) AS texts ON texts.record_key = sold.issue_no::VARCHAR`,
});

/** The cells of past rows, with what their records share. `takes_shrink` and `takes_slide`: a trade's terms hold for such cattle. */
export const past_cells = model({
  name: "past_cells",
  reads: [cells, report_titles],
  columns: {
    INTEGER: "cell_no base_no bin_low_lb",
    VARCHAR: "cell_id commodity class weight_bin price_unit region record",
    "VARCHAR[]": "lot_descriptors",
    BOOLEAN: "headline takes_shrink takes_slide",
  },
  sql: () => `
    SELECT cell_no, base_no, cell_id, commodity, class, weight_bin, price_unit, region, lot_descriptors, headline, TRY_CAST(split_part(weight_bin, '-', 1) AS INTEGER) AS bin_low_lb, shrink IS NOT NULL AS takes_shrink, slide IS NOT NULL AS takes_slide, record
    FROM (SELECT cells.*, ${termsSql.join(", ")} FROM cells, (SELECT 'x' AS shrink, 'x' AS slide, 'direct' AS report_scope)) AS c
      JOIN (${membersSql(cellMembers, "SELECT *, cell_no::VARCHAR AS record_key, 'reported' AS price_basis, 1 AS row_count, 1 AS venues FROM cells")}) AS texts
        ON texts.record_key = cell_no::VARCHAR
      LEFT JOIN (SELECT cell_id AS base_cell, cell_no AS base_no FROM cells) USING (base_cell)`,
});

const flags = rowFlags.map((name, bit) => `(${name}::INTEGER << ${bit})`).join(" + ");
const cents = (price: string) => `(${price} * 100)::INTEGER`;

/** The rows of past sales in numbers alone: those that a record has beside what its sale and its cell share. */
export const past_rows = model({
  name: "past_rows",
  reads: [cell_rows, past_sales],
  columns: {
    INTEGER:
      "sale_no cell_no row_ordinal price low high head_count weight_lb weight_min_lb weight_max_lb median_price",
    SMALLINT: "flags",
  },
  materialise: "view",
  sql: () => `SELECT sale_no, cell_no, row_ordinal, ${cents("price_avg")} AS price, ${cents("price_min")} AS low, ${cents("price_max")} AS high, head_count,
      w AS weight_lb, weight_min_lb, weight_max_lb, round(median_price * 100)::INTEGER AS median_price, (${flags})::SMALLINT AS flags
    FROM (SELECT *, avg_weight_lb IS NULL AND w IS NOT NULL AS w_of_break FROM cell_rows) JOIN past_sales USING (issue_no)`,
});
