import {mkdtemp, rm} from "node:fs/promises";
import {join} from "node:path";
import type {Database} from "../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {readPrintedReport} from "./ams-text/reader.ts";
import type {FeedOutcome, FeedReader} from "./feed-reader.ts";
import {faultOfFile, isSystemFault} from "./file-faults.ts";
import {sourceOfFeed} from "./market-sources.ts";
import {readMars} from "./mars/reader.ts";
import type {ReadPriceFile} from "./normalise/file-reports.ts";
import {type StagedFile, stageFiles} from "./staging.ts";

/** Readers of price reports by feed. A feed without one is reported as `no_reader`, never passed over in silence. */
const priceReaders: Readonly<Record<string, FeedReader>> = {
  "ams-text": readPrintedReport,
  mars: readMars,
};

/** Rows that are held in JavaScript before they go to the staging tables together. */
const batchRows = 50_000;

/**
 * Reads files into the staging tables, in order. A file that has no reader or cannot be read gives its
 * report at once; the others are counted after the normalisation.
 */
export async function readFiles(
  db: Database,
  files: readonly RawFile[],
  tempDir: string,
): Promise<(ReadPriceFile | FileReport)[]> {
  const outcomes: (ReadPriceFile | FileReport)[] = [];
  let batch: StagedFile[] = [];
  for (const [index, file] of files.entries()) {
    const reader = Object.hasOwn(priceReaders, file.unit) ? priceReaders[file.unit] : undefined;
    if (reader === undefined) {
      const reason = `no reader yet for the feed ${file.unit}`;
      outcomes.push(fileWithoutRows(file.path, file.unit, "no_reader", reason));
      continue;
    }
    const outcome = await outcomeOf(db, reader, {file, fileNo: index + 1, tempDir});
    if ("failed" in outcome) {
      outcomes.push(fileWithoutRows(file.path, file.unit, "failed", outcome.failed));
      continue;
    }
    const {rows, headers, ...rest} = outcome;
    outcomes.push({fileNo: index + 1, path: file.path, feed: file.unit, outcome: rest});
    batch.push(stagedFile(file, index + 1, {rows, headers}));
    if (batch.reduce((sum, staged) => sum + staged.rows.length, 0) >= batchRows) {
      await stageFiles(db, batch, tempDir);
      batch = [];
    }
  }
  await stageFiles(db, batch, tempDir);
  return outcomes;
}

function stagedFile(file: RawFile, fileNo: number, read: Pick<StagedFile, "rows" | "headers">): StagedFile {
  return {
    fileNo,
    path: file.path,
    feed: file.unit,
    sourceId: sourceOfFeed(file.unit),
    retrievedAt: file.retrievedAt,
    verifiedAt: file.meta?.verified_at ?? null,
    ...read,
  };
}

type FileSetting = {file: RawFile; fileNo: number; tempDir: string};

async function outcomeOf(
  db: Database,
  reader: FeedReader,
  {file, fileNo, tempDir}: FileSetting,
): Promise<FeedOutcome | {failed: string}> {
  const fileTemp = await mkdtemp(join(tempDir, "file-"));
  try {
    return await reader({db, file, fileNo, tempDir: fileTemp});
  } catch (thrown) {
    if (isSystemFault(thrown)) throw thrown;
    await db.run(
      `DELETE FROM raw_rows WHERE file_no = ${fileNo}; DELETE FROM raw_headers WHERE file_no = ${fileNo}`,
    );
    return {failed: faultOfFile(thrown, file.path)};
  } finally {
    await rm(fileTemp, {recursive: true, force: true});
  }
}
