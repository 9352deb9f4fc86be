import type {Database} from "../../../lib/sql/duckdb.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {priceRowColumns} from "../../../schemas/vocabulary/price-row.ts";
import {issueColumns, rawColumns, wordColumns} from "../staging/stage-tables.ts";

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
 * Makes `price_rows` and `price_rows_superseded` as views, because joining the few words and issues is cheaper than storing
 * them per row.
 */
export async function makePriceRows(db: Database): Promise<void> {
  for (const table of ["price_rows", "price_rows_superseded"] as const) {
    await db.run(`DROP TABLE ${table}; CREATE OR REPLACE TEMP VIEW ${table} AS ${priceRowsSql(table)}`);
  }
}

/** Fills `quarantine` with the rejected rows, each with its reason and its published values. */
export async function fillQuarantine(db: Database): Promise<void> {
  const aliases = new Map<string, string>([
    ...issueColumns.map((name) => [name, "i"] as const),
    ...wordColumns.map((name) => [name, "w"] as const),
  ]);
  const raw = rawColumns.map((name) => `${name} := ${aliases.get(name) ?? "r"}.${name}`);
  await db.run(`INSERT INTO quarantine
    SELECT f.path, coalesce(v.issue_id, n.report_slug || '@' || n.report_end_date), c.row_ordinal, c.reject_reason,
      c.reject_detail, json_merge_patch('{}', to_json(struct_pack(${raw.join(", ")})))::VARCHAR
    FROM checked_rows AS c JOIN raw_rows AS r USING (row_no) JOIN raw_files AS f ON f.file_no = c.file_no
    JOIN raw_words AS w USING (word_key) JOIN raw_issues AS i USING (issue_key)
    JOIN found_issues AS n USING (issue_no) LEFT JOIN issue_versions AS v USING (issue_no)
    WHERE c.reject_reason IS NOT NULL AND (v.merged_into IS NULL OR v.merged_into = v.issue_no)
    ORDER BY f.path, c.row_no`);
}
