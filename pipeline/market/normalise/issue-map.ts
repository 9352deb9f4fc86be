import {
  dateFrom,
  type IssueTexts,
  issueColumns,
  publishedTime,
  reportPeriod,
} from "@open-cattle/usda-reports";
import {addDays, weekdayOf} from "../../../lib/dates.ts";
import {asOfDate} from "../../../lib/models/build-facts.ts";
import {model, type RowOf, type Run, value} from "../../../lib/models/model.ts";
import {cleanTexts} from "../../../lib/text/clean-text.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import {refuseCollisions} from "../staging/row-keys.ts";
import {raw_headers, raw_issues, raw_rows, report_list} from "../staging/staged-models.ts";
import {
  identityColumns,
  issueStatusOf,
  type PublishedIdentity,
  type ReportIdentity,
  reportIdentity,
} from "./report-identity.ts";

/** The venues of the registry, with those that lists of firms add. */
export const registeredVenues = value<readonly Venue[]>("registered venues");

/** The texts of an issue. An issue that has a header but no rows has no key. */
type IssueGroup = IssueTexts & {
  issue_key: bigint | null;
  file_no: number;
  first_row: number | null;
  rows_read: number;
};

const issueFacts = {
  INTEGER: "file_no rows_read issue_no",
  BIGINT: "first_row",
  VARCHAR:
    "report_slug report_title report_scope report_program issue_status published_at_source venue_id venue_name city state town special_sale_name",
  DATE: "report_begin_date report_end_date sale_key_date vintage",
  TIMESTAMP: "issue_published_at",
  BOOLEAN: "after_as_of registered",
} as const;

const readIssueColumns = {
  BIGINT: "issue_key first_row",
  INTEGER: "file_no rows_read",
  VARCHAR: `${issueFacts.VARCHAR} published_dates`,
  DATE: issueFacts.DATE,
  TIMESTAMP: issueFacts.TIMESTAMP,
  BOOLEAN: issueFacts.BOOLEAN,
} as const;

const headerTexts: Readonly<Partial<Record<keyof IssueTexts, string>>> = {
  slug: "slug",
  report_title: "max(report_title)",
  published: "max(published)",
  final_ind: "max(final_ind)",
  report_begin_date: "min(report_begin_date)::VARCHAR",
  report_end_date: "report_end_date::VARCHAR",
};

/** The texts of each part of an issue: parts with rows, in order of their first row; then issues that have a header alone. */
const issue_groups = model({
  name: "issue_groups",
  reads: [raw_issues, raw_rows, raw_headers],
  columns: {
    BIGINT: "issue_key",
    INTEGER: "file_no rows_read",
    DOUBLE: "first_row",
    VARCHAR: issueColumns.join(" ") as (typeof issueColumns)[number],
  },
  // A table, which the second connection of `readIssues` sees.
  materialise: "table",
  sql: () => `
    SELECT issue_key, file_no, first_row::DOUBLE AS first_row, rows_read::INTEGER AS rows_read, ${issueColumns.join(", ")}
    FROM raw_issues JOIN (SELECT issue_key, min(row_no) AS first_row, count(*) AS rows_read FROM raw_rows GROUP BY issue_key) USING (issue_key)
    UNION ALL
    SELECT NULL, file_no, NULL, 0, ${issueColumns.map((name) => headerTexts[name] ?? "NULL").join(", ")}
    FROM raw_headers GROUP BY file_no, slug, report_end_date
    ORDER BY first_row, file_no, slug, report_end_date`,
});

/** Each part of an issue as read: rows of one issue may state its place differently. */
const read_issues = model({
  name: "read_issues",
  reads: [issue_groups, report_list],
  columns: readIssueColumns,
  rows: readIssues,
  check: (run) => refuseCollisions(run.db, "read_issues", "issue_key"),
});

/**
 * SQL: columns that identify one version of an issue within a file. The part with the most rows decides the version's place; on
 * a tie, the first part.
 */
const versionColumns =
  "file_no, report_slug, report_begin_date, report_end_date, issue_status, published_at_source, vintage";

/** SQL: the rows to which header `i` belongs: same file, report and end date. A header without any is an issue of its own. */
const rowsOfHeader = `SELECT 1 FROM read_issues AS r WHERE r.rows_read > 0 AND r.file_no = i.file_no
  AND r.report_slug IS NOT DISTINCT FROM i.report_slug AND r.report_end_date IS NOT DISTINCT FROM i.report_end_date`;

