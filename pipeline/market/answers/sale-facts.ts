import {instantText} from "./aggregates.ts";

/** SQL: what the report of each issue says of its sale or period. */
export const issueEvents = `SELECT issue_id, receipts, head_reported, special_sale_name, receipts_by_commodity, head_by_commodity, reporter AS reporter_words FROM sale_events
    QUALIFY row_number() OVER (PARTITION BY issue_id ORDER BY sale_date DESC, venue_id) = 1
    UNION ALL SELECT issue_id, receipts, head_reported, NULL, receipts_by_commodity, head_by_commodity, reporter FROM summary_events`;

/** SQL: the days after each of the sales on which its report says that none was held, before the report's sale on `next_date`. */
export function unheldDays(sales: string): string {
  return `SELECT l.issue_id, list_sort(list(DISTINCT n.sale_date::VARCHAR)) AS unheld_days
    FROM ${sales} AS l JOIN sale_events AS n ON n.venue_id = l.venue_id AND n.report_slug = l.report_slug AND n.sale_date > l.report_end_date
      AND n.sale_date < coalesce(next_date, DATE '9999-12-31') AND n.sale_status = 'no_sale'
    GROUP BY l.issue_id`;
}

/** SQL: the columns of a draft that tell the place of a sale of `sales`, which `joinedPlaces` locates. */
export function placeOfSale(sales: string): string {
  return `county_fips, county_name, county_vintage, coalesce(places.venue_name, ${sales}.venue_name) AS venue_name, city, place,
    CASE WHEN report_scope = 'venue' THEN coalesce(places.state, ${sales}.state, '') WHEN report_scope = 'direct' THEN ${sales}.state END AS state`;
}

/** SQL: the join of sales with the places of their venues. Trades have none. */
export function joinedPlaces(sales: string): string {
  return `LEFT JOIN venue_places AS places ON report_scope = 'venue' AND places.venue_id = ${sales}.venue_id`;
}

/** SQL: the columns of a draft that tell the one issue of a sale. */
export const issueOfSale = `report_begin_date AS first_date, report_end_date AS last_date,
    [issue_id] AS issue_ids, [source_id] AS source_ids, [system] AS systems, [report_slug] AS report_slugs, [report_program] AS programs,
    [issue_status] AS statuses, [published_at_source] AS published, issue_status = 'preliminary' AS any_preliminary,
    ${instantText("ingested_at")} AS ingested_at, ${instantText("last_verified_at")} AS last_verified_at`;
