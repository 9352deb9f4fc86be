import {open} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {writeScratch} from "../../../lib/storage/whole-file.ts";
import {boundedSheets, type Sheet} from "../../raw/workbook/sheets.ts";
import {namesPriceRows} from "../column-aliases.ts";
import {binaryWorkbook} from "../content-kind.ts";

/** Rows of a sheet above which the names of its columns must stand; titles and dates of an export stand there. */
const mostAbove = 20;

/**
 * Writes the worksheet that has price rows as a CSV file into `tempDir`, and gives its path. Throws a UserError that calls the workbook `shown`
 * where no sheet or several sheets have them, and for a workbook that cannot be read.
 */
export async function workbookAsCsv(
  {path, shown}: {path: string; shown: string},
  tempDir: string,
): Promise<string> {
  const sheets = await boundedSheets(path, {shown, isBinary: await isBinary(path), dir: tempDir});
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await hasPriceRows(sheet)) found.push(sheet);
  if (found.length !== 1)
    throw new UserError(
      `${shown}: ${found.length} worksheets have the columns of price rows (${sheets.map(({name}) => name).join(", ")}); one was expected.`,
    );
  const target = join(tempDir, "sheet.csv");
  await writeScratch(target, csvLines(found[0]!));
  return target;
}

async function isBinary(path: string): Promise<boolean> {
  await using file = await open(path);
  const {buffer} = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString("hex") === binaryWorkbook;
}

async function hasPriceRows(sheet: Sheet): Promise<boolean> {
  let at = 0;
  for await (const cells of sheet.rows()) {
    if (namesPriceRows([cells])) return true;
    at += 1;
    if (at > mostAbove) return false;
  }
  return false;
}

/** The rows of a sheet from the names of its columns on, each as long as the names. */
async function* csvLines({rows}: Sheet): AsyncGenerator<string> {
  let width = 0;
  for await (const cells of rows()) {
    if (width === 0 && !namesPriceRows([cells])) continue;
    if (width === 0) width = cells.length;
    const filled = cells.some((cell) => cell.trim() !== "");
    if (filled) yield `${padded(cells, width).map(quoted).join(",")}\n`;
  }
}

/** Cells behind the last name are kept where one of them has a value: such a row is none of the table. */
function padded(cells: readonly string[], width: number): string[] {
  const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  return Array.from({length: Math.max(width, filled)}, (_, place) => cells[place] ?? "");
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
