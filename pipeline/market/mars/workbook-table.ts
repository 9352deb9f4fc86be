import {join} from "node:path";
import type {Sheet} from "@open-cattle/parcel-files";
import {writeScratch} from "@open-cattle/safe-files";
import {maxLinesAbove, namesPriceRows} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {boundedSheets} from "../../raw/workbook/sheets.ts";

/**
 * Writes the worksheet with price rows to a CSV file in `tempDir` and returns its path. Throws a UserError, naming the workbook
 * `shown`, if no sheet or several sheets have price rows, or if the workbook cannot be read.
 */
export async function workbookAsCsv(
  {path, shownPath, isBinary}: {path: string; shownPath: string; isBinary: boolean},
  tempDir: string,
): Promise<string> {
  const sheets = await boundedSheets(path, {shownPath, isBinary, dir: tempDir});
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await hasPriceRows(sheet)) found.push(sheet);
  if (found.length !== 1)
    throw new UserError(
      `${shownPath}: ${found.length} worksheets have the columns of price rows (${sheets.map(({name}) => name).join(", ")}); one was expected.`,
    );
  const target = join(tempDir, "sheet.csv");
  await writeScratch(target, csvLines(found[0]!));
  return target;
}

async function hasPriceRows(sheet: Sheet): Promise<boolean> {
  let at = 0;
  for await (const cells of sheet.rows()) {
    if (namesPriceRows([cells])) return true;
    at += 1;
    if (at > maxLinesAbove) return false;
  }
  return false;
}

/**
 * The rows of a sheet from its header on, padded to the header's length. A row with a value beyond the last column keeps it:
 * its length then shows that it is damaged.
 */
async function* csvLines({rows}: Sheet): AsyncGenerator<string> {
  let width = 0;
  for await (const cells of rows()) {
    if (width === 0 && !namesPriceRows([cells])) continue;
    if (width === 0) width = cells.length;
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    const length = Math.max(width, filled);
    if (filled > 0) yield `${Array.from({length}, (_, place) => quoted(cells[place] ?? "")).join(",")}\n`;
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
