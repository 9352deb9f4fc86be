import {
  feedOfReports,
  type RawReportHeader,
  type RawReportRow,
  type Receipts,
  slugFromPlace,
} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {matchColumns} from "../documents/column-aliases.ts";
import {readJson} from "../documents/content-kind.ts";
import {type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";
import {isObject, type Json, membersOf, numberOf} from "../documents/json-values.ts";
import {type BodyRows, rowsOfBody} from "./json-body.ts";
import {headerOf, rawRecord, stagedJson} from "./json-rows.ts";
import {type JsonShape, shapeOf} from "./json-shapes.ts";

/** The task of reading one JSON file, sent to the reader process. */
export type JsonTask = {
  readonly file: RawFile;
  readonly tempDir: string;
  /** True to parse the whole answer because SQL could not read its rows. */
  readonly whole: boolean;
};

/** What an answer contains, and its entries if it is a list of reports. */
export type JsonReading = {
  readonly outcome: FeedOutcome;
  readonly list: readonly Json[];
  /** Rows of a large answer, as a file that SQL reads; the outcome is then empty. */
  readonly body?: BodyRows;
};

/** From this uncompressed size, reading the rows in SQL pays off. */
const largeBytes = 8 << 20;

/** Reads one JSON file of My Market News, in any of its shapes. Throws a `UserError` for any other file. */
export async function readJsonFile({file, tempDir, whole}: JsonTask): Promise<JsonReading> {
  const content = await openRawContent(file);
  if (!whole && isLarge(file, content)) {
    const paths = await content.extractTo(tempDir);
    const body = paths.length === 1 ? await rowsOfBody(paths[0]!, tempDir) : null;
    if (body !== null) return {outcome: plainOutcome, list: [], body};
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

function readWhole(file: RawFile, body: unknown): JsonReading {
  const shape = shapeOf(body, file.path);
  refuseMandatory(shape, file);
  if (shape.kind === "list")
    return {outcome: {...plainOutcome, otherAccepted: shape.entries.length}, list: shape.entries};
  if (shape.kind === "parse") {
    const {rows, header} = stagedParse(shape.parse, shape.entries, file.path);
    return {outcome: {...plainOutcome, rows, headers: [header], otherAccepted: 1}, list: []};
  }
  const {rows, headers, notes} = stagedJson(shape, file.path, slugOf(file));
  if (rows.length + headers.length === 0 && shape.headers.length > 0)
    throw new UserError(
      `${file.path}: got ${membersOf(body)}; expected price rows, or a report number and a date for the header of a report.`,
    );
  const remark =
    rows.length + shape.headers.length === 0
      ? `${file.path}: the answer has no rows; nothing was deleted for it.`
      : null;
  const partial =
    shape.stated === null
      ? null
      : `${file.path}: a partial issue: ${shape.rows.length} of ${shape.stated} rows.`;
  const merged = shape.headers.length;
  return {outcome: {...plainOutcome, rows, headers, merged, remark: partial ?? remark, notes}, list: []};
}

/** Throws a UserError for mandatory reports, which another feed reads: a list of them, or sections of the Datamart. */
function refuseMandatory(shape: JsonShape, {path}: RawFile): void {
  if (shape.kind === "parse") return;
  const reports = shape.kind === "list" ? shape.entries : [...shape.rows, ...shape.headers];
  const reportTexts = reports.map(({market_type, market_types, report_title}) =>
    [market_type, market_types, report_title].map(String).join(" "),
  );
  if (feedOfReports(reportTexts) === "lmr")
    throw new UserError(
      `${path}: ${shape.kind === "list" ? "a list of reports; it belongs" : "sections of mandatory reports; they belong"} in the folder lmr.`,
    );
}

/**
 * Stages a third party's parse of a printed report. Receipts, their breakdown and the presence of a comment are reliable. The
 * lot comment (`note`) and the class of replacement cattle are not, and without them no row has a cell: the sale is kept, and
 * every price row is rejected.
 */
function stagedParse(
  parse: Json,
  entries: readonly Json[],
  path: string,
): {rows: RawReportRow[]; header: RawReportHeader} {
  const facts = rawRecord(parse, matchColumns(Object.keys(parse)), null);
  const [header] = headerOf(facts, {receipts: receiptsOf(parse)});
  if (header === undefined) {
    throw new UserError(
      `${path}: a parse needs report_id and sale_date or period_end; got ${Object.keys(parse).join(", ")}.`,
    );
  }
  const {slug, report_title, report_begin_date, report_end_date} = header;
  const ofReport = {slug, report_title, report_begin_date, report_end_date};
  const match = matchColumns([...new Set(entries.flatMap((entry) => Object.keys(entry)))]);
  return {
    rows: entries.map((entry) => ({...rawRecord(entry, match, slug), ...ofReport, ...rejection(entry)})),
    header,
  };
}

function rejection(entry: Json): Pick<RawReportRow, "reject_reason" | "reject_detail"> {
  const feeder = /^(steers|heifers)$/i.test(String(entry["type"]));
  return feeder
    ? {
        reject_reason: "unreliable_note",
        reject_detail: "the parse loses lot comments: a described lot cannot be told from a plain one",
      }
    : {
        reject_reason: "unreliable_class",
        reject_detail: "the parse mixes slaughter and replacement classes and cuts the dressing",
      };
}

/** Receipts as `total` and by the parse's own commodity words (`feeder`). */
function receiptsOf(parse: Json): Receipts {
  const breakdown = isObject(parse["breakdown"]) ? Object.entries(parse["breakdown"]) : [];
  const parts = breakdown.map(([name, part]) => [name, numberOf(isObject(part) ? part["head"] : part)]);
  return {total: numberOf(parse["total_receipts"]), ...Object.fromEntries(parts)};
}
