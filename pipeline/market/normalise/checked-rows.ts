import {largestLot} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {colliding_rows} from "./cell-rows.ts";
import {measured_rows, measuredColumns} from "./measured-rows.ts";
import {mistaken_rows} from "./mistaken-rows.ts";
import {reissued_issues} from "./reissued-issues.ts";
import {known_words} from "./word-map.ts";

/** All rows that comparing rejects, with the reason. */
const compared_rejects = model({
  name: "compared_rejects",
  reads: [mistaken_rows, colliding_rows, reissued_issues, measured_rows],
  columns: {BIGINT: "row_no", VARCHAR: "reason detail"},
  sql: () => `
    WITH reissued_rows AS (
      SELECT row_no, detail FROM measured_rows JOIN reissued_issues USING (issue_no) WHERE reject_reason IS NULL
    ), others AS (
      FROM mistaken_rows UNION ALL SELECT row_no, 'cell_twice', detail FROM colliding_rows
    )
    SELECT row_no, 'reissued' AS reason, detail FROM reissued_rows UNION ALL FROM others ANTI JOIN reissued_rows USING (row_no)`,
});

/** Every staged row with its numbers, its `words_no`, its issue, and the reason if it was rejected. */
export const checked_rows = model({
  name: "checked_rows",
  reads: [measured_rows, compared_rejects],
  columns: measuredColumns,
  // A view: comparing rejects few rows.
  materialise: "view",
  sql: () => `SELECT m.* REPLACE (coalesce(c.reason, reject_reason) AS reject_reason, coalesce(c.detail, reject_detail) AS reject_detail)
    FROM measured_rows AS m LEFT JOIN compared_rejects AS c USING (row_no)`,
});

/** Row counts and sums of each commodity within each issue: of its receipts once for each published group, whose rows all repeat them. */
export const issue_parts = model({
  name: "issue_parts",
  reads: [checked_rows, known_words],
  columns: {
    INTEGER: "issue_no head receipts receipts_prior receipts_year_ago",
    VARCHAR: "commodity",
    BIGINT: "rows_accepted duplicate_rows rows_cattle",
    HUGEINT: "content",
  },
  sql: () => `
    WITH published_groups AS (
      SELECT issue_no, commodity, count(*) FILTER (reject_reason IS NULL) AS accepted,
        count(*) FILTER (reject_reason = 'duplicate_row') AS duplicates, count(*) FILTER (reject_reason IS DISTINCT FROM 'not_cattle') AS cattle,
        sum(head_count) FILTER (reject_reason IS NULL AND head_count BETWEEN 0 AND ${largestLot}) AS head, sum(value_hash) AS content,
        max(receipts) AS receipts, max(receipts_prior) AS receipts_prior, max(receipts_year_ago) AS receipts_year_ago
      FROM checked_rows JOIN known_words USING (words_no) GROUP BY issue_no, commodity, group_no
    )
    SELECT issue_no, commodity, sum(accepted)::BIGINT AS rows_accepted, sum(duplicates)::BIGINT AS duplicate_rows, sum(cattle)::BIGINT AS rows_cattle,
      ${["head", "receipts", "receipts_prior", "receipts_year_ago"].map((name) => `sum(${name})::INTEGER AS ${name}`).join(", ")}, sum(content) AS content
    FROM published_groups GROUP BY issue_no, commodity`,
});
