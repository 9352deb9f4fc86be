import {createReadStream} from "node:fs";
import {stat} from "node:fs/promises";
import {basename, join} from "node:path";
import {
  type DelimitedHead,
  delimitedHead,
  type FileAccount,
  headRows,
  uniqueNames,
  utf8Text,
} from "@open-cattle/parcel-files";
import {writeScratch} from "@open-cattle/safe-files";
import {UserError} from "../../../lib/errors.ts";
import {maxColumns, resolveColumn} from "../../../lib/parcels/conform/file-cells.ts";
import type {StagedTable} from "../../../lib/parcels/conform/staged-table.ts";
import {withUserErrors} from "../../raw/file-faults.ts";
import type {Dataset, Reader} from "./file-reader.ts";
import {geometryText, stagedText, withText} from "./geometry-text.ts";
import {type LostText, loadDelimited} from "./quote-readings.ts";

/** Rows among whose filled cells a column of geometry is found. */
const sampleRows = 2000;
const extensions: ReadonlySet<string> = new Set(["csv", "tsv", "tab", "txt", "psv"]);

/** Reads CSV, and text delimited by tabs, semicolons or bars, with DuckDB. All cells are text; quoted ones may contain line feeds. */
export const delimitedReader: Reader = {
  name: "delimited text",
  isOfDuckdb: true,
  accepts: ({extension}) => extensions.has(extension),
  async read({db, dataset, table, wantedColumns, encoding, header, tempDir}) {
    const copyPath = join(tempDir, `${basename(dataset.path)}.utf8`);
    const {text: decoded, remark: encodingRemark} = await withUserErrors(() => utf8Text(dataset, encoding));
    if (decoded !== null) await writeScratch(copyPath, decoded);
    const path = decoded === null ? dataset.path : copyPath;
    const head = await headOf(path, dataset);
    const {delimiter, titleLines} = head;
    const columns = header === undefined ? head.columns : uniqueNames(header);
    const sample = headRows(head, sampleRows);
    const text = geometryText(columns.map((name, i) => ({name, cells: sample.map((row) => row[i] ?? "")})));
    const all = withText(wantedColumns, text, columns);
    const load = {
      path,
      shownPath: dataset.shownPath,
      table,
      columns,
      delimiter,
      titleLines,
      wantedColumns: all,
    };
    const {rows, malformed, lost, remark} = await loadDelimited(db, load);
    if (rows === 0) {
      throw new UserError(
        `${dataset.shownPath}: no rows behind the header${malformed > 0 ? ` that fit it (${malformed} do not)` : ""}; expected at least one.`,
      );
    }
    return {
      table,
      rows,
      malformed,
      remark: [encodingRemark, remark].filter((each) => each !== null).join(" ") || null,
      account: await accountOf(dataset, {path, title: head.title, lost}),
      ...stagedText(all, text, columns),
      ...names(columns, wantedColumns),
    };
  },
};

/**
 * Counts the bytes and quotation marks of a file by what became of them. Text in another encoding is counted as a whole, because its title
 * and its lost rows are known in UTF-8 alone.
 */
async function accountOf(
  dataset: Dataset,
  {path, title, lost}: {path: string; title: string; lost: LostText},
): Promise<FileAccount> {
  const whole = (all: number, counts: {title_line: number; malformed_row: number}) => {
    const skipped = {...counts, malformed_row: Math.min(counts.malformed_row, all - counts.title_line)};
    return {read: all - skipped.title_line - skipped.malformed_row, skipped};
  };
  const {size} = await stat(dataset.path);
  const titleBytes = Buffer.byteLength(title);
  return {
    bytes:
      path === dataset.path
        ? whole(size, {title_line: titleBytes, malformed_row: lost.bytes})
        : {read: size, skipped: {}},
    quotes: whole(await quotesIn(path), {
      title_line: title.split('"').length - 1,
      malformed_row: lost.quotes,
    }),
  };
}

async function quotesIn(path: string): Promise<number> {
  let quotes = 0;
  for await (const chunk of createReadStream(path, {highWaterMark: 1 << 20}) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(0x22); at >= 0; at = chunk.indexOf(0x22, at + 1)) quotes += 1;
  return quotes;
}

/** Returns the header of a delimited file and the cells of its first rows, at most `most` of them. */
export async function firstRows(
  dataset: Dataset,
  most: number,
): Promise<{header: readonly string[]; rows: readonly (readonly string[])[]}> {
  const head = await headOf(dataset.path, dataset);
  return {header: head.columns, rows: headRows(head, most)};
}

async function headOf(path: string, {shownPath}: Dataset): Promise<DelimitedHead> {
  const head = await withUserErrors(() => delimitedHead(path, shownPath));
  if (head.columns.length > maxColumns)
    throw new UserError(`${shownPath}: ${head.columns.length} columns; at most ${maxColumns} are read.`);
  return head;
}

function names(
  columns: readonly string[],
  wantedColumns: readonly string[],
): Pick<StagedTable, "sourceColumns" | "entryColumns"> {
  return {
    sourceColumns: columns,
    entryColumns: new Set(wantedColumns.filter((name) => resolveColumn(name, columns) !== undefined)),
  };
}
