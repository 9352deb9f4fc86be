import {inferredSchedule} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {report_issues} from "../normalise/issue-versions.ts";
import {price_rows} from "../normalise/market-rows.ts";
import {sale_events} from "../normalise/sale-events.ts";

/** A day on which a venue sold under a report number, will sell, or did not or will not: one row a day, number and venue. */
export type KnownSale = {
  venue_id: string;
  report_slug: string;
  day: string;
  /** How it is known: from its report, from the "Last Reported" of a later one, or from a notice. */
  basis: "reported" | "last_reported" | "announced" | "no_sale" | "announced_no_sale";
  receipts: number | null;
  /** True if the report names the sale as a special one. */
  special: boolean;
  classes: string[];
  source_id: string;
};

/** SQL: what reports announce of a venue's cattle sales under their number, for each day the newest. */
const notices = `SELECT venue_id, report_slug, n.date AS day, n.kind AS kind, regexp_matches(n.text, '(?i)\\b(special|feature)') AS special, sale_date, source_id
  FROM (SELECT *, unnest(from_json(reporter->'announced', '[{"date":"DATE","kind":"VARCHAR","text":"VARCHAR"}]')) AS n FROM events)
  WHERE NOT regexp_matches(n.text, '(?i)\\b(sheep|lambs?|goats?|hogs?|pigs?|horses?)\\b')
  QUALIFY row_number() OVER (PARTITION BY venue_id, report_slug, n.date ORDER BY sale_date DESC, n.kind) = 1`;

/**
 * What the reports of the last days know of a venue's sales, the surest first where several speak of a day: a sale's own report, a report
 * that none was held, the date printed as "Last Reported", a notice. A sale whose file is missing is known all the same.
 */
export const known_sales = model({
  name: "known_sales",
  reads: [sale_events, price_rows, report_issues, build_facts],
  columns: {
    VARCHAR: "venue_id report_slug basis source_id",
    DATE: "day",
    INTEGER: "receipts",
    BOOLEAN: "special",
    "VARCHAR[]": "classes",
  },
  sql: () => `
    WITH events AS (
      SELECT e.*, i.source_id FROM sale_events AS e JOIN (SELECT issue_id, min(source_id) AS source_id FROM report_issues WHERE current GROUP BY 1) AS i USING (issue_id)
      WHERE sale_date >= ${asOfSql} - ${inferredSchedule.days}
    ), sold AS (
      SELECT issue_id, list(DISTINCT class) AS classes FROM price_rows WHERE class IS NOT NULL GROUP BY issue_id
    ), told AS (
      SELECT venue_id, report_slug, sale_date AS day, CASE sale_status WHEN 'held' THEN 'reported' ELSE 'no_sale' END AS basis,
        CASE sale_status WHEN 'held' THEN 1 ELSE 2 END AS rank, receipts, special_sale_name IS NOT NULL AS special, coalesce(classes, []) AS classes, source_id
      FROM events LEFT JOIN sold USING (issue_id) WHERE sale_status IN ('held', 'no_sale')
      UNION ALL
      SELECT venue_id, report_slug, last_reported_date, 'last_reported', 3, receipts_prior, false, [], source_id
      FROM events WHERE last_reported_date BETWEEN ${asOfSql} - ${inferredSchedule.days} AND sale_date - 1
      UNION ALL
      SELECT venue_id, report_slug, day, CASE kind WHEN 'special' THEN 'announced' ELSE 'announced_no_sale' END, 4, NULL, kind = 'special' AND special, [], source_id
      FROM (${notices}) WHERE day > sale_date
    )
    SELECT venue_id, report_slug, day, arg_min(basis, rank) AS basis, arg_min(receipts, rank) AS receipts, bool_or(special) FILTER (rank = first_rank) AS special,
      list_sort(list_distinct(flatten(list(classes)))) AS classes, arg_min(source_id, rank) AS source_id
    FROM (SELECT *, min(rank) OVER (PARTITION BY venue_id, report_slug, day) AS first_rank FROM told) GROUP BY venue_id, report_slug, day ORDER BY venue_id, report_slug, day`,
});
