import {type Database, onOneThread} from "../../lib/sql/duckdb.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {Venue} from "../../schemas/vocabulary/venue.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import type {AnyModel} from "./models/model.ts";
import {cell_keys, cells, makeCells} from "./normalise/cell-rows.ts";
import {checked_rows, makeCheckedRows, makeIssueParts} from "./normalise/checked-rows.ts";
import {fileReports} from "./normalise/file-reports.ts";
import {makeIssueMap} from "./normalise/issue-map.ts";
import {issue_versions, makeIssueVersions, report_issues} from "./normalise/issue-versions.ts";
import {fillQuarantine, makePriceRows} from "./normalise/market-rows.ts";
import {fillEvents, replaced_events, sale_events, summary_events} from "./normalise/sale-events.ts";
import {makeWordMap} from "./normalise/word-map.ts";
import {readFiles} from "./read-files.ts";
import {loadPriceBounds} from "./rules/price-bounds.ts";
import {createMarketTables} from "./staging/market-tables.ts";
import {createStaging, dropStaging} from "./staging/stage-tables.ts";

type MarketInput = {
  readonly db: Database;
  /** Raw files; only those with side `market` are read. */
  readonly files: readonly RawFile[];
  /** ISO date; issues that end later are rejected. */
  readonly asOf: string;
  readonly venues: readonly Venue[];
  /** True if a much shorter version may replace a longer one (`--accept MARKET:issue-shrank`). */
  readonly acceptShrunk?: boolean;
};

/**
 * Reads the price reports of all market feeds into the tables of `tables.ts` and reports, for each file in input order, what
 * became of its rows. A file that cannot be read is reported with its reason and affects nothing else.
 */
export async function readMarket({
  db,
  files,
  asOf,
  venues,
  acceptShrunk = false,
}: MarketInput): Promise<FileReport[]> {
  await using temp = await temporaryFolder("cattle-market-");
  try {
    await createMarketTables(db);
    await createStaging(db);
    const outcomes = await readFiles(
      db,
      files.filter((file) => file.kind === "market"),
      temp.path,
    );
    await normalise(db, {asOf, venues, acceptShrunk});
    const read = await fileReports(
      db,
      outcomes.filter((outcome) => "outcome" in outcome),
    );
    const byPath = new Map(read.map((report) => [report.path, report]));
    return outcomes.map((outcome) => ("outcome" in outcome ? byPath.get(outcome.path)! : outcome));
  } finally {
    await dropWork(db);
  }
}

async function normalise(
  db: Database,
  {asOf, venues, acceptShrunk}: Required<Omit<MarketInput, "db" | "files">>,
): Promise<void> {
  const listed = await db.rows<{slug: string; title: string}>(
    "SELECT report_slug AS slug, arg_max(report_title, (published_at_source, source_path)) AS title FROM report_list WHERE report_slug IS NOT NULL GROUP BY 1",
  );
  const titles = new Map(listed.map(({slug, title}) => [slug, title]));
  await makeWordMap(db);
  await makeIssueMap(db, {venues, titles}, asOf);
  await makeCheckedRows(db, asOf, loadPriceBounds());
  await makeCells(db);
  await makeIssueParts(db);
  await onOneThread(db, async () => {
    await makeIssueVersions(db, acceptShrunk);
    await makePriceRows(db);
    await fillQuarantine(db);
    await fillEvents(db);
  });
}

/** The models that reading leaves for the answers. */
export const normalisedModels: readonly AnyModel[] = [
  checked_rows,
  cell_keys,
  cells,
  issue_versions,
  report_issues,
  sale_events,
  summary_events,
  replaced_events,
];

/**
 * Tables to drop afterwards. `checked_rows`, `known_words` and `issue_versions` stay, because the view `price_rows` needs them.
 */
const workTables = [
  "word_map",
  "issue_keys",
  "found_issues",
  "sale_parts",
  "duplicate_rows",
  "issue_parts",
  "receipt_labels",
  "head_receipts",
  "row_receipts",
  "event_measures",
];

async function dropWork(db: Database): Promise<void> {
  await dropStaging(db);
  for (const table of workTables) await db.run(`DROP TABLE IF EXISTS ${table}`);
}
