import {type RawReportHeader, type RawReportRow, reportSlug} from "@open-cattle/usda-reports";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {faultOfFile, isSystemFault} from "../raw/document-reader.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import type {FeedInput, FeedOutcome, FeedReader} from "./documents/feed-reader.ts";
import {feedOf, sourceOfFeed} from "./feeds/feeds.ts";
import type {ReadPriceFile} from "./normalise/file-reports.ts";
import {type ListedReport, type StagedFile, Staging} from "./staging/staging.ts";

/** Number of rows buffered in JavaScript before they are staged. */
const batchRows = 50_000;

/**
 * Reads files into the staging models, in order. A file without a reader or that cannot be read returns its report right away;
 * the others are counted after normalisation.
 */
export async function readFiles(
  run: ModelRun,
  files: readonly RawFile[],
  tempDir: string,
): Promise<(ReadPriceFile | FileReport)[]> {
  const outcomes: (ReadPriceFile | FileReport)[] = [];
  const staging = await Staging.open(run);
  const [staged, listed]: [StagedFile[], ListedReport[]] = [[], []];
  const [rows, headers]: [RawReportRow[], RawReportHeader[]] = [[], []];
  const stage = async () => staging.stageRead(rows.splice(0), headers.splice(0));
  for (const [index, file] of files.entries()) {
    const fileNo = index + 1;
    const reader = feedOf(file.feedOrEntryId, "prices")?.read;
    if (reader === undefined) {
      const reason = `no reader yet for the feed ${file.feedOrEntryId}`;
      outcomes.push(fileWithoutRows(file.path, file.feedOrEntryId, "no_reader", reason));
      continue;
    }
    const outcome = await outcomeOf(reader, {staging, file, fileNo, tempDir});
    if ("failed" in outcome) {
      outcomes.push(fileWithoutRows(file.path, file.feedOrEntryId, "failed", outcome.failed));
      continue;
    }
    for (const row of outcome.rows) rows.push({...row, file_no: fileNo});
    for (const header of outcome.headers)
      headers.push({...header, file_no: fileNo, slug: reportSlug(header.slug)});
    for (const entry of outcome.listed) listed.push({...entry, source_path: file.path});
    outcomes.push({fileNo, path: file.path, feed: file.feedOrEntryId, outcome: reportedOutcome(outcome)});
    staged.push(stagedFile(file, fileNo, outcome));
    if (rows.length >= batchRows) await stage();
  }
  await stage();
  await staging.close(staged, listed);
  return outcomes;
}

/** What the report of a file says of its reading. */
function reportedOutcome({otherAccepted, merged, notes, remark}: FeedOutcome): ReadPriceFile["outcome"] {
  return {otherAccepted, merged, notes, remark};
}

function stagedFile(
  {path, feedOrEntryId, retrievedAt, meta}: RawFile,
  fileNo: number,
  {isExport, partial}: FeedOutcome,
): StagedFile {
  return {
    file_no: fileNo,
    path,
    source_id: sourceOfFeed(feedOrEntryId),
    retrieved_at: new Date(retrievedAt),
    verified_at: meta?.verified_at === undefined ? null : new Date(meta.verified_at),
    is_export: isExport,
    partial_detail: partial,
  };
}

async function outcomeOf(reader: FeedReader, input: FeedInput): Promise<FeedOutcome | {failed: string}> {
  await using temp = await temporaryFolder("file-", input.tempDir);
  try {
    return await reader({...input, tempDir: temp.path});
  } catch (thrown) {
    if (isSystemFault(thrown)) throw thrown;
    return {failed: faultOfFile(thrown, input.file.path)};
  }
}
