import {BIGINT, BOOLEAN, DATE, INTEGER, TIMESTAMP, VARCHAR} from "@duckdb/node-api";
import {addDays, weekdayOf} from "../../../lib/dates.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type IssueTexts, issueColumns} from "../staging.ts";
import {dateFrom, publishedTime} from "../words/published-date.ts";
import {reportPeriod} from "../words/report-title.ts";
import {fillMap, refuseSharedKeys} from "./map-table.ts";
import {
  identityColumns,
  issueStatusOf,
  type PublishedIdentity,
  type ReportIdentity,
  type ReportKnowledge,
  reportIdentity,
} from "./report-identity.ts";

/** The texts of an issue; one that only has a header has no key and no rows. */
type IssueGroup = IssueTexts & {
  issue_key: bigint | null;
  file_no: number;
  first_row: number | null;
  rows_read: number;
};

/**
 * Makes `found_issues`: report, period, status, venue and scope of each issue that a file holds, by `issue_no`; issues that
 * have a header but no rows are among them. Issues that end after `asOf` are marked, and kept back by what follows.
 * `issue_keys` gives the issue of each combination in the staging rows: rows of
 * one issue may differ in what they say of the place.
 */
export async function makeIssueMap(db: Database, knowledge: ReportKnowledge, asOf: string): Promise<void> {
  const identityOf = remembered((published) => reportIdentity(published, knowledge));
  const found = (await db.rows<IssueGroup>(issueGroups)).map((group) => issueOf(group, identityOf, asOf));
  refuseSharedKeys(found.flatMap(({issue_key}) => issue_key ?? []));
  const withRows = new Set(found.filter(({rows_read}) => rows_read > 0).map(saleOf));
  const issues = found.filter((issue) => issue.rows_read > 0 || !withRows.has(saleOf(issue)));
  const together = [...Map.groupBy(issues, versionOf).values()];
  const keys = together
    .values()
    .flatMap((parts, index) =>
      parts.flatMap(({issue_key, published_dates}) =>
        issue_key === null ? [] : [{issue_key, issue_no: index + 1, published_dates}],
      ),
    );
  await fillMap(db, "issue_keys", {issue_key: BIGINT, issue_no: INTEGER, published_dates: VARCHAR}, keys);
  // Made one at a time: 20 years have some hundred thousand issues.
  const values = together.values().map((parts, index) => ({...joined(parts), issue_no: index + 1}));
  await fillMap(db, "found_issues", foundIssueColumns, values);
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

const headerTexts: Readonly<Partial<Record<keyof IssueTexts, string>>> = {
  slug: "slug",
  report_title: "max(report_title)",
  published: "max(published)",
  final_ind: "max(final_ind)",
  report_begin_date: "min(report_begin_date)::VARCHAR",
  report_end_date: "report_end_date::VARCHAR",
};

/** Issues with rows in the order of their first ones, and then those of headers. */
const issueGroups = `
  SELECT issue_key, file_no, first_row::DOUBLE AS first_row, rows_read::INTEGER AS rows_read, ${issueColumns.join(", ")}
  FROM raw_issues JOIN (SELECT issue_key, min(row_no) AS first_row, count(*) AS rows_read FROM raw_rows GROUP BY issue_key) USING (issue_key)
  UNION ALL
  SELECT NULL, file_no, NULL, 0, ${issueColumns.map((name) => headerTexts[name] ?? "NULL").join(", ")}
  FROM raw_headers GROUP BY file_no, slug, report_end_date
  ORDER BY first_row, file_no, slug, report_end_date`;

const foundIssueColumns = {
  issue_no: INTEGER,
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
} as const;

type Issue = Omit<Record<keyof typeof foundIssueColumns, unknown>, "issue_no" | "first_row" | "rows_read"> &
  Pick<IssueGroup, "issue_key" | "first_row" | "rows_read"> & {published_dates: string};

function issueOf(
  said: IssueGroup,
  identityOf: (published: PublishedIdentity) => ReportIdentity,
  asOf: string,
): Issue {
  const identity = identityOf(said);
  const period = reportPeriod({...said, report_title: identity.report_title});
  const published = publishedTime(said.published);
  const dates = [said.report_date, said.report_begin_date, said.report_end_date];
  return {
    issue_key: said.issue_key,
    file_no: said.file_no,
    first_row: said.first_row,
    rows_read: said.rows_read,
    ...identity,
    // Auction reports are voluntary; mandatory reports come through a feed of their own (`docs/design/market.md` section
    // 11).
    report_program: "voluntary",
    issue_status: issueStatusOf(said.final_ind),
    report_begin_date: period?.begin ?? null,
    report_end_date: period?.end ?? null,
    sale_key_date: period === null ? null : saleKeyDate(period.end, identity),
    published_at_source: said.published,
    issue_published_at: published === null ? null : new Date(`${published}Z`),
    vintage: dateFrom(said.vintage),
    // The one place that decides it: everything that is made from rows and issues has nothing later than this date.
    after_as_of: period !== null && period.end > asOf,
    published_dates: dates.filter((date) => date !== null).join(" "),
  };
}

/** The date by which versions of a sale meet: its last day; for summaries, which feeds date differently, the Saturday. */
function saleKeyDate(end: string, {report_scope}: ReportIdentity): string {
  return report_scope.endsWith("_summary") ? addDays(end, 6 - weekdayOf(end)) : end;
}

/** The identity by what is published of it, worked out once. */
function remembered(
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
