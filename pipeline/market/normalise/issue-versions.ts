import {model, value} from "../../../lib/models/model.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {MarketStageResult} from "../../../schemas/part-file.ts";
import {reportIssueColumns} from "../../../schemas/report-issue.ts";
import {castsOf} from "../../../schemas/vocabulary/market-column.ts";
import {raw_files, raw_headers} from "../staging/staged-models.ts";
import {checked_rows, issue_parts} from "./checked-rows.ts";
import {found_issues} from "./issue-map.ts";
import {reissued_issues} from "./reissued-issues.ts";

/** True if a version with less than half of the rows or head of its predecessor may replace it. */
export const acceptShrunk = value<boolean>("accept issues that shrank");

/** SQL: true if a version has less than half of the rows or of the head of the version that it would replace. */
const shrank = "older.rows > 2 * newer.rows OR older.head > 2 * newer.head";

/** An issue with rows whose number has several issues on that day. */
type Issue = {
  readonly issue_no: number;
  readonly sale: string;
  readonly town: string | null;
  readonly commodities: readonly string[];
  /** Head, weight and price of each accepted row, as one text. */
  readonly rows: readonly string[];
};

/** SQL: auction issues whose number has several issues on one day that differ in town or commodities. */
const candidates = `WITH parts AS (
    SELECT issue_no, list_sort(list(commodity)) AS commodities FROM issue_parts WHERE rows_accepted > 0 GROUP BY issue_no
  ), unlike AS (
    SELECT issue_no, report_slug || '@' || report_end_date AS sale, town, commodities, issue_published_at
    FROM found_issues JOIN parts USING (issue_no)
    WHERE report_slug IS NOT NULL AND report_end_date IS NOT NULL AND report_scope = 'venue' AND NOT after_as_of
    QUALIFY min(town) OVER (PARTITION BY sale) <> max(town) OVER (PARTITION BY sale)
      OR min(commodities) OVER (PARTITION BY sale) <> max(commodities) OVER (PARTITION BY sale)
  )
  SELECT u.issue_no, sale, any_value(town) AS town, any_value(commodities) AS commodities,
    list(DISTINCT concat_ws(' ', head_count, avg_weight_lb, price_avg)) AS rows
  FROM unlike AS u JOIN checked_rows AS c ON c.issue_no = u.issue_no AND c.reject_reason IS NULL
  GROUP BY u.issue_no, sale ORDER BY sale, min(issue_published_at) NULLS LAST, town NULLS LAST, u.issue_no`;

/**
 * Where several auction reports share one number and day, the part of the sale that each later report covers, by town or
 * commodities. The report published first, and every other issue, has no part. Versions of one report get the same part
 * (`docs/design/market.md` section 2).
 */
const sale_parts = model({
  name: "sale_parts",
  reads: [issue_parts, found_issues, checked_rows],
  columns: {INTEGER: "issue_no", VARCHAR: "sale_part"},
  rows: async ({db}) => {
    const issues = await db.rows<Issue>(candidates);
    return [...Map.groupBy(issues, ({sale}) => sale).values()].flatMap(partsOfSale);
  },
});

/**
 * Every version of every issue, ranked. Issues are replaced as a whole (`docs/design/market.md` section 2). Equal
 * content of one issue in several files is one version (`merged_into`), first read at `ingested_at` and last confirmed at
 * `last_verified_at`. The versions of a sale are ranked: one with rows first (an empty answer deletes nothing), then `final`
 * status, then the latest publication, or fetch if the source states none. Unless `acceptShrunk`, a version with less than half
 * of the rows or head of its predecessor does not replace it (`issue-shrank`). Two different reports under one number and day
 * do not replace each other. An issue under a second date or number is a version of the sale that stands. Issues that end after the as-of
 * date are excluded.
 */
