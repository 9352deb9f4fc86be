import type {Database} from "../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {faultOfFile, isSystemFault} from "../raw/document-reader.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import type {FeedOutcome, FeedReader} from "./documents/feed-reader.ts";
import {feedOf, sourceOfFeed} from "./feeds/feeds.ts";
import type {ReadPriceFile} from "./normalise/file-reports.ts";
import {
  type RawReportHeader,
  type RawReportRow,
  type StagedFile,
  stageFiles,
  stageRead,
  unstage,
} from "./staging/stage-tables.ts";
import {reportSlug} from "./words/report-slug.ts";

/** Number of rows buffered in JavaScript before they are staged. */
const batchRows = 50_000;

/**
 * Reads files into the staging tables, in order. A file without a reader or that cannot be read returns its report right away;
 * the others are counted after normalisation.
 */
export async function readFiles(
  db: Database,
  files: readonly RawFile[],
  tempDir: string,
): Promise<(ReadPriceFile | FileReport)[]> {
  const outcomes: (ReadPriceFile | FileReport)[] = [];
  const staged: StagedFile[] = [];
  const [rows, headers]: [RawReportRow[], RawReportHeader[]] = [[], []];
  const stage = async () => stageRead(db, {rows: rows.splice(0), headers: headers.splice(0)});
  for (const [index, file] of files.entries()) {
    const fileNo = index + 1;
    const reader = feedOf(file.feedOrEntryId, "prices")?.read;
    if (reader === undefined) {
      const reason = `no reader yet for the feed ${file.feedOrEntryId}`;
      outcomes.push(fileWithoutRows(file.path, file.feedOrEntryId, "no_reader", reason));
      continue;
    }
    const outcome = await outcomeOf(db, reader, {file, fileNo, tempDir});
    if ("failed" in outcome) {
      outcomes.push(fileWithoutRows(file.path, file.feedOrEntryId, "failed", outcome.failed));
      continue;
    }
    const {rows: read, headers: found, ...counted} = outcome;
    for (const row of read) rows.push({...row, file_no: fileNo});
    for (const header of found) headers.push({...header, file_no: fileNo, slug: reportSlug(header.slug)});
    outcomes.push({fileNo, path: file.path, feed: file.feedOrEntryId, outcome: counted});
    staged.push(stagedFile(file, fileNo));
    if (rows.length >= batchRows) await stage();
  }
  await stage();
  await stageFiles(db, staged);
  return outcomes;
}

function stagedFile({path, feedOrEntryId, retrievedAt, meta}: RawFile, fileNo: number): StagedFile {
  return {
    file_no: fileNo,
    path,
    source_id: sourceOfFeed(feedOrEntryId),
    retrieved_at: new Date(retrievedAt),
    verified_at: meta?.verified_at === undefined ? null : new Date(meta.verified_at),
  };
}

type FileTask = {file: RawFile; fileNo: number; tempDir: string};

async function outcomeOf(
  db: Database,
  reader: FeedReader,
  {file, fileNo, tempDir}: FileTask,
): Promise<FeedOutcome | {failed: string}> {
  await using temp = await temporaryFolder("file-", tempDir);
  try {
    return await reader({db, file, fileNo, tempDir: temp.path});
  } catch (thrown) {
    if (isSystemFault(thrown)) throw thrown;
    await unstage(db, fileNo);
    return {failed: faultOfFile(thrown, file.path)};
  }
}
