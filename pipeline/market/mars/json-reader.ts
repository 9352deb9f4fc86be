import {join} from "node:path";
import {writeScratch} from "@open-cattle/safe-files";
import {partialDetail, priceSheet} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {DocumentReader, placeOf} from "../../raw/document-reader.ts";
import {boundedSheets} from "../../raw/workbook/sheets.ts";
import {ofReport, openContent} from "../documents/content-kind.ts";
import {type FeedInput, type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";
import {refuseEmpty, stageExport} from "./file-export.ts";
import {type BodyRows, type JsonReading, type JsonTask, slugOf} from "./json-file.ts";
import type {TableReading, TableTask} from "./table-file.ts";

/** Reads one file of the market-news feed in any format, detected from its content. */
export async function readMars(input: FeedInput): Promise<FeedOutcome> {
  const {file, tempDir} = input;
  const {kind, content} = await openContent(file);
  if (kind === "pdf")
    throw new UserError(`${file.path}: a PDF; a printed report belongs in the folder ams-text.`);
  if (kind === "json") return readMarsJson(input);
  const paths = await content.extractTo(tempDir);
  if (paths.length !== 1) throw new UserError(`${file.path}: expected one table, got ${paths.length} files.`);
  const document = {path: paths[0]!, shownPath: file.path, isBinary: kind === "binary workbook"};
  const path =
    kind === "workbook" || document.isBinary ? await workbookAsCsv(document, tempDir) : document.path;
  const {unread, into} = (await readTable(input, {kind: kind === "parquet" ? kind : "csv", path}))!;
  refuseEmpty(file.path, await stageTable(input, into));
  return {
    ...exportOutcome,
    rows: unread.map(({line, fault}) => ({
      reject_reason: "unread_line",
      reject_detail: `line ${line}: ${fault.trim().slice(0, 300)}`,
    })),
  };
}

/** Writes the worksheet with price rows to a CSV file in `tempDir` and returns its path. */
async function workbookAsCsv(
  {path, shownPath, isBinary}: {path: string; shownPath: string; isBinary: boolean},
  tempDir: string,
): Promise<string> {
  const sheets = await boundedSheets(path, {shownPath, isBinary, dir: tempDir});
  const target = join(tempDir, "sheet.csv");
  await writeScratch(target, csvLines(await ofReport(shownPath, () => priceSheet(sheets))));
  return target;
}

async function* csvLines(rows: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const cells of rows)
    yield `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
}

const exportOutcome: FeedOutcome = {...plainOutcome, isExport: true};

/** Tables are untrusted, so a separate process reads them. */
const tables = new DocumentReader(ownProgram("./table-program", import.meta.url));

/** Reads a table into a Parquet file of ours; null for JSON whose shape does not allow that. */
async function readTable({file, tempDir}: FeedInput, table: TableTask["table"]) {
  const into = join(tempDir, "rows.parquet");
  const task: TableTask = {table, shownPath: file.path, into, tempDir};
  const reading = (await tables.read(task, {path: table.path, shownPath: file.path})) as TableReading;
  return reading === null ? null : {...reading, into};
}

function stageTable({staging, file, fileNo}: FeedInput, path: string): Promise<number> {
  const relation = parquetRelation(path);
  return staging.run.allOrNothing(() =>
    stageExport(staging, {relation, path: file.path, fileNo, slug: slugOf(file)}),
  );
}

/** JSON is untrusted, so a separate process reads it. */
const documents = new DocumentReader(ownProgram("./json-program", import.meta.url));

async function readMarsJson(input: FeedInput): Promise<FeedOutcome> {
  const {file, tempDir} = input;
  const readRows = async (whole: boolean) => {
    const task: JsonTask = {file, tempDir, whole};
    return (await documents.read(task, placeOf(file))) as JsonReading;
  };
  const reading = await readRows(false);
  if (!("body" in reading)) return reading;
  const {body} = reading;
  const rows = await stagedRows(input, body);
  if (rows === null) return (await readRows(true)) as FeedOutcome;
  return {...exportOutcome, partial: rows < body.stated ? partialDetail(rows, body.stated) : null};
}

/** Stages the rows of a large answer in SQL and returns their number; null if its shape does not allow that. */
async function stagedRows(input: FeedInput, body: BodyRows): Promise<number | null> {
  const reading = await readTable(input, {kind: "json", ...body});
  if (reading === null) return null;
  const rows = await stageTable(input, reading.into);
  refuseEmpty(input.file.path, rows);
  return rows;
}
