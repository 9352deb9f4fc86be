import {DATE, LIST, VARCHAR} from "@duckdb/node-api";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {appendRows} from "../../../lib/sql/append-rows.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import {jsonRelation, parquetRelation} from "../../../lib/sql/sql-path.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {reportListColumns} from "../../../schemas/sale-event.ts";
import {DocumentReader, placeOf} from "../../raw/document-reader.ts";
import {openContent} from "../documents/content-kind.ts";
import {type FeedInput, type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";
import type {Json} from "../documents/json-values.ts";
import {unstage} from "../staging/stage-tables.ts";
import {dateFrom} from "../words/published-date.ts";
import {reportSlug} from "../words/report-slug.ts";
import {openCsvTable} from "./csv-table.ts";
import {finishExport, stageExport} from "./file-export.ts";
import type {BodyRows} from "./json-body.ts";
import {type JsonReading, type JsonTask, slugOf} from "./json-file.ts";
import {partialDetail, unreadRow, wordsOf} from "./json-rows.ts";
import {workbookAsCsv} from "./workbook-table.ts";

/** Reads one file of the market-news feed in any format, detected from its content. */
export async function readMars(input: FeedInput): Promise<FeedOutcome> {
  const {db, file, fileNo, tempDir} = input;
  const {kind, content} = await openContent(file);
  if (kind === "pdf")
    throw new UserError(`${file.path}: a PDF came; a printed report belongs into the folder ams-text.`);
  if (kind === "json") return readMarsJson(input);
  const paths = await content.extractTo(tempDir);
  if (paths.length !== 1)
    throw new UserError(`${file.path}: holds ${paths.length} files, one table was expected.`);
  const stage = (relation: string) =>
    stageExport(db, {relation, path: file.path, fileNo, slug: slugOf(file)});
  if (kind === "parquet") {
    await stage(parquetRelation(paths[0]!));
    await finishExport(db, file.path, fileNo);
    return plainOutcome;
  }
  const came = {path: paths[0]!, shown: file.path, isBinary: kind === "binary workbook"};
  const path = kind === "workbook" || came.isBinary ? await workbookAsCsv(came, tempDir) : came.path;
  const table = await openCsvTable(db, {path, shown: file.path}, tempDir);
  await stage(table.relation);
  const {lines, retry} = await table.unread();
  if (retry !== null) {
    await unstage(db, fileNo);
    await stage(retry);
  }
  await finishExport(db, file.path, fileNo);
  return {
    ...plainOutcome,
    rows: lines.map(({line, fault}) => unreadRow(`line ${line}: ${fault.trim().slice(0, 300)}`)),
  };
}

/** JSON is untrusted, so a separate process reads it. */
const documents = new DocumentReader(ownProgram("./json-program", import.meta.url));

async function readMarsJson(input: FeedInput): Promise<FeedOutcome> {
  const {file, tempDir} = input;
  const read = async (whole: boolean) => {
    const task: JsonTask = {file, tempDir, whole};
    return (await documents.read(task, placeOf(file))) as JsonReading;
  };
  let reading = await read(false);
  if (reading.body !== undefined) {
    if (await isStaged(input, reading.body)) return plainOutcome;
    reading = await read(true);
  }
  await keepReportList(input, reading.list);
  return reading.outcome;
}

/** Stages the rows of a large answer in SQL; false if its shape does not allow that. */
async function isStaged({db, file, fileNo}: FeedInput, body: BodyRows): Promise<boolean> {
  const texts = body.members.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(", ");
  const relation = `(SELECT nullif(COLUMNS(*), '') FROM ${jsonRelation(body.path, "format = 'array'", `columns = {${texts}}`)})`;
  try {
    await stageExport(db, {relation, path: file.path, fileNo, slug: slugOf(file)});
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

/** Fills `report_list` from the publisher's list of reports, which has titles and markets but no prices. */
async function keepReportList({db, file}: FeedInput, entries: readonly Json[]): Promise<void> {
  if (entries.length === 0) return;
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
