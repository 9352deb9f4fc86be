import {issueColumns, rawColumns, wordColumns} from "@open-cattle/usda-reports";
import {model} from "../../../lib/models/model.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {castsOf, namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {priceRowColumns} from "../../../schemas/vocabulary/price-row.ts";
import {raw_files, raw_issues, raw_rows, raw_words} from "../staging/staged-models.ts";
import {checked_rows} from "./checked-rows.ts";
import {found_issues} from "./issue-map.ts";
import {issue_versions} from "./issue-versions.ts";
import {known_words} from "./word-map.ts";

/** SQL: the sale date; null for a sale of several days. */
export const saleDateSql =
  "CASE WHEN v.report_begin_date = v.report_end_date THEN v.report_end_date END AS sale_date";

/** SQL: terms that a video or direct report states. They hold for feeder cattle only, and the slide only for beef cattle. */
export const termsSql = ["shrink", "slide"].map((term) => {
  const beef =
    term === "slide"
      ? " AND class NOT LIKE 'dairy%' AND NOT list_contains(lot_descriptors, 'beef_cross')"
      : "";
  // Few issues state terms, so the cheap null test comes first.
  return `CASE WHEN ${term} IS NOT NULL AND report_scope IN ('video_internet', 'direct') AND commodity = 'feeder_cattle'${beef} THEN ${term} END AS ${term}`;
});

type PriceRowTable = "price_rows" | "price_rows_superseded";

/**
 * SQL: the accepted rows of current or of superseded issue versions, each joined with its words and its issue, plus the columns
 * `more`. `where` filters the issues `v` inside the join: as an outer filter, every year would read all rows.
 */
export function priceRowsSql(
  table: PriceRowTable,
  {words, issues, more, where}: {words: string; issues: string; more: readonly string[]; where: string} = {
    words: "known_words",
    issues: "issue_versions",
    more: [],
    where: "true",
  },
): string {
  return `SELECT ${[
    ...more,
    namesOf(priceRowColumns)
      .replace(/\bsale_date\b/, saleDateSql)
      .replace("shrink, slide", termsSql.join(", ")),
  ].join(", ")}
    FROM checked_rows AS c JOIN ${words} AS w USING (words_no) JOIN ${issues} AS v USING (issue_no)
    WHERE c.reject_reason IS NULL AND v.merged_into = v.issue_no AND ${table === "price_rows" ? "v.current" : "NOT v.current"} AND ${where}`;
}

/**
 * The accepted rows of current issues: a view, because joining the few words and issues is cheaper than storing them per row.
 */
export const price_rows = model({
  name: "price_rows",
  reads: [checked_rows, known_words, issue_versions],
  columns: priceRowColumns,
  materialise: "view",
  sql: () => priceRowsSql("price_rows"),
});

/** The accepted rows of superseded issue versions. */
export const price_rows_superseded = model({
  name: "price_rows_superseded",
  reads: [checked_rows, known_words, issue_versions],
  columns: priceRowColumns,
  materialise: "view",
  sql: () => priceRowsSql("price_rows_superseded"),
});

const aliases = new Map<string, string>([
  ...issueColumns.map((name) => [name, "i"] as const),
  ...wordColumns.map((name) => [name, "w"] as const),
]);
const published = rawColumns.map((name) => `${name} := ${aliases.get(name) ?? "r"}.${name}`);

/** The rejected price rows, each with its reason and its published values. */
export const row_rejects = model({
  name: "row_rejects",
  reads: [checked_rows, raw_rows, raw_files, raw_words, raw_issues, found_issues, issue_versions],
  columns: quarantineColumns,
  materialise: "table",
  sql: () => `SELECT ${castsOf(quarantineColumns)} FROM (
    SELECT f.path AS source_path, coalesce(v.issue_id, n.report_slug || '@' || n.report_end_date) AS issue_id, c.row_ordinal, c.reject_reason,
      c.reject_detail AS detail, json_merge_patch('{}', to_json(struct_pack(${published.join(", ")})))::VARCHAR AS raw
    FROM checked_rows AS c JOIN raw_rows AS r USING (row_no) JOIN raw_files AS f ON f.file_no = c.file_no
    JOIN raw_words AS w USING (word_key) JOIN raw_issues AS i USING (issue_key)
    JOIN found_issues AS n USING (issue_no) LEFT JOIN issue_versions AS v USING (issue_no)
    WHERE c.reject_reason IS NOT NULL AND (v.merged_into IS NULL OR v.merged_into = v.issue_no)
    ORDER BY f.path, c.row_no)`,
});
