import {commodityOf} from "@open-cattle/usda-reports";
import {model} from "../../../lib/models/model.ts";
import {
  replacedEventColumns,
  saleEventColumns,
  summaryEventColumns,
  venueSeenColumns,
} from "../../../schemas/sale-event.ts";
import {castsOf, namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {raw_headers} from "../staging/staged-models.ts";
import {issue_parts} from "./checked-rows.ts";
import {issue_versions} from "./issue-versions.ts";
import {receiptsSql} from "./measured-rows.ts";
import {issue_headers, reporter_words} from "./reporter-words.ts";

function eventSelect(names: string): string {
  return names
    .replace("sale_date", "report_end_date AS sale_date")
    .replace("week_begin_date", "report_begin_date AS week_begin_date")
    .replace("week_end_date", "report_end_date AS week_end_date");
}

/** The commodity of each label of receipts (`Feeder Cattle`); other species are left out. */
const receipt_labels = model({
  name: "receipt_labels",
  reads: [raw_headers],
  columns: {VARCHAR: "label commodity"},
  rows: async ({db}) => {
    const labels = await db.rows<{label: string}>(
      "SELECT DISTINCT unnest(map_keys(receipts)) AS label FROM raw_headers ORDER BY label",
    );
    return labels.flatMap(({label}) => {
      const commodity = label === "total" ? "total" : commodityOf(label);
      return commodity === null ? [] : [{label, commodity}];
    });
  },
});

/** SQL: the head of a commodity in a header column, summed because two labels may mean one commodity. */
function headSum(column: string): string {
  return `sum(${receiptsSql(`${column}[label]`)})::INTEGER AS ${column}`;
}

/** Receipts of headers. */
const head_receipts = model({
  name: "head_receipts",
  reads: [issue_headers, receipt_labels],
  columns: {
    INTEGER: "issue_no receipts receipts_prior receipts_year_ago",
    BOOLEAN: "no_sale",
    DATE: "last_reported_date",
    "MAP(VARCHAR, INTEGER)": "by_commodity",
  },
  sql: () => `
  WITH best AS (
    SELECT * FROM issue_headers
    QUALIFY row_number() OVER (PARTITION BY issue_no ORDER BY borrowed, fetched_at DESC, cardinality(receipts) DESC, file_no) = 1
  ), amounts AS (
    SELECT issue_no, commodity, ${headSum("receipts")}, ${headSum("receipts_prior")}, ${headSum("receipts_year_ago")}
    FROM (SELECT *, unnest(map_keys(receipts)) AS label FROM best) JOIN receipt_labels USING (label)
    GROUP BY issue_no, commodity
  )
  SELECT b.issue_no, b.no_sale, b.last_reported_date,
    max(a.receipts) FILTER (commodity = 'total') AS receipts,
    max(a.receipts_prior) FILTER (commodity = 'total') AS receipts_prior,
    max(a.receipts_year_ago) FILTER (commodity = 'total') AS receipts_year_ago,
    map_from_entries(list_sort(list({k: commodity, v: a.receipts})
      FILTER (commodity <> 'total' AND a.receipts IS NOT NULL))) AS by_commodity
  FROM best AS b LEFT JOIN amounts AS a USING (issue_no)
  GROUP BY b.issue_no, b.no_sale, b.last_reported_date`,
});

/**
 * Receipts from rows: each row repeats the receipts of its commodity group. Receipts of 0 beside accepted rows are not stated, and with
 * them no total.
 */
const row_receipts = model({
  name: "row_receipts",
  reads: [issue_parts],
  columns: {
    INTEGER: "issue_no receipts receipts_prior receipts_year_ago head",
    "MAP(VARCHAR, INTEGER)": "by_commodity head_by_commodity",
    "VARCHAR[]": "priced_commodities",
  },
  sql: () => `
  SELECT issue_no, CASE WHEN NOT coalesce(bool_or(rows_accepted > 0 AND receipts = 0), false) THEN sum(receipts)::INTEGER END AS receipts,
    list_sort(list(commodity) FILTER (rows_accepted > 0)) AS priced_commodities,
    sum(receipts_prior)::INTEGER AS receipts_prior, sum(receipts_year_ago)::INTEGER AS receipts_year_ago,
    map_from_entries(list_sort(list({k: commodity, v: receipts}) FILTER (receipts IS NOT NULL))) AS by_commodity,
    map_from_entries(list_sort(list({k: commodity, v: head}) FILTER (head IS NOT NULL))) AS head_by_commodity,
    sum(head)::INTEGER AS head
  FROM issue_parts WHERE commodity IS NOT NULL GROUP BY issue_no`,
});

/** SQL: stated receipts; 0 in an issue with accepted rows means that they are not stated. */
const statedReceipts =
  "coalesce(CASE WHEN h.receipts > 0 OR v.rows_accepted = 0 THEN h.receipts END, r.receipts)::INTEGER";

/** SQL: the same by commodity. */
const statedByCommodity = `map_from_entries(list_filter(map_entries(coalesce(h.by_commodity, r.by_commodity)),
    e -> e.value > 0 OR NOT coalesce(list_contains(r.priced_commodities, e.key), false)))`;

/**
 * The measures of each issue version. A report of no sale has null receipts, not 0, and so has one that states 0 beside accepted rows. Receipts come from the report's header; without one, from its rows, which repeat those of
 * their commodity group, once per commodity.
 */
const event_measures = model({
  name: "event_measures",
  reads: [issue_versions, head_receipts, row_receipts, reporter_words],
  columns: {
    BIGINT: "first_row",
    INTEGER:
      "file_no rows_read issue_no rows_accepted duplicate_rows_dropped head_accepted merged_into issue_version receipts receipts_prior receipts_year_ago head_reported",
    VARCHAR:
      "report_slug report_title report_scope report_program issue_status published_at_source venue_id venue_name city state town special_sale_name sale_slug shrink slide source_id source_path issue_id sale_part content superseded_by system sale_status reporter",
    DATE: "report_begin_date report_end_date sale_key_date vintage last_reported_date",
    TIMESTAMP: "issue_published_at fetched_at verified_at ingested_at last_verified_at",
    BOOLEAN: "after_as_of registered is_correction current narrative_present",
    "MAP(VARCHAR, INTEGER)": "receipts_by_commodity head_by_commodity",
  },
  sql: () => `
  SELECT v.* REPLACE (coalesce(w.special_sale_name, v.special_sale_name) AS special_sale_name),
    CASE WHEN v.rows_read > 0 OR coalesce(h.receipts, r.receipts) > 0 THEN 'held'
      WHEN coalesce(h.receipts, r.receipts) = 0 OR h.no_sale THEN 'no_sale' ELSE 'unknown' END AS sale_status,
    CASE WHEN sale_status <> 'no_sale' THEN ${statedReceipts} END AS receipts, coalesce(h.receipts_prior, r.receipts_prior)::INTEGER AS receipts_prior,
    coalesce(h.receipts_year_ago, r.receipts_year_ago)::INTEGER AS receipts_year_ago,
    coalesce(CASE WHEN sale_status <> 'no_sale' THEN ${statedByCommodity} END, map()::MAP(VARCHAR, INTEGER)) AS receipts_by_commodity,
    coalesce(r.head_by_commodity, map()::MAP(VARCHAR, INTEGER)) AS head_by_commodity, coalesce(r.head, 0) AS head_reported,
    coalesce(w.has_text, false) AS narrative_present, w.reporter, h.last_reported_date
  FROM issue_versions AS v LEFT JOIN head_receipts AS h USING (issue_no) LEFT JOIN row_receipts AS r USING (issue_no)
    LEFT JOIN reporter_words AS w USING (issue_no)
  WHERE v.merged_into = v.issue_no`,
});

/** The sales of venues. */
export const sale_events = model({
  name: "sale_events",
  reads: [event_measures],
  columns: saleEventColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(saleEventColumns)} FROM (
    SELECT ${eventSelect(namesOf(saleEventColumns))} FROM event_measures
    WHERE current AND venue_id IS NOT NULL ORDER BY venue_id, report_end_date, issue_id)`,
});

/** The issues of summaries and of trades without a venue. */
export const summary_events = model({
  name: "summary_events",
  reads: [event_measures],
  columns: summaryEventColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(summaryEventColumns)} FROM (
    SELECT ${eventSelect(namesOf(summaryEventColumns))} FROM event_measures
    WHERE current AND report_scope <> 'venue' AND venue_id IS NULL ORDER BY report_slug, report_end_date)`,
});

/** The same measures of superseded issues, for checks. */
export const replaced_events = model({
  name: "replaced_events",
  reads: [event_measures],
  columns: replacedEventColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(replacedEventColumns)} FROM event_measures
    WHERE NOT current AND rows_read > 0 ORDER BY report_slug, report_end_date, issue_version`,
});

/** The venues that current issues name. */
export const venues_seen = model({
  name: "venues_seen",
  reads: [event_measures],
  columns: venueSeenColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(venueSeenColumns)} FROM (
    SELECT venue_id, arg_max(venue_name, (report_end_date, issue_id)) AS venue_name, arg_max(city, (report_end_date, issue_id)) AS city,
      max(state) AS state, report_slug, arg_max(report_title, (report_end_date, issue_id)) AS report_title,
      bool_or(registered) AS registered, min(report_end_date) AS first_sale_date, max(report_end_date) AS last_sale_date,
      count(*)::INTEGER AS sales
    FROM event_measures WHERE current AND venue_id IS NOT NULL GROUP BY venue_id, report_slug) ORDER BY venue_id, report_slug`,
});
