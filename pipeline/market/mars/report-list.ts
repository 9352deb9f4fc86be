import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import type {FeedInput} from "../feed-reader.ts";
import type {Json} from "../json-values.ts";
import {isoDateOf} from "../words/published-date.ts";
import {reportSlug} from "../words/report-slug.ts";
import {wordsOf} from "./raw-record.ts";

/** Puts the entries of the publisher's list of reports into `report_list`: they tell titles and markets, no prices. */
export async function keepReportList(
  {db, file, tempDir}: FeedInput,
  entries: readonly Json[],
): Promise<void> {
  const lines = entries.map((entry) => ({
    report_slug: reportSlug(wordsOf(entry["slug_name"]) ?? wordsOf(entry["slug_id"])),
    report_title: wordsOf(entry["report_title"]),
    report_status: wordsOf(entry["report_status"]),
    last_report_date: isoDateOf(entry["report_date"]),
    published_at_source: wordsOf(entry["published_date"]),
    markets: textList(entry["markets"]),
    market_types: textList(entry["market_types"]),
    source_path: file.path,
  }));
  const path = join(tempDir, "report_list.ndjson");
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await db.run(`INSERT INTO report_list BY NAME SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited',
    columns = {report_slug: 'VARCHAR', report_title: 'VARCHAR', report_status: 'VARCHAR', last_report_date: 'DATE',
      published_at_source: 'VARCHAR', markets: 'VARCHAR[]', market_types: 'VARCHAR[]', source_path: 'VARCHAR'})`);
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
