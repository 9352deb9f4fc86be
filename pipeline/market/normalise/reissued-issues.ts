import {model} from "../../../lib/models/model.ts";
import {raw_headers} from "../staging/staged-models.ts";
import {found_issues} from "./issue-map.ts";
import {measured_rows} from "./measured-rows.ts";

/** Days between the dates of two issues that may be one sale. */
const daysApart = 3;

/** Fewer rows than this may be equal by chance, so that the receipts must be equal too. */
const rowsThatTell = 3;

/**
 * Issues that are another issue under a second date or number (`docs/design/market.md` section 2): all rows are equal, and either the report
 * number is the same and the dates are at most three days apart, or the venue and the day are. The issue that was published later stands,
 * or else the later date; of two numbers the one whose title names the cattle.
 */
export const reissued_issues = model({
  name: "reissued_issues",
  reads: [found_issues, measured_rows, raw_headers],
  columns: {INTEGER: "issue_no stands_no", VARCHAR: "stands_slug detail", DATE: "stands_key_date"},
  sql: () => `
    WITH contents AS (
      SELECT issue_no, sum(value_hash) AS content, count(*) AS row_count, list_sort(list(DISTINCT receipts))::VARCHAR AS row_receipts
      FROM measured_rows GROUP BY issue_no
    ), headers AS (
      SELECT file_no, slug, report_end_date, any_value(receipts)::VARCHAR AS receipts FROM raw_headers GROUP BY ALL
    ), issues AS (
      SELECT i.issue_no, i.report_program, report_slug, i.report_end_date, sale_key_date, venue_id, town, state, issue_published_at, content, row_count,
        concat_ws(' ', nullif(row_receipts, '[NULL]'), h.receipts) AS receipts, coalesce(regexp_matches(report_title, '(?i)feeder|slaughter|replacement|cow'), false) AS is_named
      FROM found_issues AS i JOIN contents USING (issue_no)
      LEFT JOIN headers AS h ON h.file_no = i.file_no AND h.slug = i.report_slug AND h.report_end_date = i.report_end_date
      WHERE report_slug IS NOT NULL AND i.report_end_date IS NOT NULL AND NOT after_as_of
    )
    SELECT i.issue_no, s.issue_no AS stands_no, s.report_slug AS stands_slug, 'all rows are those of ' || s.report_slug || '@' || s.report_end_date AS detail,
      s.sale_key_date AS stands_key_date
    FROM issues AS i JOIN issues AS s USING (report_program, content, row_count)
    WHERE (row_count >= ${rowsThatTell} OR i.receipts <> '' AND i.receipts = s.receipts) AND CASE
      WHEN i.report_slug = s.report_slug THEN abs(s.report_end_date - i.report_end_date) BETWEEN 1 AND ${daysApart}
        AND (coalesce(s.issue_published_at, s.report_end_date), s.report_end_date) > (coalesce(i.issue_published_at, i.report_end_date), i.report_end_date)
      ELSE (i.venue_id = s.venue_id OR i.town = s.town AND i.state = s.state) AND i.report_end_date = s.report_end_date AND (s.is_named, i.report_slug) > (i.is_named, s.report_slug) END
    QUALIFY row_number() OVER (PARTITION BY i.issue_no ORDER BY s.report_end_date DESC, s.issue_no) = 1`,
});