/** The parts with the number of their issue. A header whose rows are there is no issue of its own. */
const numbered_issues = model({
  name: "numbered_issues",
  reads: [read_issues],
  columns: {...readIssueColumns, INTEGER: "file_no rows_read issue_no", BIGINT: "issue_key first_row part"},
  sql: () => `SELECT * EXCLUDE (first_part), dense_rank() OVER (ORDER BY first_part)::INTEGER AS issue_no FROM (
      SELECT *, rowid AS part, min(rowid) OVER (PARTITION BY ${versionColumns}) AS first_part FROM read_issues AS i
      WHERE rows_read > 0 OR NOT EXISTS (${rowsOfHeader}))`,
});

/** The issue of each staged issue key. */
export const issue_keys = model({
  name: "issue_keys",
  reads: [numbered_issues],
  columns: {BIGINT: "issue_key", INTEGER: "issue_no", VARCHAR: "published_dates"},
  materialise: "table",
  sql: () => "SELECT issue_key, issue_no, published_dates FROM numbered_issues WHERE issue_key IS NOT NULL",
});

/**
 * Report, period, status, venue and scope of each issue in a file, also of those that have a header but no rows. Issues that end
 * after the as-of date are marked in `after_as_of`, and later models exclude them.
 */
export const found_issues = model({
  name: "found_issues",
  reads: [numbered_issues],
  columns: issueFacts,
  materialise: "table",
  sql: () => `SELECT * EXCLUDE (issue_key, published_dates, part)
      REPLACE (min(first_row) OVER issue AS first_row, (sum(rows_read) OVER issue)::INTEGER AS rows_read)
    FROM numbered_issues AS n
    WINDOW issue AS (PARTITION BY issue_no)
    QUALIFY row_number() OVER (PARTITION BY issue_no ORDER BY n.rows_read DESC, part) = 1
    ORDER BY issue_no`,
});

/** The parts of issues, streamed one at a time: 20 years have several hundred thousand. */
async function* readIssues(run: Run): AsyncGenerator<ReadIssue> {
  const asOf = await run.value(asOfDate);
  const venues = await run.value(registeredVenues);
  const titles = await listedTitles(run);
  const identityOf = memoized((published) => reportIdentity(published, {venues, titles}));
  using beside = await run.db.beside();
  const {names, batches} = await beside.stream("FROM issue_groups");
  for await (const rows of batches)
    for (const values of rows)
      yield readIssue(
        cleanTexts(Object.fromEntries(names.map((name, column) => [name, values[column]])) as IssueGroup),
        identityOf,
        asOf,
      );
}

/** The latest title of each report in the publisher's list. */
async function listedTitles({db}: Run): Promise<Map<string, string>> {
  const listed = await db.rows<{slug: string; title: string}>(
    "SELECT report_slug AS slug, arg_max(report_title, (published_at_source, source_path)) AS title FROM report_list WHERE report_slug IS NOT NULL GROUP BY 1",
  );
  return new Map(listed.map(({slug, title}) => [slug, title]));
}

type ReadIssue = Record<keyof RowOf<typeof readIssueColumns>, unknown>;

function readIssue(
  group: IssueGroup,
  identityOf: (published: PublishedIdentity) => ReportIdentity,
  asOf: string,
): ReadIssue {
  const identity = identityOf(group);
  const period = reportPeriod({...group, report_title: identity.report_title});
  const published = publishedTime(group.published);
  const dates = [group.report_date, group.report_begin_date, group.report_end_date];
  return {
    issue_key: group.issue_key,
    file_no: group.file_no,
    first_row: group.first_row,
    rows_read: group.rows_read,
    ...identity,
    // Auction reports are voluntary; mandatory reports come through their own feed (`docs/design/market.md` section 11).
    report_program: "voluntary",
    issue_status: issueStatusOf(group.final_ind),
    report_begin_date: period?.begin ?? null,
    report_end_date: period?.end ?? null,
    sale_key_date: period === null ? null : saleKeyDate(period.end, identity),
    published_at_source: group.published,
    issue_published_at: published === null ? null : new Date(`${published}Z`),
    vintage: dateFrom(group.vintage),
    // Only this line decides what is too late; everything made from rows and issues excludes it.
    after_as_of: period !== null && period.end > asOf,
    published_dates: dates.filter((date) => date !== null).join(" "),
  };
}

/**
 * The date that groups the versions of a sale: its last day. Feeds date summaries differently, so a summary uses its Saturday.
 */
function saleKeyDate(end: string, {report_scope}: ReportIdentity): string {
  return report_scope.endsWith("_summary") ? addDays(end, 6 - weekdayOf(end)) : end;
}

/** Memoizes `make` by the identity columns. */
function memoized(
  make: (published: PublishedIdentity) => ReportIdentity,
): (published: PublishedIdentity) => ReportIdentity {
  const known = new Map<string, ReportIdentity>();
  return (published) => {
    const key = JSON.stringify(identityColumns.map((name) => published[name]));
    const identity = known.get(key) ?? make(published);
    known.set(key, identity);
    return identity;
  };
}
