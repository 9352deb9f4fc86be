import {type Narrative, readNarrative} from "@open-cattle/usda-reports";
import {model, type Run} from "../../../lib/models/model.ts";
import {cleanTexts} from "../../../lib/text/clean-text.ts";
import {raw_headers, raw_issues} from "../staging/staged-models.ts";
import {issue_keys} from "./issue-map.ts";
import {issue_versions} from "./issue-versions.ts";

/**
 * The headers of each issue version: those of its own file, and those of versions of the same sale without rows (a separate header
 * section).
 */
export const issue_headers = model({
  name: "issue_headers",
  reads: [issue_versions, raw_headers],
  columns: {
    INTEGER: "issue_no file_no",
    VARCHAR: "slug report_title published final_ind shrink slide narrative office",
    "VARCHAR[]": "notices",
    DATE: "report_begin_date report_end_date last_reported_date",
    TIMESTAMP: "fetched_at",
    BOOLEAN: "is_correction no_sale borrowed",
    "MAP(VARCHAR, DOUBLE)": "receipts receipts_prior receipts_year_ago",
  },
  sql: () => `
  SELECT c.issue_no, h.*, v.issue_no <> c.issue_no AS borrowed, v.fetched_at
  FROM issue_versions AS c
  JOIN issue_versions AS v USING (report_program, sale_slug, sale_key_date, sale_part)
  JOIN raw_headers AS h ON h.file_no = v.file_no AND h.report_end_date = v.report_end_date
    AND h.slug = v.report_slug
  WHERE c.merged_into = c.issue_no
    AND (v.issue_no = c.issue_no OR (v.rows_read = 0 AND v.published_at_source IS NOT DISTINCT FROM c.published_at_source))`,
});

/** The market comment of each current issue: of its best header, else of its rows, which repeat it. */
const issue_narratives = model({
  name: "issue_narratives",
  reads: [issue_versions, issue_headers, issue_keys, raw_issues],
  columns: {INTEGER: "issue_no", DATE: "report_end_date", VARCHAR: "text office", "VARCHAR[]": "notices"},
  sql: () => `
  WITH of_headers AS (
    SELECT issue_no, narrative AS text, office, notices FROM issue_headers WHERE narrative IS NOT NULL OR len(notices) > 0
    QUALIFY row_number() OVER (PARTITION BY issue_no ORDER BY narrative IS NULL, borrowed, fetched_at DESC, file_no) = 1
  ), of_rows AS (
    SELECT issue_no, string_agg(DISTINCT narrative, ' ' ORDER BY narrative) AS text, min(office) AS office
    FROM issue_keys JOIN raw_issues USING (issue_key) WHERE narrative IS NOT NULL GROUP BY issue_no
  )
  SELECT v.issue_no, v.report_end_date, coalesce(h.text, r.text) AS text, coalesce(h.office, r.office) AS office,
    coalesce(h.notices, []) AS notices
  FROM issue_versions AS v LEFT JOIN of_headers AS h USING (issue_no) LEFT JOIN of_rows AS r USING (issue_no)
  WHERE v.merged_into = v.issue_no AND v.current AND (h.issue_no IS NOT NULL OR r.issue_no IS NOT NULL)
  ORDER BY v.issue_no`,
});

type NarrativeRow = Narrative & {readonly issue_no: number; readonly day: string};

/** What the reporter of each current issue says, as fields (`Reporter`) in JSON. */
export const reporter_words = model({
  name: "reporter_words",
  reads: [issue_narratives],
  columns: {INTEGER: "issue_no", VARCHAR: "special_sale_name reporter", BOOLEAN: "has_text"},
  rows: readReporters,
});

async function* readReporters(run: Run): AsyncGenerator<object> {
  const narratives = await run.db.rows<NarrativeRow>(
    "SELECT issue_no, report_end_date::VARCHAR AS day, text, office, to_json(notices)::VARCHAR AS notices FROM issue_narratives",
  );
  for (const {issue_no, day, notices, ...narrative} of narratives) {
    const said = readNarrative(
      cleanTexts({...narrative, notices: JSON.parse(String(notices)) as string[]}),
      day,
    );
    if (said === null) continue;
    const {special_sale_name, text} = said;
    yield {issue_no, special_sale_name, reporter: JSON.stringify(said), has_text: text !== ""};
  }
}