export const issue_versions = model({
  name: "issue_versions",
  reads: [issue_parts, raw_headers, found_issues, raw_files, sale_parts, reissued_issues],
  columns: {
    INTEGER:
      "issue_no file_no rows_read rows_accepted duplicate_rows_dropped head_accepted merged_into issue_version",
    BIGINT: "first_row",
    VARCHAR:
      "report_slug report_title report_scope report_program issue_status published_at_source venue_id venue_name city state town special_sale_name shrink slide source_id source_path issue_id sale_part sale_slug content superseded_by system",
    DATE: "report_begin_date report_end_date sale_key_date vintage",
    TIMESTAMP: "issue_published_at fetched_at verified_at ingested_at last_verified_at",
    BOOLEAN: "after_as_of registered is_correction current",
  },
  sql: async (_, run) => {
    const isKept = (await run.value(acceptShrunk)) ? "false" : shrank;
    return `
    WITH content AS (
      SELECT issue_no, sum(rows_accepted)::INTEGER AS rows_accepted, sum(duplicate_rows)::INTEGER AS duplicate_rows_dropped,
        sum(rows_cattle) AS rows_cattle, sum(head)::INTEGER AS head_accepted, sum(content)::VARCHAR AS content
      FROM issue_parts GROUP BY issue_no
    ), headers AS (
      SELECT file_no, slug, report_end_date, bool_or(is_correction) AS is_correction, max(shrink) AS shrink, max(slide) AS slide, md5(string_agg(to_json(h)::VARCHAR, '' ORDER BY to_json(h)::VARCHAR)) AS header_content
      FROM raw_headers AS h GROUP BY ALL
    ), found AS (
      SELECT i.* REPLACE (coalesce(stands_key_date, sale_key_date) AS sale_key_date), coalesce(stands_slug, i.report_slug) AS sale_slug,
        coalesce(c.rows_accepted, 0) AS rows_accepted, coalesce(c.duplicate_rows_dropped, 0) AS duplicate_rows_dropped,
        coalesce(c.head_accepted, 0) AS head_accepted,
        coalesce(h.is_correction, false) AS is_correction, h.shrink, h.slide, f.source_id, f.path AS source_path,
        concat_ws('@', i.report_slug, i.report_end_date, p.sale_part) AS issue_id, coalesce(p.sale_part, '') AS sale_part,
        coalesce(i.vintage::TIMESTAMP, f.retrieved_at) AS fetched_at, coalesce(f.verified_at, f.retrieved_at) AS verified_at,
        concat_ws('|', i.issue_status, i.published_at_source, i.report_begin_date, i.report_end_date, c.content, i.rows_read,
          CASE WHEN c.content IS NULL THEN h.header_content END) AS content
      FROM found_issues AS i JOIN raw_files AS f USING (file_no) LEFT JOIN content AS c USING (issue_no) LEFT JOIN sale_parts AS p USING (issue_no) LEFT JOIN reissued_issues USING (issue_no)
      LEFT JOIN headers AS h ON h.file_no = i.file_no AND h.slug = i.report_slug AND h.report_end_date = i.report_end_date
      WHERE i.report_slug IS NOT NULL AND i.report_end_date IS NOT NULL AND NOT i.after_as_of AND coalesce(c.rows_cattle, 1) > 0
    ), merged AS (
      SELECT *, first_value(issue_no) OVER same AS merged_into, min(fetched_at) OVER same AS ingested_at,
        greatest(max(fetched_at) OVER same, max(verified_at) OVER same) AS last_verified_at
      FROM found
      WINDOW same AS (PARTITION BY report_program, report_slug, sale_key_date, sale_part, content ORDER BY fetched_at, file_no, first_row
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ), ranked AS (
      SELECT issue_no, report_program, sale_slug, sale_key_date, sale_part, rows_accepted, head_accepted, row_number() OVER (
        PARTITION BY report_program, sale_slug, sale_key_date, sale_part
        ORDER BY rows_accepted > 0, issue_status = 'final', issue_status <> 'preliminary',
          coalesce(issue_published_at, last_verified_at), is_correction, last_verified_at, file_no, first_row)::INTEGER AS issue_version
      FROM merged WHERE merged_into = issue_no
    ), chosen AS (
      SELECT report_program, sale_slug, sale_key_date, sale_part, list_reduce(
        list_sort(list({'version': issue_version, 'no': issue_no, 'rows': rows_accepted, 'head': head_accepted})),
        (older, newer) -> CASE WHEN ${isKept} THEN older ELSE newer END).no AS current_no
      FROM ranked GROUP BY ALL
    )
    SELECT m.*, r.issue_version, coalesce(issue_no = current_no, false) AS current,
      max(CASE WHEN issue_no = current_no THEN m.issue_id END) OVER (PARTITION BY report_program, sale_slug, sale_key_date, sale_part) AS superseded_by,
      'mymarketnews' AS system
    FROM merged AS m LEFT JOIN (SELECT issue_no, issue_version FROM ranked) AS r USING (issue_no)
    LEFT JOIN chosen USING (report_program, sale_slug, sale_key_date, sale_part)`;
  },
});

