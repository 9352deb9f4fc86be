import {createReadStream} from "node:fs";
import {type FileHandle, open} from "node:fs/promises";
import {join} from "node:path";
import {writeScratch} from "@open-cattle/safe-files";
import {
  type AnswerRows,
  decodedText,
  readJsonReport,
  rowsOfAnswer,
  slugFromPlace,
} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {ofReport} from "../documents/content-kind.ts";
import {type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";
import {parsedJson} from "../documents/json-values.ts";

/** The task of reading one JSON file, sent to the reader process. */
export type JsonTask = {
  readonly file: RawFile;
  readonly tempDir: string;
  /** True to parse the whole answer because SQL could not read its rows. */
  readonly whole: boolean;
};

/** The rows of a large answer in their own file, as an array. */
export type BodyRows = AnswerRows & {readonly path: string};

/** What an answer contains, or the rows of a large one as a file that SQL reads. */
export type JsonReading = FeedOutcome | {readonly body: BodyRows};

/** From this uncompressed size, reading the rows in SQL pays off. */
const largeBytes = 8 << 20;
/** Bytes to sample at each end of a large answer. */
const sampleBytes = 1 << 20;

/** Reads one JSON file of My Market News, in any of its shapes. Throws a `UserError` for any other file. */
export async function readJsonFile({file, tempDir, whole}: JsonTask): Promise<JsonReading> {
  const content = await openRawContent(file);
  if (!whole && isLarge(file, content)) {
    const paths = await content.extractTo(tempDir);
    const body = paths.length === 1 ? await rowsOfBody(paths[0]!, tempDir) : null;
    if (body !== null) return {body};
  }
  return readWhole(file, parsedJson(file, decodedText(await content.bytes())));
}

/** The report code of a file, from its URL or its name. */
export function slugOf({meta, path}: RawFile): string | null {
  return slugFromPlace(meta?.url, path);
}

/** JSON of reports compresses about sixteen to one. */
function isLarge(file: RawFile, {packing}: RawContent): boolean {
  return file.sizeBytes * (packing === "none" ? 1 : 16) >= largeBytes;
}

/** Cuts the array of rows out of an answer without parsing it; null where `rowsOfAnswer` finds none at its ends. */
async function rowsOfBody(path: string, tempDir: string): Promise<BodyRows | null> {
  await using file = await open(path);
  const {size} = await file.stat();
  const head = await textAt(file, 0, Math.min(size, sampleBytes));
  const rows = rowsOfAnswer(head, await textAt(file, Math.max(0, size - sampleBytes), size), size);
  if (rows?.span == null) return rows && {...rows, path};
  const cut = join(tempDir, "rows.json");
  await writeScratch(cut, createReadStream(path, rows.span));
  return {...rows, path: cut};
}

async function textAt(file: FileHandle, from: number, to: number): Promise<string> {
  const {buffer} = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("utf8");
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
