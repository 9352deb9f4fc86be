import {BIGINT, BOOLEAN, DATE, INTEGER, TIMESTAMP, VARCHAR} from "@duckdb/node-api";
import {addDays, weekdayOf} from "../../../lib/dates.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {fillMap, refuseCollisions} from "../staging/map-table.ts";
import {type IssueTexts, issueColumns} from "../staging/stage-tables.ts";
import {dateFrom, publishedTime} from "../words/published-date.ts";
import {reportPeriod} from "../words/report-title.ts";
import {
  identityColumns,
  issueStatusOf,
  type PublishedIdentity,
  type ReportIdentity,
  type ReportKnowledge,
  reportIdentity,
} from "./report-identity.ts";

/** The texts of an issue. An issue that has a header but no rows has no key. */
type IssueGroup = IssueTexts & {
  issue_key: bigint | null;
  file_no: number;
  first_row: number | null;
  rows_read: number;
};

/**
 * Makes `found_issues`, by `issue_no`: report, period, status, venue and scope of each issue in a file, including issues that
 * have a header but no rows. Issues that end after `asOf` are marked in `after_as_of`, and later stages exclude them. Makes
 * `issue_keys`, which maps each staged issue key to its issue: rows of one issue may state its place differently.
 */
export async function makeIssueMap(db: Database, knowledge: ReportKnowledge, asOf: string): Promise<void> {
  await fillMap(db, "read_issues", readIssueColumns, readIssues(db, knowledge, asOf));
  await refuseCollisions(db, "read_issues", "issue_key");
  await db.run(`DROP TABLE IF EXISTS issue_keys; DROP TABLE IF EXISTS found_issues;
    CREATE TEMP TABLE numbered_issues AS
      SELECT * EXCLUDE (first_part), dense_rank() OVER (ORDER BY first_part)::INTEGER AS issue_no FROM (
        SELECT *, rowid AS part, min(rowid) OVER (PARTITION BY ${versionColumns}) AS first_part FROM read_issues AS i
        WHERE rows_read > 0 OR NOT EXISTS (${rowsOfHeader}));
    CREATE TABLE issue_keys AS SELECT issue_key, issue_no, published_dates FROM numbered_issues WHERE issue_key IS NOT NULL;
    CREATE TABLE found_issues AS
      SELECT * EXCLUDE (issue_key, published_dates, part)
        REPLACE (min(first_row) OVER issue AS first_row, (sum(rows_read) OVER issue)::INTEGER AS rows_read)
      FROM numbered_issues AS n
      WINDOW issue AS (PARTITION BY issue_no)
      QUALIFY row_number() OVER (PARTITION BY issue_no ORDER BY n.rows_read DESC, part) = 1
      ORDER BY issue_no;
    DROP TABLE numbered_issues; DROP TABLE read_issues`);
}

/**
 * SQL: columns that identify one version of an issue within a file. The part with the most rows decides the version's place; on
 * a tie, the first part.
 */
const versionColumns =
  "file_no, report_slug, report_begin_date, report_end_date, issue_status, published_at_source, vintage";

/** SQL: the rows to which header `i` belongs: same file, report and end date. A header without any is an issue of its own. */
const rowsOfHeader = `SELECT 1 FROM read_issues AS r WHERE r.rows_read > 0 AND r.file_no = i.file_no
  AND r.report_slug IS NOT DISTINCT FROM i.report_slug AND r.report_end_date IS NOT DISTINCT FROM i.report_end_date`;

/** The parts of issues, streamed one at a time: 20 years have several hundred thousand. */
async function* readIssues(
  db: Database,
  knowledge: ReportKnowledge,
  asOf: string,
): AsyncGenerator<ReadIssue> {
  const identityOf = memoized((published) => reportIdentity(published, knowledge));
  using beside = await db.beside();
  const {names, batches} = await beside.stream(issueGroups);
  for await (const rows of batches)
    for (const values of rows)
      yield readIssue(
        Object.fromEntries(names.map((name, column) => [name, values[column]])) as IssueGroup,
        identityOf,
        asOf,
      );
}

const headerTexts: Readonly<Partial<Record<keyof IssueTexts, string>>> = {
  slug: "slug",
  report_title: "max(report_title)",
  published: "max(published)",
  final_ind: "max(final_ind)",
  report_begin_date: "min(report_begin_date)::VARCHAR",
  report_end_date: "report_end_date::VARCHAR",
};

/** Issues with rows, in order of their first row; then header-only issues. */
const issueGroups = `
  SELECT issue_key, file_no, first_row::DOUBLE AS first_row, rows_read::INTEGER AS rows_read, ${issueColumns.join(", ")}
  FROM raw_issues JOIN (SELECT issue_key, min(row_no) AS first_row, count(*) AS rows_read FROM raw_rows GROUP BY issue_key) USING (issue_key)
  UNION ALL
  SELECT NULL, file_no, NULL, 0, ${issueColumns.map((name) => headerTexts[name] ?? "NULL").join(", ")}
  FROM raw_headers GROUP BY file_no, slug, report_end_date
  ORDER BY first_row, file_no, slug, report_end_date`;

const readIssueColumns = {
  issue_key: BIGINT,
  file_no: INTEGER,
  first_row: BIGINT,
  rows_read: INTEGER,
  report_slug: VARCHAR,
  report_title: VARCHAR,
  report_scope: VARCHAR,
  report_program: VARCHAR,
  issue_status: VARCHAR,
  report_begin_date: DATE,
  report_end_date: DATE,
  sale_key_date: DATE,
  published_at_source: VARCHAR,
  issue_published_at: TIMESTAMP,
  vintage: DATE,
  after_as_of: BOOLEAN,
  venue_id: VARCHAR,
  venue_name: VARCHAR,
  city: VARCHAR,
  state: VARCHAR,
  town: VARCHAR,
  special_sale_name: VARCHAR,
  registered: BOOLEAN,
  published_dates: VARCHAR,
} as const;

type ReadIssue = Record<keyof typeof readIssueColumns, unknown>;

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