/** The issue versions that were read, without those of equal content. */
export const report_issues = model({
  name: "report_issues",
  reads: [issue_versions],
  columns: reportIssueColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(reportIssueColumns)} FROM issue_versions WHERE merged_into = issue_no
    ORDER BY report_slug, report_end_date, issue_version`,
});

/** The newest title of each report. */
export const report_titles = model({
  name: "report_titles",
  reads: [report_issues],
  columns: {VARCHAR: "titled_slug report_title_printed"},
  sql: () => `SELECT report_slug AS titled_slug, arg_max(report_title, (report_end_date, issue_version)) AS report_title_printed
    FROM report_issues WHERE report_title IS NOT NULL GROUP BY report_slug`,
});

/**
 * Versions with at least a fifth fewer rows or head than the version before, ordered by issue: those that replaced a longer
 * one, and those newer than the current version that did not replace it. `loss` is the missing share of rows or head, whichever
 * is larger.
 */
export async function readShrunkIssues(db: Database): Promise<Required<MarketStageResult>["shrunk"]> {
  return db.rows(`
    WITH pairs AS (
      SELECT n.issue_id AS issue, n.source_path AS path, n.current AS replaced,
        greatest(1 - n.rows_accepted / nullif(o.rows_accepted, 0), 1 - n.head_accepted / nullif(o.head_accepted, 0), 0)::DOUBLE AS loss
      FROM issue_versions AS n JOIN issue_versions AS o USING (report_program, sale_slug, sale_key_date, sale_part)
      WHERE n.merged_into = n.issue_no AND o.merged_into = o.issue_no AND n.rows_read > 0
        AND CASE WHEN n.current THEN o.issue_version = n.issue_version - 1 ELSE o.current AND n.issue_version > o.issue_version END
    )
    SELECT * FROM pairs WHERE loss > 0.2 ORDER BY issue, path`);
}

function partsOfSale(issues: readonly Issue[]): {issue_no: number; sale_part: string}[] {
  const [first, ...others] = groupByReport(issues);
  const taken = new Set<string>();
  return others.flatMap((report) => {
    const towns = new Set(first!.map(({town}) => town));
    const [town] = report.flatMap((issue) => (towns.has(issue.town) ? [] : (issue.town ?? [])));
    let part = town ?? [...new Set(report.flatMap(({commodities}) => commodities))].sort().join("-");
    while (taken.has(part)) part += "-2";
    taken.add(part);
    return report.map(({issue_no}) => ({issue_no, sale_part: part}));
  });
}

/** Groups the issues of one sale by report: the transitive closure of `mayBeVersions`. */
function groupByReport(issues: readonly Issue[]): Issue[][] {
  return issues.reduce<Issue[][]>((reports, issue) => {
    const [same, others] = [true, false].map((wanted) =>
      reports.filter((report) => report.some((other) => mayBeVersions(issue, other)) === wanted),
    );
    const joined = [...same!.flat(), issue];
    // The report of the earliest issue must stay first.
    return same!.includes(reports[0]!) || reports.length === 0 ? [joined, ...others!] : [...others!, joined];
  }, []);
}

/** False if the issues differ in town or share no commodity, unless they have a row in common. */
function mayBeVersions(a: Issue, b: Issue): boolean {
  const share = (one: readonly string[], other: readonly string[]) => {
    const known = new Set(one);
    return other.some((each) => known.has(each));
  };
  const twoTowns = a.town !== null && b.town !== null && a.town !== b.town;
  return (!twoTowns && share(a.commodities, b.commodities)) || share(a.rows, b.rows);
}
