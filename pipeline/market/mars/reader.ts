import {DATE, LIST, VARCHAR} from "@duckdb/node-api";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {appendRows} from "../../../lib/sql/append-rows.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import {reportListColumns} from "../../../schemas/sale-event.ts";
import type {RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {openContent, readJson} from "../content-kind.ts";
import {type FeedInput, type FeedOutcome, plainOutcome} from "../feed-reader.ts";
import type {Json} from "../json-values.ts";
import {unstage} from "../staging.ts";
import {dateFrom} from "../words/published-date.ts";
import {reportSlug, slugFromPlace} from "../words/report-slug.ts";
import {openCsvTable} from "./csv-table.ts";
import {finishExport, stageExport} from "./file-export.ts";
import {rowsOfBody} from "./json-body.ts";
import {partialDetail, stagedJson, unreadRow} from "./json-rows.ts";
import {shapeOf} from "./json-shapes.ts";
import {wordsOf} from "./raw-record.ts";
import {stagedParse} from "./third-party-parse.ts";

/** Reads one file of the market-news feed, whatever its shape; the content decides how. */
export async function readMars(input: FeedInput): Promise<FeedOutcome> {
  const {db, file, fileNo, tempDir} = input;
  const {kind, content} = await openContent(file);
  if (kind === "pdf")
    throw new UserError(`${file.path}: a PDF came; a printed report belongs into the folder ams-text.`);
  if (kind === "json") {
    const staged = isLarge(file, content) && (await stagedBody(input, content));
    return staged ? plainOutcome : readMarsJson(input, await readJson(file, content));
  }
  const paths = await content.extractTo(tempDir);
  if (paths.length !== 1)
    throw new UserError(`${file.path}: holds ${paths.length} files, one table was expected.`);
  const stage = (relation: string, places: string | null = null) =>
    stageExport(db, {relation, places, path: file.path, fileNo, slug: slugOf(input)});
  if (kind === "parquet") {
    await stage(`read_parquet(${sqlText(paths[0]!)}, file_row_number = true)`, "file_row_number");
    await finishExport(db, file.path, fileNo);
    return plainOutcome;
  }
  const table = await openCsvTable(db, {path: paths[0]!, shown: file.path}, tempDir);
  await stage(table.relation);
  const {lines, again} = await table.unread();
  if (again !== null) {
    await unstage(db, fileNo);
    await stage(again);
  }
  await finishExport(db, file.path, fileNo);
  return {
    ...plainOutcome,
    rows: lines.map(({line, fault}) => unreadRow(`line ${line}: ${fault.trim().slice(0, 300)}`)),
  };
}

/** From this size on (unpacked) the rows of an answer are worth the statements that read them in SQL. */
const largeBytes = 8 << 20;

/** JSON of reports packs about sixteen to one. */
function isLarge(file: RawFile, {packing}: RawContent): boolean {
  return file.sizeBytes * (packing === "none" ? 1 : 16) >= largeBytes;
}

/** Puts the rows of a large answer into the staging tables, all in SQL; false when its shape does not allow that. */
async function stagedBody(input: FeedInput, content: RawContent): Promise<boolean> {
  const {db, file, fileNo, tempDir} = input;
  const paths = await content.extractTo(tempDir);
  const body = paths.length === 1 ? await rowsOfBody(paths[0]!, tempDir) : null;
  if (body === null) return false;
  const texts = body.members.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(", ");
  const relation = `(SELECT nullif(COLUMNS(*), '') FROM read_json(${sqlText(body.path)}, format = 'array', columns = {${texts}}))`;
  try {
    await stageExport(db, {relation, path: file.path, fileNo, slug: slugOf(input)});
    const came = await finishExport(db, file.path, fileNo);
    if (came < body.stated)
      await db.run(`UPDATE staged_rows SET reject_reason = 'partial_issue', reject_detail = ${sqlText(partialDetail(came, body.stated))}
        WHERE file_no = ${fileNo}`);
    return true;
  } catch (thrown) {
    if (!/Malformed JSON|unexpected|array/i.test(messageOf(thrown))) throw thrown;
    await unstage(db, fileNo);
    return false;
  }
}

async function readMarsJson(input: FeedInput, body: unknown): Promise<FeedOutcome> {
  const {file} = input;
  const shape = shapeOf(body, file.path);
  if (shape.kind === "list") {
    await keepReportList(input, shape.entries);
    return {...plainOutcome, otherAccepted: shape.entries.length};
  }
  if (shape.kind === "parse") {
    const {rows, header} = stagedParse(shape.parse, shape.entries, file.path);
    return {...plainOutcome, rows, headers: [header], otherAccepted: 1};
  }
  const {rows, headers, notes} = stagedJson(shape, file.path, slugOf(input));
  const remark =
    rows.length + shape.headers.length === 0
      ? `${file.path}: the answer has no rows; nothing was deleted for it.`
      : null;
  const partial =
    shape.stated === null
      ? null
      : `${file.path}: a partial issue: ${shape.rows.length} of ${shape.stated} rows.`;
  return {...plainOutcome, rows, headers, merged: shape.headers.length, remark: partial ?? remark, notes};
}

function slugOf({file}: FeedInput): string | null {
  return slugFromPlace(file.meta?.url, file.path);
}

/** Puts the entries of the publisher's list of reports into `report_list`: they tell titles and markets, no prices. */
async function keepReportList({db, file}: FeedInput, entries: readonly Json[]): Promise<void> {
  const rows = entries.map((entry) => ({
    report_slug: reportSlug(wordsOf(entry["slug_name"]) ?? wordsOf(entry["slug_id"])),
    report_title: wordsOf(entry["report_title"]),
    report_status: wordsOf(entry["report_status"]),
    last_report_date: dateFrom(entry["report_date"]),
    published_at_source: wordsOf(entry["published_date"]),
    markets: textList(entry["markets"]),
    market_types: textList(entry["market_types"]),
    source_path: file.path,
  }));
  await appendRows(db, "report_list", reportListTypes, rows);
}

const reportListTypes = reportListColumns.map(({name, type}) => ({
  name,
  type: type === "DATE" ? DATE : type === "VARCHAR[]" ? LIST(VARCHAR) : VARCHAR,
}));

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
