import {readJsonReport, slugFromPlace} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {readJson} from "../documents/content-kind.ts";
import {type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";
import {ofReport} from "../documents/report-faults.ts";
import {type BodyRows, rowsOfBody} from "./json-body.ts";

/** The task of reading one JSON file, sent to the reader process. */
export type JsonTask = {
  readonly file: RawFile;
  readonly tempDir: string;
  /** True to parse the whole answer because SQL could not read its rows. */
  readonly whole: boolean;
};

/** What an answer contains, or the rows of a large one as a file that SQL reads. */
export type JsonReading = FeedOutcome | {readonly body: BodyRows};

/** From this uncompressed size, reading the rows in SQL pays off. */
const largeBytes = 8 << 20;

/** Reads one JSON file of My Market News, in any of its shapes. Throws a `UserError` for any other file. */
export async function readJsonFile({file, tempDir, whole}: JsonTask): Promise<JsonReading> {
  const content = await openRawContent(file);
  if (!whole && isLarge(file, content)) {
    const paths = await content.extractTo(tempDir);
    const body = paths.length === 1 ? await rowsOfBody(paths[0]!, tempDir) : null;
    if (body !== null) return {body};
  }
  return readWhole(file, await readJson(file, content));
}

/** The report code of a file, from its URL or its name. */
export function slugOf({meta, path}: RawFile): string | null {
  return slugFromPlace(meta?.url, path);
}

/** JSON of reports compresses about sixteen to one. */
function isLarge(file: RawFile, {packing}: RawContent): boolean {
  return file.sizeBytes * (packing === "none" ? 1 : 16) >= largeBytes;
}

async function readWhole(file: RawFile, body: unknown): Promise<FeedOutcome> {
  const {path} = file;
  const report = await ofReport(path, () => readJsonReport(body, slugOf(file)));
  switch (report.kind) {
    case "mandatory":
      throw new UserError(
        `${path}: ${report.isList ? "a list of reports; it belongs" : "sections of mandatory reports; they belong"} in the folder lmr.`,
      );
    case "list":
      return {...plainOutcome, otherAccepted: report.entries.length, listed: report.entries};
    case "parse":
      return {...plainOutcome, rows: report.rows, headers: [report.header], otherAccepted: 1};
    case "rows": {
      const {rows, headers, sections: merged, missing, notes} = report;
      const empty =
        rows.length + merged === 0 ? `${path}: the answer has no rows; nothing was deleted for it.` : null;
      const remark = missing === null ? empty : `${path}: a partial issue: ${missing}.`;
      return {...plainOutcome, rows, headers, merged, remark, notes};
    }
  }
}
