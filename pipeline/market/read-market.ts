import {asOfDate} from "../../lib/models/build-facts.ts";
import type {AnyModel} from "../../lib/models/model.ts";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {onOneThread} from "../../lib/sql/duckdb.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {Venue} from "../../schemas/vocabulary/venue.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {cell_keys, cells} from "./normalise/cell-rows.ts";
import {checked_rows, issue_parts} from "./normalise/checked-rows.ts";
import {fileReports} from "./normalise/file-reports.ts";
import {registeredVenues} from "./normalise/issue-map.ts";
import {issue_versions, acceptShrunk as mayShrink, report_issues} from "./normalise/issue-versions.ts";
import {price_rows, price_rows_superseded, row_rejects} from "./normalise/market-rows.ts";
import {replaced_events, sale_events, summary_events, venues_seen} from "./normalise/sale-events.ts";
import {known_words} from "./normalise/word-map.ts";
import {readFiles} from "./read-files.ts";

type MarketInput = {
  /** The run in which the models are made. */
  readonly run: ModelRun;
  /** Raw files; only those with side `market` are read. */
  readonly files: readonly RawFile[];
  /** ISO date; issues that end later are rejected. */
  readonly asOf: string;
  readonly venues: readonly Venue[];
  /** True if a much shorter version may replace a longer one (`--accept MARKET:issue-shrank`). */
  readonly acceptShrunk?: boolean;
};

/**
 * Reads the price reports of all market feeds into the models of `normalisedModels` and reports, for each file in input order, what
 * became of its rows. A file that cannot be read is reported with its reason and affects nothing else.
 */
export async function readMarket({
  run,
  files,
  asOf,
  venues,
  acceptShrunk = false,
}: MarketInput): Promise<FileReport[]> {
  await using temp = await temporaryFolder("cattle-market-");
  run.give(asOfDate, asOf).give(registeredVenues, venues).give(mayShrink, acceptShrunk);
  const outcomes = await readFiles(
    run,
    files.filter((file) => file.kind === "market"),
    temp.path,
  );
  await run.make(checked_rows, cells, cell_keys, issue_parts);
  await onOneThread(run.db, () => run.make(...normalisedModels));
  const read = await fileReports(
    run.db,
    outcomes.filter((outcome) => "outcome" in outcome),
  );
  const byPath = new Map(read.map((report) => [report.path, report]));
  return outcomes.map((outcome) => ("outcome" in outcome ? byPath.get(outcome.path)! : outcome));
}

/** The models that reading leaves for the answers and the files. */
export const normalisedModels: readonly AnyModel[] = [
  known_words,
  checked_rows,
  cell_keys,
  cells,
  issue_versions,
  report_issues,
  price_rows,
  price_rows_superseded,
  row_rejects,
  sale_events,
  summary_events,
  replaced_events,
  venues_seen,
];
