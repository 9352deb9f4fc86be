import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {FeedOutcome} from "../documents/feed-reader.ts";

export type ReadPriceFile = {
  readonly fileNo: number;
  readonly path: string;
  readonly feed: string;
  readonly outcome: Pick<FeedOutcome, "otherAccepted" | "merged" | "notes" | "remark">;
};

type RowCounts = {file_no: number; outcome: string; rows: number; assumed: number};

/**
 * Build reports of the files that were read. Rows of superseded issues count as accepted, because they are kept; rows of an
 * issue that was already read with the same content count as merged.
 */
export async function fileReports(db: Database, files: readonly ReadPriceFile[]): Promise<FileReport[]> {
  const counts = await db.rows<RowCounts>(`
    SELECT c.file_no, CASE WHEN v.merged_into <> v.issue_no THEN 'merged' ELSE coalesce(c.reject_reason, 'accepted') END AS outcome,
      count(*)::INTEGER AS rows, count(*) FILTER (unit_assumed)::INTEGER AS assumed
    FROM checked_rows AS c JOIN known_words USING (words_no) LEFT JOIN issue_versions AS v USING (issue_no)
    GROUP BY ALL ORDER BY ALL`);
  const byFile = Map.groupBy(counts, (count) => count.file_no);
  return files.map((file) => reportOf(file, byFile.get(file.fileNo) ?? []));
}

function reportOf({path, feed, outcome}: ReadPriceFile, counts: readonly RowCounts[]): FileReport {
  const rowsOf = (name: string) => counts.find((count) => count.outcome === name)?.rows ?? 0;
  const rejected = counts.filter((count) => count.outcome !== "accepted" && count.outcome !== "merged");
  const assumed = counts.reduce((sum, count) => sum + count.assumed, 0);
  const read = counts.reduce((sum, count) => sum + count.rows, 0);
  return {
    path,
    unit: feed,
    status: "read",
    reason: outcome.remark,
    rowsIn: read + outcome.otherAccepted + outcome.merged,
    accepted: rowsOf("accepted") + outcome.otherAccepted,
    rejected: Object.fromEntries(rejected.map((count) => [count.outcome, count.rows])),
    merged: rowsOf("merged") + outcome.merged,
    notes: {...outcome.notes, ...(assumed > 0 ? {price_unit_assumed: assumed} : {})},
  };
}
