import {INTEGER, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {fillMap} from "./map-table.ts";

/** An issue with rows, among others of its number and day. */
type Issue = {
  readonly issue_no: number;
  readonly sale: string;
  readonly town: string | null;
  readonly commodities: readonly string[];
  /** Head, weight and price of each accepted row, as one text. */
  readonly rows: readonly string[];
};

/** SQL: the issues of auctions of which one number has several on one day, from other towns or of other commodities. */
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
 * Makes `sale_parts`: for a number under which several reports of auctions came for one day, the part of the sale that an issue tells of,
 * in words of its town or commodities; the report that was published first, and all other issues, have none. Versions of one
 * report meet in one part (`docs/design/market.md` section 2).
 */
export async function makeSaleParts(db: Database): Promise<void> {
  const issues = await db.rows<Issue>(candidates);
  const parts = [...Map.groupBy(issues, ({sale}) => sale).values()].flatMap(partsOfSale);
  await fillMap(db, "sale_parts", {issue_no: INTEGER, sale_part: VARCHAR}, parts);
}

function partsOfSale(issues: readonly Issue[]): {issue_no: number; sale_part: string}[] {
  const [first, ...others] = reportsAmong(issues);
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

/** The issues of one sale by report: two are of one where they may be versions of each other or of a third. */
function reportsAmong(issues: readonly Issue[]): Issue[][] {
  return issues.reduce<Issue[][]>((reports, issue) => {
    const [same, others] = [true, false].map((wanted) =>
      reports.filter((report) => report.some((other) => mayBeVersions(issue, other)) === wanted),
    );
    const joined = [...same!.flat(), issue];
    // The report of the earliest issue stays the first.
    return same!.includes(reports[0]!) || reports.length === 0 ? [joined, ...others!] : [...others!, joined];
  }, []);
}

/** False for issues of two towns, or of commodities of which none is in both, unless they have a row in common. */
function mayBeVersions(a: Issue, b: Issue): boolean {
  const share = (one: readonly string[], other: readonly string[]) => {
    const known = new Set(one);
    return other.some((each) => known.has(each));
  };
  const twoTowns = a.town !== null && b.town !== null && a.town !== b.town;
  return (!twoTowns && share(a.commodities, b.commodities)) || share(a.rows, b.rows);
}
