import {addDays, weekdayOf} from "../../../lib/dates.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {dateFrom, publishedTime} from "../words/published-date.ts";
import {reportPeriod} from "../words/report-period.ts";
import {issueColumns, issueKey, refuseSharedKeys} from "./keys.ts";
import {createMapTable} from "./map-table.ts";
import {
  issueStatusOf,
  type PublishedIdentity,
  type ReportIdentity,
  type ReportKnowledge,
  reportIdentity,
} from "./report-identity.ts";

type IssueGroup = PublishedIdentity & {
  issue_key: string;
  file_no: number;
  published: string | null;
  final_ind: string | null;
  report_date: string | null;
  report_begin_date: string | null;
  report_end_date: string | null;
  vintage: string | null;
  first_row: number | null;
  rows_read: number;
};

/**
 * Makes `found_issues`: report, period, status, venue and scope of each issue that a file holds, by `issue_no`; issues that
 * have a header but no rows are among them. Issues that end after `asOf` are marked, and kept back by what follows.
 * `issue_keys` gives the issue of each combination in the staging rows: rows of
 * one issue may differ in what they say of the place.
 */
export async function makeIssueMap(
  db: Database,
  knowledge: ReportKnowledge,
  {asOf, tempDir}: {asOf: string; tempDir: string},
): Promise<void> {
  const identityOf = remembered((published) => reportIdentity(published, knowledge));
  const rows = (await db.rows<IssueGroup>(rowIssues)).map((group) => issueOf(group, identityOf(group), asOf));
  const withRows = new Set(rows.map(saleOf));
  const headers = (await db.rows<IssueGroup>(headerIssues)).map((group) =>
    issueOf(group, identityOf(group), asOf),
  );
  const issues = [...rows, ...headers.filter((issue) => !withRows.has(saleOf(issue)))];
  refuseSharedKeys(issues.map((issue) => issue.issue_key));
  const together = [...Map.groupBy(issues, versionOf).values()];
  const keys = together.flatMap((parts, index) =>
    parts.map(({issue_key}) => ({issue_key, issue_no: index + 1})),
  );
  const values = together.map((parts, index) => ({...joined(parts), issue_no: index + 1}));
  await createMapTable(db, "issue_keys", {
    columns: {issue_key: "UBIGINT", issue_no: "INTEGER"},
    values: keys,
    tempDir,
  });
  await createMapTable(db, "found_issues", {columns: foundIssueColumns, values, tempDir});
}

/** Key of one version of one issue: rows of a file that share it belong together. */
function versionOf(issue: Issue): string {
  return JSON.stringify(versionColumns.map((column) => issue[column]));
}

const versionColumns = [
  "file_no",
  "report_slug",
  "report_begin_date",
  "report_end_date",
  "issue_status",
  "published_at_source",
  "vintage",
] as const satisfies readonly (keyof Issue)[];

/** Parts of one issue together: the place is that of the part with the most rows, of equal ones the first. */
function joined(parts: readonly Issue[]): Omit<Issue, "issue_key"> {
  const {issue_key: _, ...largest} = parts.reduce((best, part) =>
    part.rows_read > best.rows_read ? part : best,
  );
  const firstRows = parts.flatMap(({first_row}) => (first_row === null ? [] : [first_row]));
  return {
    ...largest,
    first_row: firstRows.length === 0 ? null : Math.min(...firstRows),
    rows_read: parts.reduce((sum, part) => sum + part.rows_read, 0),
  };
}

/** A header belongs to the rows of its file with the same report and end; without any it is an issue of its own. */
function saleOf({file_no, report_slug, report_end_date}: Issue): string {
  return `${file_no} ${report_slug} ${report_end_date}`;
}

const rowIssues = `SELECT ${issueKey}::VARCHAR AS issue_key, file_no,
    ${issueColumns.join(", ")},
    min(rowid)::DOUBLE AS first_row, count(*)::DOUBLE AS rows_read
  FROM raw_rows GROUP BY ALL ORDER BY first_row`;

const headerIssues = `SELECT hash(file_no, slug, report_end_date, 'header')::VARCHAR AS issue_key, file_no, slug,
    max(report_title) AS report_title, NULL AS market_type, NULL AS location_name,
    NULL AS location_city, NULL AS location_state, max(published) AS published, max(final_ind) AS final_ind,
    NULL AS report_date, min(report_begin_date)::VARCHAR AS report_begin_date, report_end_date::VARCHAR AS report_end_date,
    NULL AS vintage, NULL AS first_row, 0::DOUBLE AS rows_read
  FROM raw_headers GROUP BY file_no, slug, raw_headers.report_end_date
  ORDER BY file_no, slug, raw_headers.report_end_date`;

const foundIssueColumns = {
  issue_no: "INTEGER",
  file_no: "INTEGER",
  first_row: "BIGINT",
  rows_read: "INTEGER",
  report_slug: "VARCHAR",
  report_title: "VARCHAR",
  report_scope: "VARCHAR",
  report_program: "VARCHAR",
  issue_status: "VARCHAR",
  report_begin_date: "DATE",
  report_end_date: "DATE",
  sale_key_date: "DATE",
  published_at_source: "VARCHAR",
  issue_published_at: "TIMESTAMP",
  vintage: "DATE",
  after_as_of: "BOOLEAN",
  venue_id: "VARCHAR",
  venue_name: "VARCHAR",
  city: "VARCHAR",
  state: "VARCHAR",
  special_sale_name: "VARCHAR",
  registered: "BOOLEAN",
} as const;

type Issue = Omit<Record<keyof typeof foundIssueColumns, unknown>, "issue_no" | "first_row" | "rows_read"> & {
  issue_key: string;
  first_row: number | null;
  rows_read: number;
};

function issueOf(group: IssueGroup, identity: ReportIdentity, asOf: string): Issue {
  const period = reportPeriod({
    report_title: identity.report_title,
    market_type: group.market_type,
    report_date: group.report_date,
    report_begin_date: group.report_begin_date,
    report_end_date: group.report_end_date,
  });
  return {
    issue_key: group.issue_key,
    file_no: group.file_no,
    first_row: group.first_row,
    rows_read: group.rows_read,
    ...identity,
    // Auction reports are voluntary; mandatory reports come through a feed of their own (`docs/design/market.md` section
    // 11).
    report_program: "voluntary",
    issue_status: issueStatusOf(group.final_ind),
    report_begin_date: period?.begin ?? null,
    report_end_date: period?.end ?? null,
    sale_key_date: period === null ? null : saleKeyDate(period.end, identity),
    published_at_source: group.published,
    issue_published_at: publishedTime(group.published),
    vintage: dateFrom(group.vintage),
    // The one place that decides it: everything that is made from rows and issues has nothing later than this date.
    after_as_of: period !== null && period.end > asOf,
  };
}

/** The date by which versions of a sale meet: its last day; for summaries, which feeds date differently, the Saturday. */
function saleKeyDate(end: string, {report_scope}: ReportIdentity): string {
  return report_scope.endsWith("_summary") ? addDays(end, 6 - weekdayOf(end)) : end;
}

function remembered(
  make: (published: PublishedIdentity) => ReportIdentity,
): (published: PublishedIdentity) => ReportIdentity {
  const known = new Map<string, ReportIdentity>();
  return (published) => {
    const {slug, report_title, market_type, location_name, location_city, location_state} = published;
    const key = JSON.stringify([
      slug,
      report_title,
      market_type,
      location_name,
      location_city,
      location_state,
    ]);
    const identity = known.get(key) ?? make(published);
    known.set(key, identity);
    return identity;
  };
}
